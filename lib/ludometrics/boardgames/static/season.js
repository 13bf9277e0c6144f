// The season: all plays, a calendar year, or from one day to another. It restricts what is counted and drawn; the
// ratings themselves are always of all plays.

const years = [...new Set(data.play_log.map((play) => play.date.slice(0, 4)))].sort();
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const asDay = (text) => (DAY.test(text ?? "") && !Number.isNaN(Date.parse(text)) ? text : null);

/** First and last day of the chosen season (null: no bound) and its name; null where all plays count. */
function season() {
  const { params } = place();
  const chosen = params.get("season");
  if (years.includes(chosen)) return { first: `${chosen}-01-01`, last: `${chosen}-12-31`, name: chosen };
  if (chosen !== "custom") return null;
  const [first, last] = ["from", "to"].map((key) => asDay(params.get(key)));
  if (!first && !last) return null;
  const words = [first ? `from ${day(first)}` : "", last ? `to ${day(last)}` : ""].filter(Boolean).join(" ");
  return { first, last, name: words };
}

function inSeason(date, chosen = season()) {
  const text = date.slice(0, 10);
  return !chosen || ((!chosen.first || text >= chosen.first) && (!chosen.last || text <= chosen.last));
}

const seasonPlays = () => {
  const chosen = season();
  return chosen ? data.play_log.filter((play) => inSeason(play.date, chosen)) : data.play_log;
};

let counted = { key: null, stats: null };

const nothing = () => ({
  plays: 0,
  rated: 0,
  hours: 0,
  contests: 0,
  wins: 0,
  fair: 0,
  pairs: 0,
  points: 0,
  told: 0,
  expected: 0,
  change: 0,
});

/** What everybody did in the season, by player and by player and game; over all plays the payload's own numbers. */
function seasonStats() {
  const chosen = season();
  const key = JSON.stringify(chosen);
  if (counted.key === key) return counted.stats;
  const stats = new Map(data.players.map(({ id }) => [id, { ...nothing(), games: new Map() }]));
  for (const play of seasonPlays()) {
    const event = eventOf.get(play.id);
    const won = winners(play);
    for (const id of new Set(play.seats.map((seat) => seat.player))) {
      const own = stats.get(id);
      if (!own) continue;
      if (!own.games.has(play.game)) own.games.set(play.game, nothing());
      const seat = event?.seats.find((other) => other.player === id);
      for (const sums of [own, own.games.get(play.game)]) add(sums, play, event, seat, won.has(id));
    }
  }
  if (!chosen) for (const player of data.players) Object.assign(stats.get(player.id), whole(player));
  counted = { key, stats };
  return stats;
}

/** The payload's numbers of all plays: they know of teams and cooperative plays what a season's own count cannot. */
function whole(player) {
  const { contests, wins, pairs, hours, plays_logged: plays, plays_rated: rated } = player;
  const times = (share, n) => (known(share) ? share * n : 0);
  return {
    plays,
    rated,
    hours,
    contests,
    wins,
    fair: times(player.win_share_fair, contests),
    pairs,
    points: times(player.pair_score, pairs),
  };
}

function add(sums, play, event, seat, won) {
  sums.plays += 1;
  sums.hours += (play.minutes ?? 0) / 60;
  if (!seat) return;
  sums.rated += 1;
  sums.change += seat.change;
  if (!play.cooperative) {
    sums.contests += 1;
    sums.wins += Number(won);
    sums.fair += 1 / (play.sides ?? play.seats.length);
  }
  const pairs = known(seat.actual) ? told(event, seat) : 0;
  sums.pairs += pairs;
  sums.told += pairs;
  sums.points += pairs * (seat.actual ?? 0);
  sums.expected += pairs * (seat.expected ?? 0);
}

/** Who has won a play: those marked; where the marks tell nobody apart, those who finished first. */
function winners(play) {
  const marked = play.seats.filter((seat) => seat.winner);
  const apart = marked.length > 0 && marked.length < play.seats.length;
  const first = apart ? marked : play.seats.filter((seat) => seat.rank === 1);
  return new Set(first.map((seat) => seat.player));
}

/** Opponents of a seat whose order to it is known: losers of a play with nothing but a winner's mark are not. */
function told(event, seat) {
  const level =
    event.source === "flag" && seat.rank > 1
      ? event.seats.filter((other) => other.rank === seat.rank).length - 1
      : 0;
  return event.seats.length - 1 - level;
}

const ratio = (part, whole) => (whole ? part / whole : null);

/** The form in which the season is chosen; `redraw` shows the view anew. */
function seasonForm(redraw) {
  const form = element("season");
  const options = [["", "All plays"], ...years.map((year) => [year, year]), ["custom", "From … to …"]];
  const select = make(
    "select",
    { id: "season-choice" },
    options.map(([value, text]) => make("option", { value }, text)),
  );
  const bound = (id, key, edge) =>
    make("input", {
      type: "date",
      id,
      min: group.from,
      max: group.to,
      on: { change: (event) => set(key, event.target.value, edge) },
    });
  const from = bound("season-from", "from");
  const to = bound("season-to", "to");
  const days = make(
    "span",
    { class: "days" },
    make("label", { for: from.id }, "from"),
    from,
    make("label", { for: to.id }, "to"),
    to,
  );
  const said = make("span", { class: "quiet", role: "status", id: "season-said" });
  const set = (key, value) => {
    note({ [key]: value });
    redraw();
  };
  select.addEventListener("change", () => {
    const custom = select.value === "custom";
    note({ season: select.value, from: custom ? group.from : "", to: custom ? group.to : "" });
    redraw();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.replaceChildren(make("label", { for: select.id }, "Season"), select, days, said);
  return { form, select, days, from, to, said };
}

/** Bring the form in line with the address. */
function showSeason(parts, wanted) {
  const { params } = place();
  const chosen = season();
  parts.form.hidden = !wanted || data.play_log.length === 0;
  const custom = params.get("season") === "custom";
  parts.select.value = custom ? "custom" : years.includes(params.get("season")) ? params.get("season") : "";
  parts.days.hidden = !custom;
  parts.from.value = asDay(params.get("from")) ?? "";
  parts.to.value = asDay(params.get("to")) ?? "";
  const backwards = chosen?.first && chosen?.last && chosen.first > chosen.last;
  if (backwards) parts.said.textContent = "The first day is after the last: no play lies between them.";
  else if (!chosen) parts.said.textContent = "";
  else {
    const all = seasonPlays();
    const rated = all.filter((play) => play.rated).length;
    parts.said.textContent = `${count(all.length, "play")}, ${number(rated)} rated. Ratings are of all plays.`;
  }
}
