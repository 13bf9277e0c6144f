// Evenings (the plays of one day, which ends at five in the morning) and records.

function changesOf(session) {
  return Object.entries(session.changes ?? {})
    .filter(([id]) => players.has(id))
    .sort((a, b) => b[1] - a[1]);
}

function change([id, value]) {
  return make("span", { class: "seat" }, named(nameOf(id), 24), ` ${signed(value)}`);
}

function mover(entry) {
  return entry ? change(entry) : NONE;
}

function eveningPlays(session) {
  const played = session.plays.filter((id) => plays.has(id));
  if (played.length === 0) return NONE;
  const list = make(
    "ul",
    { class: "plain" },
    played.map((id) => make("li", {}, playLink(id, named(gameName(plays.get(id).game), 40)))),
  );
  const everybody = changesOf(session);
  return make(
    "details",
    {},
    make("summary", {}, count(played.length, "play")),
    list,
    everybody.length
      ? make("p", {}, everybody.map((entry, at) => [at ? ", " : "", change(entry)]).flat())
      : null,
  );
}

function eveningTable() {
  const rows = data.sessions.filter((session) => inSeason(session.day));
  const somewhere = rows.some((session) => session.location);
  return table({
    label: "Evenings",
    size: 25,
    sort: "Day",
    down: true,
    empty: "No evening in this season.",
    columns: [
      { head: "Day", rowHead: true, first: "down", value: (row) => row.day, show: (row) => day(row.day) },
      ...(somewhere
        ? [
            {
              head: "Where",
              class: "who",
              value: (row) => row.location,
              show: (row) => (row.location ? named(clean(row.location), 30) : NONE),
            },
          ]
        : []),
      { head: "Plays", class: "wide", first: "down", value: (row) => row.plays.length, show: eveningPlays },
      { head: "Players", number: true, value: (row) => row.players.length },
      { head: "Hours", number: true, value: (row) => row.hours, show: (row) => number(row.hours, 1) },
      {
        head: "Most gained",
        value: (row) => changesOf(row)[0]?.[1],
        first: "down",
        show: (row) => mover(changesOf(row)[0]),
      },
      {
        head: "Most lost",
        value: (row) => changesOf(row).at(-1)?.[1],
        first: "up",
        show: (row) => (changesOf(row).length > 1 ? mover(changesOf(row).at(-1)) : NONE),
      },
    ],
    rows,
  });
}

function recordValue({ value, unit, record }) {
  if (unit === "chance") return percent(value);
  if (unit === "points")
    return `${/gain|loss|session/.test(record) ? signed(value) : number(value)}${SPACE}points`;
  return `${number(value)}${SPACE}${unit ?? ""}`;
}

function recordTable() {
  return table({
    label: "Records",
    size: 100,
    empty: "No records yet.",
    columns: [
      { head: "Record", rowHead: true, value: (row) => row.record },
      {
        head: "Player",
        class: "who",
        value: (row) => nameOf(row.player),
        show: (row) => playerLink(row.player),
      },
      { head: "Value", number: true, sortable: false, value: (row) => row.value, show: recordValue },
      ...(data.records.some((row) => row.other)
        ? [
            {
              head: "Against",
              class: "who",
              value: (row) => row.other && nameOf(row.other),
              show: (row) => (row.other ? playerLink(row.other) : NONE),
            },
          ]
        : []),
      { head: "Play", value: (row) => order.get(row.play), show: (row) => playLink(row.play) },
      { head: "Note", class: "wide", value: (row) => row.note },
    ],
    rows: data.records,
  });
}

function showEvenings(host) {
  host.append(
    make("h2", {}, "Evenings and records"),
    make(
      "p",
      { class: "lead" },
      "An evening is what was played on one day at one place; a play before five in the morning belongs to the ",
      "evening before.",
    ),
    make("h3", {}, "Records, all plays"),
    recordTable(),
    make("h3", {}, "Evenings"),
    eveningTable(),
  );
}
