// How the numbers came about: what was used, what was rejected and why, warnings, judgement and checks.

const PRESET_WORDS = {
  bgelo: "the published engine as its author describes it",
  tuned: "what the calibration study chose",
};
const NAME_WORDS = {
  real: "as logged",
  initials: "initials; places and notes are withheld",
  pseudonyms: "pseudonyms; places and notes are withheld",
};

function usedTiles() {
  const gate = settings.gate
    ? "on: only plays of people against each other; cooperative and team plays are not rated"
    : "off: whatever has a finishing order is rated";
  return tiles([
    ["Preset", group.preset, PRESET_WORDS[group.preset] ?? null],
    ["Gate", settings.gate ? "on" : "off", gate.split(": ")[1]],
    ["Plays rated", number(group.plays_rated), `of ${number(group.plays_logged)} logged`],
    ["Pairs compared", number(group.pairs), "of seats whose order is known, guests included"],
    ["Hours", number(group.hours), `of all plays; ${number(group.hours_rated)} of rated ones`],
    [
      "As of",
      day(group.as_of),
      [
        `plays from ${day(group.from)} to ${day(group.to)}`,
        group.since ? `, none before ${day(group.since)} taken` : "",
      ].join(""),
    ],
    ["Names", NAME_WORDS[group.names] ? group.names : clean(group.names), NAME_WORDS[group.names] ?? null],
    [
      "Guests",
      settings.guests === "drop" ? "taken out" : "unknown newcomers",
      settings.guests === "drop" ? "the rest is ranked anew" : "each one anew; no record is kept",
    ],
    ["Provisional", `above ${number(PROVISIONAL)}`, "deviation; shown below the line"],
  ]);
}

function wordsOfInterval() {
  return [
    make(
      "p",
      {},
      "Each rating comes with a deviation, the usual size of its error. The interval of a rating is the rating plus ",
      "and minus 1.645 deviations: were the model right, nine of ten true strengths would lie within. The deviation ",
      "shrinks with each rated play by what the play tells, and grows with the days without one. Intervals of shares ",
      "(won, ahead of, beaten) are 95 % intervals by the number of plays: they hold the true share nineteen times in ",
      "twenty.",
    ),
    make(
      "p",
      {},
      "A play moves each rating by how much better or worse a seat came in than its forecast, opponent by opponent. ",
      "How much it counts is the product of the game's weight, the table's confidence (how often its players had ",
      "played the game before), the margin of the scores and the duration, over the number of opponents.",
    ),
  ];
}

function settingRows() {
  return Object.entries(settings).map(([name, value]) => ({
    name: words(name),
    value: typeof value === "boolean" ? (value ? "on" : "off") : String(value),
  }));
}

function foldedTable(title, content) {
  return make("details", {}, make("summary", {}, title), content);
}

function rejectionTable() {
  return table({
    label: "Plays not rated, by reason",
    empty: "Every logged play was rated.",
    sort: "Plays",
    down: true,
    columns: [
      {
        head: "Reason",
        rowHead: true,
        value: (row) => row.reason,
        show: (row) => make("a", { href: address("plays", { reason: row.reason }) }, words(row.reason)),
      },
      { head: "Plays", number: true, value: (row) => row.plays },
      { head: "What it means", class: "wide", value: (row) => row.meaning },
    ],
    rows: data.rejections,
  });
}

/** Numbers of any size with a few leading digits. */
const figure = (value) => {
  if (typeof value !== "number") return known(value) ? String(value) : NONE;
  if (Number.isInteger(value)) return number(value);
  return number(value, Math.abs(value) < 10 ? 3 : 1);
};
const figures = (low, high) => (known(low) && known(high) ? `${figure(low)} to ${figure(high)}` : NONE);

function judgementTable() {
  return table({
    label: "How good the forecasts were",
    columns: [
      { head: "Of", rowHead: true, value: (row) => words(row.games_of) },
      { head: "Measure", value: (row) => words(row.measure) },
      { head: "Value", number: true, value: (row) => row.value, show: (row) => figure(row.value) },
      {
        head: "95 % interval",
        number: true,
        sortable: false,
        value: (row) => row.low,
        show: (row) => figures(row.low, row.high),
      },
      { head: "Plays", number: true, value: (row) => row.n, show: (row) => number(row.n) },
      { head: "Pairs", number: true, value: (row) => row.games, show: (row) => number(row.games) },
    ],
    rows: data.judgement,
  });
}

function checkTable() {
  return table({
    label: "Checks of the model on these plays",
    columns: [
      { head: "Check", rowHead: true, value: (row) => words(row.check) },
      { head: "Question", class: "wide", value: (row) => row.question },
      {
        head: "Verdict",
        value: (row) => row.verdict,
        show: (row) =>
          make(
            "span",
            { class: `verdict-${String(row.verdict).toLowerCase().replace(/\W+/g, "-")}` },
            words(row.verdict).toLowerCase(),
          ),
      },
      { head: "Effect", number: true, value: (row) => row.effect, show: (row) => figure(row.effect) },
      {
        head: "99 % interval",
        number: true,
        sortable: false,
        value: (row) => row.low,
        show: (row) => figures(row.low, row.high),
      },
      { head: "n", number: true, value: (row) => row.n, show: (row) => number(row.n) },
      { head: "Note", class: "wide", value: (row) => row.note },
    ],
    rows: data.checks,
  });
}

function showMethod(host) {
  const settingTable = table({
    label: "All settings",
    size: 100,
    columns: [
      { head: "Setting", rowHead: true, value: (row) => row.name },
      { head: "Value", value: (row) => row.value },
    ],
    rows: settingRows(),
  });
  const leftOut = table({
    label: "Rows left out",
    size: 25,
    columns: [
      { head: "Where", rowHead: true, value: (row) => row.where },
      { head: "Reason", class: "wide", value: (row) => row.reason },
    ],
    rows: data.left_out,
  });
  host.append(
    make("h2", {}, "Method and data"),
    make("h3", {}, "What was used"),
    usedTiles(),
    foldedTable("All settings", settingTable),
    make("h3", {}, "What the intervals mean"),
    ...wordsOfInterval(),
    make("h3", {}, "Plays not rated, and why"),
    rejectionTable(),
    make("h3", {}, "Warnings"),
    data.warnings.length
      ? make(
          "ul",
          {},
          data.warnings.map((text) => make("li", { dir: "auto" }, clean(text))),
        )
      : make("p", { class: "quiet" }, "None."),
    make("h3", {}, "Rows of the file left out"),
    data.left_out.length
      ? foldedTable(count(data.left_out.length, "row"), leftOut)
      : make("p", { class: "quiet" }, "None."),
  );
  if (data.judgement.length) {
    host.append(
      make("h3", {}, "How good the forecasts were"),
      make(
        "p",
        {},
        "Each play was forecast from the plays before it. A coin has a log loss of 0.693 and a Brier score of 0.250; ",
        "lower is better.",
      ),
      judgementTable(),
    );
  }
  if (data.checks.length) {
    host.append(
      make("h3", {}, "Checks"),
      make(
        "p",
        {},
        "What the model believes, put to the test on these plays. With few plays most checks cannot tell.",
      ),
      checkTable(),
    );
  }
}
