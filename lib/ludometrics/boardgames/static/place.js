// Where the reader is: the view and what is chosen in it stand in the address after #, so that a link, a bookmark and
// a reload lead back. "#player-p3?season=2024" is the page of player p3 in the season 2024.

/** What of the address goes along to the next view. */
const CARRIED = ["season", "from", "to"];

/** The view of the address, the id behind its dash, and the parameters. */
function place() {
  const raw = location.hash.slice(1);
  const cut = raw.indexOf("?");
  const full = (cut < 0 ? raw : raw.slice(0, cut)) || "leaderboard";
  const found = full.match(/^(player|game|play)-(\w+)$/);
  return {
    full,
    view: found ? found[1] : full,
    id: found ? found[2] : null,
    params: new URLSearchParams(cut < 0 ? "" : raw.slice(cut + 1)),
  };
}

function written(full, params) {
  const text = params.toString().replaceAll("%2C", ",");
  return `#${full}${text ? `?${text}` : ""}`;
}

/** The address of a view, the season kept. */
function address(full, changes = {}) {
  const now = place().params;
  const params = new URLSearchParams();
  for (const key of CARRIED) if (now.get(key)) params.set(key, now.get(key));
  for (const [key, value] of Object.entries(changes)) params.set(key, value);
  return written(full, params);
}

/** Note in the address what has been chosen in this view, without a new step in the browser's history. */
function note(changes) {
  const { full, params } = place();
  for (const [key, value] of Object.entries(changes)) {
    if (known(value) && value !== "") params.set(key, value);
    else params.delete(key);
  }
  history.replaceState(null, "", written(full, params));
}

/** Players named in the address; null where it names none. */
function chosenPlayers(key = "who") {
  const text = place().params.get(key);
  return text === null ? null : text.split(",").filter((id) => players.has(id));
}
