// Rating lines over time and over playing time, with bands for the chosen players.

/** Choice between the calendar and playing time along the bottom; kept in the address. */
function axisChoice(axis, changed) {
  return choice(
    "over",
    "Along",
    [
      ["date", "the calendar"],
      ["hours", "playing time"],
    ],
    axis,
    (value) => {
      note({ over: value === "date" ? "" : value });
      changed(value);
    },
  );
}

/** A row of radio buttons. */
function choice(name, legend, options, current, changed) {
  const option = ([value, text]) =>
    make(
      "label",
      {},
      make("input", {
        type: "radio",
        name,
        value,
        checked: value === current,
        on: { change: () => changed(value) },
      }),
      text,
    );
  return make("fieldset", { class: "choice" }, make("legend", {}, legend), options.map(option));
}

function tick(text, checked, changed) {
  const box = make("input", { type: "checkbox", checked, on: { change: () => changed(box.checked) } });
  return make("label", { class: "tick" }, box, text);
}

const moved = (points) => points.at(-1).rating - points[0].rating;

function lineTable(ids) {
  const stats = seasonStats();
  const rows = ids.map((id, at) => ({ id, at, points: linePoints(id), stats: stats.get(id) }));
  return table({
    label: "The lines in numbers",
    empty: "No player chosen.",
    columns: [
      {
        head: "Player",
        rowHead: true,
        class: "who",
        value: (row) => nameOf(row.id),
        show: (row) => make("span", { class: "with-swatch" }, swatch(row.at), playerLink(row.id)),
      },
      { head: "Rated plays", number: true, value: (row) => row.stats.rated },
      {
        head: "First",
        number: true,
        value: (row) => row.points[0]?.rating,
        show: (row) => number(row.points[0]?.rating),
      },
      {
        head: "Last",
        number: true,
        value: (row) => row.points.at(-1)?.rating,
        show: (row) => number(row.points.at(-1)?.rating),
      },
      {
        head: "Change",
        number: true,
        value: (row) => (row.points.length ? moved(row.points) : null),
        show: (row) => (row.points.length ? signed(moved(row.points)) : NONE),
      },
      {
        head: "90 % interval at the end",
        number: true,
        value: (row) => row.points.at(-1)?.deviation,
        show: (row) => {
          const last = row.points.at(-1);
          return last
            ? between(last.rating - Z90 * last.deviation, last.rating + Z90 * last.deviation)
            : NONE;
        },
      },
    ],
    rows,
  });
}

function showLines(host) {
  const { params } = place();
  let axis = params.get("over") === "hours" ? "hours" : "date";
  let bands = params.get("bands") !== "no";
  let others = params.get("others") !== "no";
  const regulars = data.players
    .filter((player) => player.plays_rated >= group.regular_plays)
    .map((player) => player.id);
  const quick = usual(MOST_LINES);
  const usually = quick[0][1].slice(0, 3);
  let ids = chosenPlayers() ?? usually;
  const box = make("div", { class: "chart" });
  const numbers = make("div");
  const empty = data.players.length
    ? make("p", { class: "notice" }, "No rated play of the chosen players in this season.")
    : nothingRated();
  const draw = () => {
    const faint = others ? regulars.filter((id) => !ids.includes(id)) : [];
    const traces = [
      faintTrace(faint, axis),
      ...ids.flatMap((id, at) => lineTraces(id, at, axis, { band: bands, opacity: 0.16 / ids.length })),
    ].filter((trace) => trace.x.some((x) => x !== null));
    empty.hidden = traces.length > 0;
    box.hidden = traces.length === 0;
    if (traces.length) {
      const layout = { xaxis: { title: { text: axisWords[axis], standoff: 8 } }, yaxis: ratingAxis };
      chart(
        box,
        traces,
        layout,
        `Ratings of ${ids.map(nameOf).join(", ") || "nobody"} by ${axisWords[axis]}; in numbers below.`,
      );
    }
    numbers.replaceChildren(lineTable(ids));
  };
  const over = axisChoice(axis, (value) => {
    axis = value;
    draw();
  });
  const bandTick = tick("90 % bands", bands, (on) => {
    bands = on;
    note({ bands: on ? "" : "no" });
    draw();
  });
  const otherTick = tick("Everybody else in grey", others, (on) => {
    others = on;
    note({ others: on ? "" : "no" });
    draw();
  });
  const main = make("div", { class: "beside-main" }, box, empty);
  const side = make("div", { class: "beside" }, main);
  const legend = make("h3", {}, "In numbers");
  host.append(
    make("h2", {}, "Ratings over time"),
    make(
      "p",
      { class: "lead" },
      "A rating moves only at a rated play, hence the steps. The band is the 90 % interval at each moment; grey are ",
      `the other players with ${number(group.regular_plays)} rated plays or more.`,
    ),
    make("div", { class: "controls" }, over, bandTick, otherTick),
    side,
    legend,
    numbers,
  );
  if (data.players.length === 0) return;
  side.append(
    picker({
      label: "Players",
      chosen: ids,
      most: MOST_LINES,
      quick,
      swatchOf: swatch,
      changed: (wanted) => {
        ids = wanted;
        note({ who: wanted.join() === usually.join() ? null : wanted.join(",") || "none" });
        draw();
      },
    }),
  );
}
