// The games table and the page of one game.

const SOURCE_WORDS = {
  "complexity and skill": "complexity and skill",
  complexity: "complexity alone",
  skill: "skill alone",
  none: "neither known: 1",
};

/** Plays of each game in the season: logged and rated. */
function gameCounts() {
  const counts = new Map(data.games.map((game) => [game.id, { logged: 0, rated: 0, hours: 0 }]));
  for (const play of seasonPlays()) {
    const own = counts.get(play.game);
    if (!own) continue;
    own.logged += 1;
    own.rated += Number(play.rated);
    own.hours += (play.minutes ?? 0) / 60;
  }
  return counts;
}

const tableSizes = (game) =>
  Object.entries(game.tables ?? {})
    .sort((a, b) => Number(a[0]) - Number(b[0]))
    .map(([seats, n]) => `${n}${SPACE}×${SPACE}${seats}`)
    .join(", ") || NONE;

function showGames(host) {
  const chosen = season();
  const counts = gameCounts();
  const rows = data.games.filter((game) => !chosen || counts.get(game.id).logged > 0);
  const bare = group.games_without_weight;
  put(
    host,
    make("h2", {}, "Games"),
    make(
      "p",
      { class: "lead" },
      "The weight is how much a play of the game counts, by its complexity (1 to 5 at BoardGameGeek) and by how ",
      "much skill decides it (0 to 1, from the group's own table). ",
      bare
        ? `${count(bare, "game has", "games have")} neither, and ${bare === 1 ? "its" : "their"} weight is 1.`
        : "",
    ),
    table({
      label: "Games",
      empty: "No game was played in this season.",
      size: 100,
      sort: "Rated",
      down: true,
      columns: [
        {
          head: "Game",
          rowHead: true,
          class: "who",
          value: (row) => clean(row.name),
          show: (row) => gameLink(row.id),
        },
        { head: "Plays", number: true, value: (row) => counts.get(row.id).logged },
        { head: "Rated", number: true, value: (row) => counts.get(row.id).rated },
        {
          head: "Hours",
          number: true,
          value: (row) => counts.get(row.id).hours,
          show: (row) => number(counts.get(row.id).hours),
        },
        { head: "Weight", number: true, value: (row) => row.weight, show: (row) => number(row.weight, 2) },
        {
          head: "Complexity",
          number: true,
          value: (row) => row.complexity,
          show: (row) => number(row.complexity, 2),
        },
        { head: "Skill", number: true, value: (row) => row.skill, show: (row) => number(row.skill, 2) },
        {
          head: "Minutes",
          number: true,
          title: "Median of a play",
          value: (row) => row.minutes,
          show: (row) => number(row.minutes),
        },
        {
          head: "Spread",
          number: true,
          title: "Usual spread of scores (standard deviation), from which margins are judged",
          value: (row) => row.spread,
          show: (row) => number(row.spread, 1),
        },
      ],
      rows,
    }),
  );
}

function gameTiles(game) {
  const own = gameCounts().get(game.id);
  const { scores = 0, ranks = 0, flag = 0 } = game.sources ?? {};
  return tiles([
    ["Plays", number(own.logged), `${number(own.rated)} rated`],
    ["Hours", number(own.hours), known(game.minutes) ? `median ${number(game.minutes)} minutes` : null],
    ["Weight", number(game.weight, 2), SOURCE_WORDS[game.weight_source] ?? game.weight_source],
    ["Complexity", number(game.complexity, 2), "1 to 5"],
    ["Skill", number(game.skill, 2), "0 to 1"],
    [
      "Order known by",
      `${number(scores)} scores, ${number(ranks)} ranks, ${number(flag)} winner only`,
      "all rated plays",
    ],
    ["Tables", tableSizes(game), "plays × seats, all logged plays"],
    ["Spread of scores", number(game.spread, 1), "standard deviation"],
  ]);
}

function gameBest(game) {
  return table({
    label: `Players of ${clean(game.name)}`,
    size: 15,
    empty: "Nobody has played it often enough.",
    columns: [
      {
        head: "Player",
        rowHead: true,
        class: "who",
        value: (row) => nameOf(row.player),
        show: (row) => playerLink(row.player),
      },
      { head: "Rated plays", number: true, value: (row) => row.plays },
      {
        head: "Opponents beaten",
        number: true,
        title: "A tie counts one half; 95 % interval by plays",
        value: (row) => row.pair_score,
        show: (row) => shareCell(row.pair_score, row.low, row.high),
      },
    ],
    rows: game.best ?? [],
  });
}

function showGame(host, id) {
  const game = games.get(id);
  if (!game) {
    put(
      host,
      make("h2", {}, "No such game"),
      make("p", {}, make("a", { href: address("games") }, "All games")),
    );
    return;
  }
  const chosen = season();
  put(
    host,
    make("p", { class: "back" }, make("a", { href: address("games") }, "All games")),
    make("h2", {}, named(clean(game.name), 120)),
    gameTiles(game),
    make("h3", {}, "Who is good at it, all plays"),
    make(
      "p",
      { class: "quiet" },
      "Not a rating: shares over few plays of one game, whoever the opponents were.",
    ),
    gameBest(game),
    make("h3", {}, `Plays${chosen ? `, ${chosen.name}` : ""}`),
    playTable(
      seasonPlays().filter((play) => play.game === id),
      `Plays of ${clean(game.name)}`,
      { size: 20, withGame: false },
    ),
  );
}
