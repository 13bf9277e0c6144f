// The leaderboard: everybody's rating with its interval, those with few plays below a line.

/** The span of ratings that the bars of the leaderboard stand in, rounded to fifties. */
function ratingSpan() {
  const low = Math.min(START, ...data.players.map((player) => player.low ?? START));
  const high = Math.max(START, ...data.players.map((player) => player.high ?? START));
  return [50 * Math.floor(low / 50), 50 * Math.ceil(high / 50 + 0.01)];
}

function intervalBar(player, [from, to]) {
  if (!known(player.rating)) return NONE;
  const at = (value) => `${((100 * (value - from)) / (to - from)).toFixed(2)}%`;
  const text = `${number(player.rating)}, 90 % interval ${number(player.low)} to ${number(player.high)}`;
  return make(
    "span",
    { class: "bar", role: "img", "aria-label": text, title: text },
    make("span", { class: "bar-start", style: { left: at(START) } }),
    make("span", {
      class: "bar-span",
      style: { left: at(player.low), width: at(from + player.high - player.low) },
    }),
    make("span", { class: "bar-dot", style: { left: at(player.rating) } }),
  );
}

function barScale([from, to]) {
  return make(
    "span",
    { class: "bar-scale", "aria-hidden": "true" },
    make("span", {}, number(from)),
    make("span", {}, number(to)),
  );
}

function leaderColumns(chosen, span) {
  const stats = seasonStats();
  const own = (player) => stats.get(player.id);
  const share = (player) => ratio(own(player).wins, own(player).contests);
  const fair = (player) => ratio(own(player).fair, own(player).contests);
  const change = {
    head: "Change",
    number: true,
    title: "Change of the rating in the season",
    value: (player) => own(player).change,
    show: (player) => signed(own(player).change),
  };
  return [
    {
      head: "Rank",
      class: "rank",
      number: true,
      first: "up",
      sortable: false,
      value: (player) => player.rank,
    },
    {
      head: "Player",
      rowHead: true,
      class: "who",
      value: (player) => clean(player.name),
      show: (player) => playerLink(player.id),
    },
    {
      head: "Rating",
      number: true,
      value: (player) => player.rating,
      show: (player) => make("strong", {}, number(player.rating)),
    },
    {
      head: "90 % interval",
      class: "bar-cell",
      sortable: false,
      below: barScale(span),
      value: (player) => player.low,
      show: (player) => intervalBar(player, span),
    },
    {
      head: "From, to",
      number: true,
      class: "ends",
      title: "Ends of the 90 % interval; sorted by how wide it is",
      first: "up",
      value: (player) => player.deviation,
      show: (player) => between(player.low, player.high),
    },
    ...(chosen ? [change] : []),
    {
      head: "Rated plays",
      number: true,
      value: (player) => own(player).rated,
      show: (player) => number(own(player).rated),
    },
    {
      head: "Won",
      number: true,
      title: "Share of rated plays won, with its 95 % interval",
      value: share,
      show: (player) => shareCell(share(player), ...wilson(own(player).wins, own(player).contests)),
    },
    {
      head: "Fair share",
      number: true,
      title: "What would be won if all at a table were equal: the mean of one over the seats",
      value: fair,
      show: (player) => percent(fair(player)),
    },
    {
      head: "All plays",
      number: true,
      title: "Every logged play, rated or not",
      value: (player) => own(player).plays,
      show: (player) => number(own(player).plays),
    },
    {
      head: "Last played",
      number: true,
      value: (player) => player.last_played,
      show: (player) => day(player.last_played),
    },
  ];
}

function showLeaderboard(host) {
  const chosen = season();
  const stats = seasonStats();
  const span = ratingSpan();
  const present = data.players.filter((player) => stats.get(player.id).plays > 0);
  const away = data.players.length - present.length;
  const parts = [
    { title: null, rows: present.filter((player) => !player.provisional) },
    {
      title: `Provisional: their plays say little yet (deviation above ${number(PROVISIONAL)})`,
      rows: present.filter((player) => player.provisional),
    },
  ];
  put(
    host,
    make("h2", {}, "Leaderboard"),
    make(
      "p",
      { class: "lead" },
      "Ranked by rating minus deviation, so that a streak over few plays puts nobody on top. ",
      chosen ? "Ratings and ranks are of all plays; change, plays and wins are of the season." : "",
    ),
    group.plays_rated === 0 ? nothingRated() : null,
    table({
      label: "Leaderboard",
      columns: leaderColumns(chosen, span),
      sections: parts,
      size: 200,
      empty: data.players.length ? "Nobody played in this season." : "There are no players yet.",
      className: (player) => (player.provisional ? "provisional" : ""),
    }),
    away
      ? make("p", { class: "quiet" }, `${count(away, "player")} without a play in the season not shown.`)
      : null,
    data.players.length ? howToRead() : null,
  );
}

function nothingRated() {
  if (group.plays_logged === 0) return make("p", { class: "notice" }, "No play has been logged yet.");
  const link = make("a", { href: address("method") }, "The reasons are listed");
  return make(
    "p",
    { class: "notice" },
    "No play could be rated yet, so nobody has moved from the start. ",
    link,
    ".",
  );
}

/** The interval in plain words. */
function howToRead() {
  return make(
    "details",
    { class: "how", open: true },
    make("summary", {}, "How to read the bars"),
    make(
      "p",
      {},
      "The dot is the rating, the best guess at a player's strength. The bar is where the strength lies with nine ",
      "chances in ten, as far as the model is right: the rating plus and minus 1.645 deviations. It shrinks with ",
      "every rated play and widens with absence. Where two bars overlap a good deal, the plays cannot tell yet who is ",
      `better. The dashed line is ${number(START)}, where everybody starts.`,
    ),
    make(
      "p",
      {},
      `Provisional are players whose deviation is above ${number(PROVISIONAL)}: its square is more than half of that of `,
      "a newcomer. A lead of 100 points means about 64 % in a duel of two well-known strengths, 200 points about 76 %. ",
      "The share of plays won has its 95 % interval below it; the fair share is what even strengths would have won at ",
      "the same tables.",
    ),
  );
}
