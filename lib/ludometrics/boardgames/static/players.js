// All players in numbers, and the page of one.

function showPlayers(host) {
  const chosen = season();
  const stats = seasonStats();
  const rows = data.players.filter((player) => stats.get(player.id).plays > 0);
  const own = (player) => stats.get(player.id);
  const beaten = (player) => ratio(own(player).points, own(player).pairs);
  host.append(
    make("h2", {}, "Players"),
    make(
      "p",
      { class: "lead" },
      "Choose a name for all of a player's numbers. Cooperative plays won are kept apart.",
    ),
    table({
      label: "Players",
      empty: "No players here.",
      size: 100,
      sort: "Plays",
      down: true,
      columns: [
        {
          head: "Player",
          rowHead: true,
          class: "who",
          value: (row) => clean(row.name),
          show: (row) => playerLink(row.id),
        },
        { head: "Plays", number: true, value: (row) => own(row).plays },
        { head: "Rated", number: true, value: (row) => own(row).rated },
        { head: "Rating", number: true, value: (row) => row.rating, show: (row) => number(row.rating) },
        {
          head: "90 % interval",
          number: true,
          value: (row) => row.deviation,
          first: "up",
          show: (row) => between(row.low, row.high),
        },
        {
          head: "Opponents beaten",
          number: true,
          title: "A tie counts one half, guests included; 95 % interval by plays",
          value: beaten,
          show: (row) => shareCell(beaten(row), ...wilson(beaten(row) * own(row).rated, own(row).rated)),
        },
        { head: "Games", number: true, value: (row) => own(row).games.size },
        {
          head: "Hours",
          number: true,
          value: (row) => own(row).hours,
          show: (row) => number(own(row).hours),
        },
        ...(chosen
          ? []
          : [
              {
                head: "Cooperative won",
                number: true,
                value: (row) => row.cooperative_plays,
                show: (row) =>
                  row.cooperative_plays ? `${row.cooperative_wins} of ${row.cooperative_plays}` : NONE,
              },
            ]),
        {
          head: "First played",
          number: true,
          value: (row) => row.first_played,
          show: (row) => day(row.first_played),
        },
        {
          head: "Last played",
          number: true,
          value: (row) => row.last_played,
          show: (row) => day(row.last_played),
        },
      ],
      rows,
    }),
  );
}

function playerTiles(player, chosen) {
  const own = seasonStats().get(player.id);
  const won = ratio(own.wins, own.contests);
  const beaten = ratio(own.points, own.pairs);
  const bounds = (share, n) => `95 %: ${percents(...wilson(share * n, n))}`;
  const expected = own.told ? `${percent(own.expected / own.told)} expected; ` : "";
  return tiles([
    ["Rating", number(player.rating), `90 %: ${between(player.low, player.high)}`],
    known(player.rank)
      ? ["Rank", ordinal(player.rank), `of ${established.length}`]
      : ["Rank", "provisional", "the plays say little yet"],
    chosen ? ["Change in the season", signed(own.change), "points"] : null,
    ["Rated plays", number(own.rated), `of ${number(own.plays)} logged`],
    [
      "Won",
      percent(won),
      own.contests ? `${number(own.wins)} of ${number(own.contests)}; ${bounds(won, own.contests)}` : null,
    ],
    ["Fair share", percent(ratio(own.fair, own.contests)), "what even strengths would win"],
    [
      "Opponents beaten",
      percent(beaten),
      own.pairs ? `${expected}${bounds(beaten, own.rated)}; ${count(own.pairs, "pair")}` : null,
    ],
    ["Hours", number(own.hours), chosen ? null : `${day(player.first_played)} to ${day(player.last_played)}`],
  ]);
}

function playerChart(host, player) {
  const points = linePoints(player.id);
  if (points.length === 0) {
    host.append(make("p", { class: "notice" }, "No rated play, so no line."));
    return;
  }
  let axis = place().params.get("over") === "hours" ? "hours" : "date";
  const box = make("div", { class: "chart small" });
  const draw = () => {
    const layout = { xaxis: { title: { text: axisWords[axis], standoff: 8 } }, yaxis: ratingAxis };
    const [first, last] = [points[0], points.at(-1)].map((point) => number(point.rating));
    chart(
      box,
      lineTraces(player.id, 0, axis),
      layout,
      `Rating of ${nameOf(player.id)}: from ${first} to ${last}; plays in numbers below.`,
    );
  };
  const over = axisChoice(axis, (value) => {
    axis = value;
    draw();
  });
  host.append(make("div", { class: "controls" }, over), box);
  draw();
}

function playerGames(player) {
  const rows = [...seasonStats().get(player.id).games]
    .filter(([game]) => games.has(game))
    .map(([game, own]) => ({ game, ...own }));
  return table({
    label: `Games of ${nameOf(player.id)}`,
    size: 15,
    sort: "Rated plays",
    down: true,
    empty: "No play.",
    columns: [
      {
        head: "Game",
        rowHead: true,
        class: "who",
        value: (row) => gameName(row.game),
        show: (row) => gameLink(row.game),
      },
      { head: "Plays", number: true, value: (row) => row.plays },
      { head: "Rated plays", number: true, value: (row) => row.rated },
      { head: "Won", number: true, value: (row) => (row.contests ? row.wins : null) },
      {
        head: "Opponents beaten",
        number: true,
        title: "A tie counts one half; 95 % interval by plays",
        value: (row) => ratio(row.points, row.pairs),
        show: (row) =>
          shareCell(ratio(row.points, row.pairs), ...wilson((row.points / row.pairs) * row.rated, row.rated)),
      },
      {
        head: "Rating change",
        number: true,
        value: (row) => (row.rated ? row.change : null),
        show: (row) => (row.rated ? signed(row.change) : NONE),
      },
    ],
    rows,
  });
}

function playerOpponents(player) {
  return table({
    label: `Opponents of ${nameOf(player.id)}`,
    size: 15,
    sort: "Plays",
    down: true,
    empty: "Met nobody in a rated play.",
    columns: [
      {
        head: "Opponent",
        rowHead: true,
        class: "who",
        value: (row) => nameOf(row.b),
        show: (row) => playerLink(row.b),
      },
      ...pairColumns(),
    ],
    rows: data.head_to_head
      .filter((row) => row.a === player.id || row.b === player.id)
      .map((row) => seenBy(player.id, row)),
  });
}

function playerEvents(player) {
  const rows = seasonPlays()
    .filter((play) => eventOf.has(play.id))
    .map((play) => ({ play, event: eventOf.get(play.id) }))
    .map((row, at) => ({ ...row, at, seat: row.event.seats.find((seat) => seat.player === player.id) }))
    .filter((row) => row.seat);
  return table({
    label: `Rated plays of ${nameOf(player.id)}`,
    size: 15,
    sort: "Date",
    down: true,
    empty: "No rated play in the season.",
    columns: [
      {
        head: "Date",
        rowHead: true,
        first: "down",
        value: (row) => row.at,
        show: (row) => playLink(row.play.id),
      },
      {
        head: "Game",
        class: "who",
        value: (row) => gameName(row.play.game),
        show: (row) => gameLink(row.play.game),
      },
      {
        head: "Place",
        number: true,
        first: "up",
        value: (row) => row.seat.rank,
        show: (row) => `${ordinal(row.seat.rank)} of ${row.event.seats.length}`,
      },
      {
        head: "Beaten",
        number: true,
        title: "Share of the opponents beaten",
        value: (row) => row.seat.actual,
        show: (row) => percent(row.seat.actual),
      },
      {
        head: "Expected",
        number: true,
        value: (row) => row.seat.expected,
        show: (row) => percent(row.seat.expected),
      },
      {
        head: "Change",
        number: true,
        value: (row) => row.seat.change,
        show: (row) => signed(row.seat.change),
      },
      {
        head: "Rating after",
        number: true,
        value: (row) => row.seat.after,
        show: (row) => number(row.seat.after),
      },
    ],
    rows,
  });
}

function playerChoice(current) {
  const byName = [...data.players].sort((a, b) => collator.compare(clean(a.name), clean(b.name)));
  const select = make(
    "select",
    { id: "player-choice" },
    byName.map((player) =>
      make("option", { value: player.id, selected: player.id === current }, shorten(clean(player.name), 40)),
    ),
  );
  select.addEventListener("change", () => {
    location.hash = address(`player-${select.value}`);
  });
  return make("p", { class: "controls" }, make("label", { for: select.id }, "Player"), select);
}

function togetherWords({ cooperative_plays: n, cooperative_wins: won }) {
  if (!n) return "No cooperative play.";
  const share = `${percent(won / n)}, 95 %: ${percents(...wilson(won, n))}`;
  const apart = "They are kept apart: above they count as logged plays and hours, never as won.";
  return `${count(n, "play")} against the game, ${number(won)} won (${share}). ${apart}`;
}

function showPlayer(host, id) {
  const player = players.get(id);
  if (!player) {
    host.append(
      make("h2", {}, "No such player"),
      make("p", {}, make("a", { href: address("players") }, "All players")),
    );
    return;
  }
  const chosen = season();
  const where = chosen ? `, ${chosen.name}` : "";
  host.append(make("h2", {}, named(nameOf(id))), playerChoice(id), playerTiles(player, chosen));
  host.append(make("h3", {}, `Rating${where}`));
  playerChart(host, player);
  host.append(
    make("h3", {}, `Games${where}`),
    playerGames(player),
    make("h3", {}, "Opponents, all plays"),
    playerOpponents(player),
    make("h3", {}, `Play by play${where}`),
    playerEvents(player),
    make("h3", {}, "Cooperative games, all plays"),
    make("p", {}, togetherWords(player)),
  );
}
