// The play log: every logged play, rated or not, with search and filters; and the page of one play.

const flagWords = (flag) => sentences.flags[flag] ?? words(flag);
const meaningOf = new Map(data.rejections.map((row) => [row.reason, row.meaning]));

/** Seats in the order in which they finished, as far as it is known. */
function finishers(play) {
  return [...play.seats].sort((a, b) => (a.rank ?? 999) - (b.rank ?? 999));
}

function seatList(play) {
  const most = 8;
  const seats = finishers(play);
  const one = (seat, at) => {
    const mark = known(seat.rank) ? `${seat.rank}.${SPACE}` : seat.winner ? `★${SPACE}` : "";
    const score = seat.score ? ` (${shorten(clean(seat.score), 24)})` : "";
    const name = players.has(seat.player)
      ? named(nameOf(seat.player), 24)
      : make("span", { class: "quiet" }, nameOf(seat.player));
    return make("span", { class: "seat" }, at ? ", " : "", mark, name, score);
  };
  const rest =
    seats.length > most ? make("span", { class: "quiet" }, ` and ${seats.length - most} more`) : null;
  return make("span", { class: "seats" }, seats.slice(0, most).map(one), rest);
}

function verdict(play) {
  const flags = play.flags.map((flag) =>
    make("span", { class: "flag", title: flagWords(flag) }, `⚑${SPACE}${words(flag)}`),
  );
  if (play.rated) return make("span", { class: "verdict" }, "rated", flags);
  const why = meaningOf.get(play.reason) ?? "";
  const detail = play.detail ? make("small", {}, shorten(clean(play.detail), 120)) : null;
  return make(
    "span",
    { class: "verdict", title: why || null },
    make("span", {}, `not rated: ${words(play.reason)}`),
    detail,
    flags,
  );
}

const order = new Map(data.play_log.map((play, at) => [play.id, at]));

function playTable(rows, label, { size = 50, withGame = true, empty = "No play." } = {}) {
  return table({
    label,
    size,
    sort: "Date",
    down: true,
    empty,
    className: (play) => (play.rated ? "" : "unrated"),
    columns: [
      {
        head: "Date",
        rowHead: true,
        class: "date",
        first: "down",
        value: (play) => order.get(play.id),
        show: (play) =>
          make("span", { class: "stack" }, playLink(play.id), make("small", {}, play.date.slice(11))),
      },
      {
        head: withGame ? "Game" : "Play",
        class: `who short${withGame ? "" : " phone"}`,
        value: (play) => gameName(play.game),
        // On a phone the row has room for two cells only; the others are hidden there.
        show: (play) => [
          withGame ? gameLink(play.game) : "",
          make(
            "span",
            { class: "phone" },
            seatList(play),
            play.rated && !play.flags.length ? "" : verdict(play),
          ),
        ],
      },
      { head: "Seats", number: true, class: "desk", value: (play) => play.seats.length },
      {
        head: "Who, in order of finish (score)",
        class: "wide desk",
        sortable: false,
        value: () => 0,
        show: seatList,
      },
      {
        head: "Rated",
        class: "why desk",
        first: "up",
        value: (play) => (play.rated ? " " : (play.reason ?? "")),
        show: verdict,
      },
    ],
    rows,
  });
}

let searchTexts = null;

/** What each play is searched by: names, game, date in both writings, reason, place, map. */
function searchText(play) {
  searchTexts ??= new Map();
  if (!searchTexts.has(play.id)) {
    const names = play.seats.map((seat) => nameOf(seat.player));
    const said = [play.reason, meaningOf.get(play.reason), play.detail, ...play.flags.map(flagWords)];
    const where = [
      play.location,
      play.board,
      gameName(play.game),
      play.date,
      day(play.date).replaceAll(SPACE, " "),
    ];
    searchTexts.set(play.id, words(folded([...names, ...where, ...said].filter(Boolean).join(" \n "))));
  }
  return searchTexts.get(play.id);
}

function filtered({ q, show, reason }) {
  const wanted = words(folded(q)).split(/\s+/).filter(Boolean);
  const kinds = {
    rated: (play) => play.rated,
    unrated: (play) => !play.rated,
    flagged: (play) => play.flags.length > 0,
  };
  const fits = kinds[show] ?? (() => true);
  return seasonPlays().filter(
    (play) =>
      fits(play) &&
      (!reason || play.reason === reason) &&
      wanted.every((word) => searchText(play).includes(word)),
  );
}

function labelled(text, field) {
  return make("span", { class: "field" }, make("label", { for: field.id }, text), field);
}

function showPlays(host) {
  const { params } = place();
  const state = {
    q: params.get("q") ?? "",
    show: params.get("show") ?? "",
    reason: params.get("reason") ?? "",
  };
  const list = make("div", { id: "play-list" });
  const said = make("p", { class: "quiet", role: "status", id: "play-count" });
  const draw = () => {
    const rows = filtered(state);
    const rated = rows.filter((play) => play.rated).length;
    said.textContent = `${count(rows.length, "play")}: ${number(rated)} rated, ${number(rows.length - rated)} not.`;
    list.replaceChildren(playTable(rows, "Play log", { empty: "No play fits." }));
  };
  const change = (key) => (event) => {
    state[key] = event.target.value;
    note({ [key]: state[key] });
    draw();
  };
  const select = (id, key, options) => {
    const made = make(
      "select",
      { id, on: { change: change(key) } },
      options.map(([value, text]) => make("option", { value }, text)),
    );
    made.value = options.some(([value]) => value === state[key]) ? state[key] : "";
    state[key] = made.value;
    return made;
  };
  const search = make("input", {
    type: "search",
    id: "play-search",
    value: state.q,
    placeholder: "Name, game, date, reason",
    on: { input: change("q") },
  });
  const kinds = [
    ["", "All"],
    ["rated", "Rated"],
    ["unrated", "Not rated"],
    ["flagged", "Marked for review"],
  ];
  const reasons = [
    ["", "Any"],
    ...data.rejections.map((row) => [row.reason, `${words(row.reason)} (${row.plays})`]),
  ];
  host.append(
    make("h2", {}, "Play log"),
    make("p", { class: "lead" }, "Every logged play once. All words of the search must occur, in any order."),
    make(
      "div",
      { class: "controls", role: "search" },
      labelled("Search", search),
      labelled("Show", select("play-show", "show", kinds)),
      labelled("Reason", select("play-reason", "reason", reasons)),
    ),
    said,
    list,
  );
  draw();
}

function factorTiles(event) {
  const minutes = known(event.minutes)
    ? `${number(event.minutes)} minutes, ${event.minutes_source}`
    : "duration unknown";
  return tiles([
    ["Weight of the game", number(event.weight, 2)],
    ["Confidence", number(event.confidence, 2), "how well the table knows the game"],
    ["Margin", number(event.margin, 2), "mean of the pairs"],
    ["Duration", number(event.duration, 2), minutes],
    ["Order from", { scores: "scores", ranks: "ranks", flag: "winner only" }[event.source] ?? event.source],
  ]);
}

function seatTable(play, event) {
  const rows = ratedSeats(play, event);
  const ofPlayer = (row, text) => (row.player === null ? NONE : text);
  const rating = [
    { head: "Before", number: true, value: (row) => row.before, show: (row) => number(row.before) },
    {
      head: "Expected",
      number: true,
      title: "Expected share of opponents beaten",
      value: (row) => row.expected,
      show: (row) => percent(row.expected),
    },
    { head: "Beaten", number: true, value: (row) => row.actual, show: (row) => percent(row.actual) },
    {
      head: "Change",
      number: true,
      value: (row) => row.change,
      show: (row) => ofPlayer(row, signed(row.change)),
    },
    {
      head: "After",
      number: true,
      value: (row) => row.after,
      show: (row) => ofPlayer(row, number(row.after)),
    },
  ];
  return table({
    label: "Seats",
    size: 200,
    sort: "Place",
    columns: [
      { head: "Place", number: true, first: "up", value: (row) => row.rank },
      {
        head: "Player",
        rowHead: true,
        class: "who",
        value: (row) => nameOf(row.player),
        show: (row) => playerLink(row.player),
      },
      {
        head: "Score as logged",
        number: true,
        value: (row) => row.points ?? row.score,
        show: (row) => shorten(row.score || NONE, 40),
      },
      { head: "Marked winner", value: (row) => (row.winner ? "yes" : "no") },
      ...(event ? rating : []),
    ],
    rows,
  });
}

/** Seats as logged, with what the play did to each; a guest's seat is found by its place. */
function ratedSeats(play, event) {
  const left = [...(event?.seats ?? [])];
  return play.seats.map((seat) => {
    const same = (other) =>
      other.player === seat.player && (seat.player !== null || other.rank === seat.rank);
    const at = left.findIndex(same);
    if (at < 0) return seat;
    const [{ score, ...rest }] = left.splice(at, 1);
    return { ...rest, ...seat, points: score, rank: rest.rank };
  });
}

function showPlay(host, id) {
  const play = plays.get(id);
  if (!play) {
    host.append(
      make("h2", {}, "No such play"),
      make("p", {}, make("a", { href: address("plays") }, "The play log")),
    );
    return;
  }
  const event = eventOf.get(play.id);
  const at = data.play_log.indexOf(play);
  const step = (to, text) =>
    data.play_log[to] ? make("a", { href: address(`play-${data.play_log[to].id}`) }, text) : null;
  const place = [play.date.slice(11), play.location && clean(play.location), play.board && clean(play.board)]
    .filter(Boolean)
    .join(", ");
  put(
    host,
    make(
      "p",
      { class: "back" },
      make("a", { href: address("plays") }, "Play log"),
      step(at - 1, "Play before"),
      step(at + 1, "Play after"),
    ),
    make("h2", {}, gameLink(play.game), `, ${day(play.date)}`),
    make("p", { class: "lead", dir: "auto" }, place),
    play.flags.length
      ? make(
          "ul",
          {},
          play.flags.map((flag) => make("li", {}, flagWords(flag))),
        )
      : null,
    play.rated
      ? null
      : make(
          "p",
          { class: "notice" },
          "Not rated. ",
          meaningOf.get(play.reason) ?? "",
          play.detail ? ` (${clean(play.detail)})` : "",
        ),
    seatTable(play, event),
    event ? factorTiles(event) : null,
  );
}
