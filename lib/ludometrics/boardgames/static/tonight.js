// Who is the favourite at tonight's table: choose who plays, see each one's chances.

const MOST_SEATS = 16;
const MOST_GUESTS = 8;

function tonightSeats(ids, guests) {
  const people = ids.map((id) => {
    const { rating, deviation } = players.get(id);
    return { id, text: nameOf(id), rating: rating ?? START, deviation: deviation ?? NEWCOMER };
  });
  const unknown = Array.from({ length: guests }, (_, at) => ({
    id: null,
    text: guests === 1 ? "Guest" : `Guest ${at + 1}`,
    rating: START,
    deviation: NEWCOMER,
  }));
  return [...people, ...unknown];
}

const seatName = (seat) => (seat.id ? playerLink(seat.id) : make("span", {}, seat.text));

function chanceBar(share) {
  return make(
    "span",
    { class: "share", "aria-hidden": "true" },
    make("span", { class: "share-part", style: { width: `${(100 * share).toFixed(1)}%` } }),
  );
}

function chanceTable(seats, chances) {
  const rows = seats.map((seat, i) => ({
    seat,
    win: chances.win[i],
    low: chances.ranges[i][0],
    high: chances.ranges[i][1],
    place: chances.place[i],
  }));
  return table({
    label: "Chances at the table",
    sort: "Chance to win",
    down: true,
    columns: [
      {
        head: "Player",
        rowHead: true,
        class: "who",
        value: (row) => row.seat.text,
        show: (row) => seatName(row.seat),
      },
      {
        head: "Chance to win",
        number: true,
        class: "chance",
        value: (row) => row.win,
        show: (row) =>
          make("span", { class: "chance-value" }, chanceBar(row.win), make("strong", {}, percent(row.win))),
      },
      {
        head: "Could be",
        number: true,
        title: "Where the chance would lie, nine times in ten, were the strengths known",
        value: (row) => row.high - row.low,
        show: (row) => percents(row.low, row.high),
      },
      {
        head: "Expected place",
        number: true,
        first: "up",
        value: (row) => row.place,
        show: (row) => number(row.place, 1),
      },
      {
        head: "Rating",
        number: true,
        value: (row) => row.seat.rating,
        show: (row) => number(row.seat.rating),
      },
      {
        head: "Deviation",
        number: true,
        first: "up",
        value: (row) => row.seat.deviation,
        show: (row) => number(row.seat.deviation),
      },
    ],
    rows,
  });
}

function aheadMatrix(seats, chances) {
  const order = seats.map((_, i) => i).sort((a, b) => chances.win[b] - chances.win[a]);
  const label = "Chance that the player of the row comes in ahead of the player of the column";
  const head = make(
    "tr",
    {},
    make("td", {}),
    order.map((i) => make("th", { scope: "col", class: "column" }, named(seats[i].text, 14))),
  );
  const cell = (i, j) => {
    if (i === j) return make("td", { class: "cell same", "aria-label": "the same seat" });
    const step = SHADES.filter((bound) => chances.ahead[i][j] >= bound).length;
    return make("td", { class: `cell shade-${step}` }, percent(chances.ahead[i][j]));
  };
  const rows = order.map((i) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", class: "who" }, named(seats[i].text)),
      order.map((j) => cell(i, j)),
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

function favourite(seats, chances) {
  const best = chances.win.indexOf(Math.max(...chances.win));
  const even = 1 / seats.length;
  const clear = chances.win[best] > even * 1.02;
  if (!clear)
    return make("p", { class: "favourite" }, `Nobody: at an even table everybody has ${percent(even)}.`);
  const words = ` with ${percent(chances.win[best])}; an even table would give ${percent(even)}.`;
  return make("p", { class: "favourite" }, "The favourite is ", named(seats[best].text), words);
}

function showTonight(host) {
  const { params } = place();
  const wanted = Math.round(Number(params.get("guests")) || 0);
  let guests = Math.max(0, Math.min(MOST_GUESTS, wanted));
  const quick = usual(MOST_SEATS, 4);
  let ids = (chosenPlayers() ?? []).slice(0, MOST_SEATS);
  const result = make("div", { class: "beside-main", id: "chances", "aria-live": "polite" });
  const side = make("div", { class: "beside turned" }, result);
  const draw = () => {
    const seats = tonightSeats(ids, guests);
    if (seats.length < 2) {
      result.replaceChildren(
        make("p", { class: "notice" }, "Choose at least two for the table; a guest counts as one."),
      );
      return;
    }
    const chances = tableChances(
      seats.map((seat) => seat.rating),
      seats.map((seat) => seat.deviation),
    );
    result.replaceChildren(
      favourite(seats, chances),
      chanceTable(seats, chances),
      make("h3", {}, "Who is ahead of whom"),
      aheadMatrix(seats, chances),
    );
  };
  const input = make("input", {
    type: "number",
    id: "guests",
    min: "0",
    max: String(MOST_GUESTS),
    step: "1",
    value: String(guests),
  });
  input.addEventListener("input", () => {
    guests = Math.max(0, Math.min(MOST_GUESTS, Math.round(Number(input.value) || 0)));
    note({ guests: guests || "" });
    draw();
  });
  host.append(
    make("h2", {}, "Tonight's table"),
    make(
      "p",
      { class: "lead" },
      "Choose who sits down and see who is the favourite. A chance allows for what is not known of the ratings: at a ",
      "table of newcomers it stays near even. It is for the group's usual mixture of games; a game of much luck evens ",
      "it out.",
    ),
    side,
    make(
      "p",
      { class: "quiet" },
      `Ratings and deviations as of ${day(group.as_of)}. A guest is a newcomer: rating ${number(START)}, deviation `,
      `${number(NEWCOMER)}. Each seat wins with its share of the table's strength, 10 to the power of rating over 400 a `,
      "seat, averaged over what is not known of the ratings. “Could be” is where the chance would lie, nine times in ",
      "ten, were the strengths known.",
    ),
  );
  const guestField = make("p", { class: "controls" }, make("label", { for: input.id }, "Guests"), input);
  draw();
  if (data.players.length === 0) {
    side.append(make("div", { class: "picker" }, guestField));
    return;
  }
  const choose = picker({
    label: "At the table",
    chosen: ids,
    most: MOST_SEATS,
    quick,
    changed: (chosen) => {
      ids = chosen;
      note({ who: ids.join(",") });
      draw();
    },
  });
  choose.querySelector(".buttons").after(guestField);
  side.append(choose);
}
