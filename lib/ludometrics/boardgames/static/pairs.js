// Head to head: a matrix of a few players and a table of every pair that met.

/** A pair as its one or its other player sees it. */
function seenBy(id, row) {
  if (row.a === id) return row;
  const turned = (value) => (known(value) ? 1 - value : null);
  return {
    ...row,
    a: row.b,
    b: row.a,
    wins: row.losses,
    losses: row.wins,
    expected: turned(row.expected),
    score: turned(row.score),
    low: turned(row.high),
    high: turned(row.low),
  };
}

const decided = (row) => row.n ?? row.plays - row.unresolved;

function pairColumns() {
  return [
    { head: "Plays", number: true, title: "Rated plays at one table", value: (row) => row.plays },
    { head: "Ahead", number: true, value: (row) => row.wins },
    { head: "Behind", number: true, value: (row) => row.losses },
    { head: "Level", number: true, value: (row) => row.ties },
    {
      head: "Not told",
      number: true,
      title: "Plays whose order between the two is not known",
      value: (row) => row.unresolved ?? 0,
    },
    {
      head: "Share",
      number: true,
      title: "Share of the told plays in which the first was ahead, level one half; 95 % interval",
      value: (row) => row.score,
      show: (row) => shareCell(row.score, row.low, row.high),
    },
    {
      head: "Forecast",
      number: true,
      title: "Mean of the forecasts made before each play",
      value: (row) => row.expected,
      show: (row) => percent(row.expected),
    },
  ];
}

const SHADES = [0.35, 0.45, 0.55, 0.65];

/** How dark a cell is: five steps from far behind to far ahead, and only where the interval keeps off one half. */
function shade(row) {
  const step = SHADES.filter((bound) => row.score >= bound).length;
  const sure = row.low > 0.5 || row.high < 0.5;
  return `cell shade-${step}${sure ? " sure" : ""}`;
}

function matrixCell(a, b, pairOf) {
  const row = pairOf.get(`${a} ${b}`);
  if (a === b) return make("td", { class: "cell same", "aria-label": "the same player" });
  if (!row) return make("td", { class: "cell never" }, make("span", { class: "quiet" }, "never"));
  if (!decided(row)) return make("td", { class: "cell never" }, NONE, make("small", {}, `n ${row.plays}`));
  const bounds = `95 %: ${percents(row.low, row.high)}`;
  const said = `${nameOf(a)} against ${nameOf(b)}: ${percent(row.score)} of ${decided(row)}, ${bounds}`;
  return make(
    "td",
    { class: shade(row), title: said },
    make(
      "span",
      { class: "stack" },
      percent(row.score),
      make("small", {}, `${number(100 * row.low)}–${number(100 * row.high)}`),
      make("small", {}, `n ${decided(row)}`),
    ),
  );
}

function matrix(ids, pairOf) {
  if (ids.length < 2) return make("p", { class: "notice" }, "Choose at least two players.");
  const label = "Share of plays in which the player of the row was ahead of the player of the column";
  const head = make(
    "tr",
    {},
    make("td", {}),
    ids.map((id) => make("th", { scope: "col", class: "column" }, named(nameOf(id), 14))),
  );
  const rows = ids.map((a) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", class: "who" }, playerLink(a)),
      ids.map((b) => matrixCell(a, b, pairOf)),
    ),
  );
  return make(
    "div",
    { class: "scroll", role: "region", tabindex: "0", "aria-label": label },
    make(
      "table",
      { class: "matrix" },
      make("caption", { class: "unseen" }, label),
      make("thead", {}, head),
      make("tbody", {}, rows),
    ),
  );
}

function showPairs(host) {
  const pairOf = new Map();
  for (const row of data.head_to_head) {
    pairOf.set(`${row.a} ${row.b}`, row);
    pairOf.set(`${row.b} ${row.a}`, seenBy(row.b, row));
  }
  const quick = usual(14, 8);
  const first = chosenPlayers() ?? quick[0][1];
  const box = make("div", { class: "beside-main" });
  const side = make("div", { class: "beside" }, box);
  const found = make("div");
  const search = make("input", {
    type: "search",
    id: "pair-search",
    value: place().params.get("pair") ?? "",
  });
  const list = () => {
    const wanted = folded(search.value).split(/\s+/).filter(Boolean);
    const fits = (row) => wanted.every((word) => row.text.includes(word));
    found.replaceChildren(
      table({
        label: "Every pair that met in a rated play",
        size: 25,
        sort: "Plays",
        down: true,
        empty: search.value ? "No pair of these names met." : "No two players met in a rated play.",
        columns: [
          {
            head: "First",
            rowHead: true,
            class: "who",
            value: (row) => nameOf(row.a),
            show: (row) => playerLink(row.a),
          },
          { head: "Second", class: "who", value: (row) => nameOf(row.b), show: (row) => playerLink(row.b) },
          ...pairColumns(),
        ],
        rows: texts.filter(fits),
      }),
    );
  };
  const texts = data.head_to_head.map((row) => ({
    ...row,
    text: folded(`${nameOf(row.a)} ${nameOf(row.b)}`),
  }));
  search.addEventListener("input", () => {
    note({ pair: search.value });
    list();
  });
  host.append(
    make("h2", {}, "Head to head"),
    make(
      "p",
      { class: "lead" },
      "Who came in ahead of whom in rated plays at one table, of all plays whatever the season. Each cell is the ",
      "share of the player of the row, with its 95 % interval and the number of plays; bold where the interval keeps ",
      "clear of one half. With few plays almost any share can be luck.",
    ),
    side,
    make("h3", {}, "Every pair"),
    make("p", { class: "controls" }, make("label", { for: search.id }, "Names"), search),
    found,
  );
  list();
  if (data.players.length === 0) return;
  side.append(
    picker({
      label: "Players in the matrix",
      chosen: first,
      most: 14,
      quick,
      changed: (ids) => {
        note({ who: ids.join() === quick[0][1].join() ? null : ids.join(",") || "none" });
        const order = new Map(data.players.map((player, at) => [player.id, at]));
        box.replaceChildren(
          matrix(
            [...ids].sort((a, b) => order.get(a) - order.get(b)),
            pairOf,
          ),
        );
      },
    }),
  );
}
