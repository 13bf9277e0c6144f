// Charts: the plotting library is started when the first one is drawn, so that a page without charts opens at once.

const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
const SYMBOLS = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x", "star"];
const SHAPES = ["●", "■", "▲", "◆", "▼", "✚", "✖", "★"];
const DASHES = ["solid", "dash", "dot"];
const BORDERS = ["solid", "dashed", "dotted"];
/** Lines that can be told apart in one chart. */
const MOST_LINES = COLOURS.length * DASHES.length;

/** Colour, marker and dash of the so-manyth line, so that none depends on colour alone. */
function mark(at) {
  const dash = Math.floor(at / COLOURS.length) % DASHES.length;
  return {
    colour: COLOURS[at % COLOURS.length],
    symbol: SYMBOLS[at % SYMBOLS.length],
    shape: SHAPES[at % SHAPES.length],
    dash: DASHES[dash],
    border: BORDERS[dash],
  };
}

/** The line of a series as it looks in the chart, beside a name. */
function swatch(at) {
  const { colour, shape, border } = mark(at);
  const style = { "--colour": colour, "--border": border };
  return make("span", { class: "swatch", style, "aria-hidden": "true" }, make("span", {}, `${shape}\ufe0e`));
}

function translucent(colour, opacity) {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return `rgba(${parts.join(",")},${opacity})`;
}

/** Text that the library shows as it stands: it would take some markup for its own. */
function plain(text) {
  const safe = shorten(text, 28).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `\u2068${safe}\u2069`;
}

function plottingLibrary() {
  if (!window.Plotly) {
    const script = make("script");
    script.textContent = element("plotting-library").textContent;
    document.head.append(script);
    script.remove();
  }
  return window.Plotly;
}

const shownCharts = new Set();

/** Let go of the charts of the view that is left. */
function forgetCharts() {
  for (const box of shownCharts) window.Plotly?.purge(box);
  shownCharts.clear();
}

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A finger scrolls the page, so it does not draw in the chart. */
const byFinger = () => matchMedia("(pointer: coarse)").matches;

function chartLayout(changes, narrow) {
  const [ink, grid, panel] = ["--ink", "--line", "--panel"].map(colourOf);
  const axis = {
    gridcolor: grid,
    linecolor: grid,
    zeroline: false,
    automargin: true,
    tickcolor: grid,
    fixedrange: false,
  };
  return {
    font: { color: ink, size: 13, family: getComputedStyle(document.body).fontFamily },
    paper_bgcolor: panel,
    plot_bgcolor: panel,
    margin: { l: 48, r: 12, t: 12, b: 44 },
    hovermode: "closest",
    hoverlabel: { bgcolor: panel, bordercolor: grid, font: { color: ink }, align: "left" },
    showlegend: false,
    dragmode: byFinger() ? false : "zoom",
    ...changes,
    xaxis: { ...axis, ...(narrow ? { nticks: 4, tickangle: 0 } : {}), ...changes.xaxis },
    yaxis: { ...axis, ...changes.yaxis },
  };
}

/** Draw in a box that is on the page already. `label` says in words what is seen. */
function chart(box, traces, layout, label) {
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", label);
  const library = plottingLibrary();
  if (!library) {
    box.replaceChildren(
      make("p", {}, "The chart cannot be drawn in this browser; its numbers are in the table."),
    );
    return;
  }
  shownCharts.add(box);
  // Nothing of the library that leads to an address of its makers.
  const options = {
    displaylogo: false,
    displayModeBar: byFinger() ? false : "hover",
    responsive: true,
    plotlyServerURL: "",
    topojsonURL: "",
    showSendToCloud: false,
    modeBarButtons: [["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
    toImageButtonOptions: { filename: "ratings", scale: 2 },
  };
  library.react(box, traces, chartLayout(layout, box.clientWidth < 500), options);
  // Older versions of the library give its buttons no name that can be read out.
  for (const button of box.querySelectorAll(".modebar-btn:not([aria-label])")) {
    button.setAttribute("aria-label", button.dataset.title ?? "");
  }
}

/** Days (or hours of play) at which the rated plays of the group stand, for the edges of a season. */
const clock = data.events.length
  ? Object.values(data.series)
      .flatMap((series) =>
        series.date.map((date, at) => ({
          date,
          hours: series.hours[at],
          start: series.play[at] === "start",
        })),
      )
      .filter((point) => !point.start)
      .sort((a, b) => a.hours - b.hours)
  : [];

function hoursAt(date, after) {
  let found = 0;
  for (const point of clock) {
    if (after ? point.date.slice(0, 10) > date : point.date.slice(0, 10) >= date) break;
    found = point.hours;
  }
  return found;
}

/** What a player's line goes through in the season: from what it came with to the season's end. */
function linePoints(id, chosen = season()) {
  const series = data.series[id];
  if (!series || series.rating.length < 2) return [];
  const all = series.rating.map((rating, at) => ({
    rating,
    at,
    deviation: series.deviation[at],
    play: series.play[at],
    date: series.date[at],
    hours: series.hours[at],
  }));
  const inside = all.filter((point) => inSeason(point.date, chosen));
  if (inside.length === 0) return [];
  const earlier = all.filter((point) => chosen?.first && point.date.slice(0, 10) < chosen.first).at(-1);
  if (earlier)
    inside.unshift({ ...earlier, play: "before", date: chosen.first, hours: hoursAt(chosen.first, false) });
  const end = chosen?.last && chosen.last < group.as_of ? chosen.last : group.as_of;
  if (end > inside.at(-1).date.slice(0, 10)) {
    // Only the deviation of the last day is known with what absence added to it.
    const held = end === group.as_of ? { deviation: players.get(id).deviation } : {};
    inside.push({ ...inside.at(-1), ...held, play: "end", date: end, hours: hoursAt(end, true) });
  }
  return inside;
}

function hoverText(id, point) {
  const low = number(point.rating - Z90 * point.deviation);
  const high = number(point.rating + Z90 * point.deviation);
  const words = { start: "joins", before: "before the season", end: "with absence since the last play" };
  const what = words[point.play] ?? plain(gameName(plays.get(point.play)?.game));
  return `${plain(nameOf(id))}<br>${day(point.date)}, ${what}<br>${number(point.rating)} (90 %: ${low} to ${high})`;
}

/** Lines of many players in grey, as one trace with gaps, which is drawn far faster than one each. */
function faintTrace(ids, axis) {
  const points = ids.flatMap((id) => [...linePoints(id).map((point) => ({ ...point, id })), null]);
  return {
    x: points.map((point) => point && point[axis]),
    y: points.map((point) => point && point.rating),
    text: points.map((point) => (point ? hoverText(point.id, point) : "")),
    hovertemplate: "%{text}<extra></extra>",
    mode: "lines",
    line: { shape: "hv", width: 1, color: colourOf("--faint") },
    connectgaps: false,
  };
}

/** The traces of one player: the band of the 90 % interval if wanted, and the line. */
function lineTraces(id, at, axis, { band = true, opacity = 0.16 } = {}) {
  const points = linePoints(id);
  const { colour, symbol, dash } = mark(at);
  const x = points.map((point) => point[axis]);
  const edge = (sign, fill) => ({
    x,
    y: points.map((point) => point.rating + sign * Z90 * point.deviation),
    mode: "lines",
    line: { width: 1, shape: "hv", color: translucent(colour, 0.45) },
    hoverinfo: "skip",
    ...(fill ? { fill: "tonexty", fillcolor: translucent(colour, opacity) } : {}),
  });
  const own = {
    x,
    y: points.map((point) => point.rating),
    text: points.map((point) => hoverText(id, point)),
    hovertemplate: "%{text}<extra></extra>",
    mode: "lines+markers",
    line: { shape: "hv", width: 2, color: colour, dash },
    marker: { symbol, size: 7, color: colour, maxdisplayed: 12 },
  };
  return band ? [edge(-1, false), edge(1, true), own] : [own];
}

const axisWords = { date: "date", hours: "hours the group has played (rated plays)" };
const ratingAxis = { title: { text: "rating (points)", standoff: 6 } };
