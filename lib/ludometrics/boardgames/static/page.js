// The page as a whole: heading, views by the address, and what happens when the address or the colours change.

const VIEWS = [
  ["leaderboard", "Leaderboard", showLeaderboard],
  ["lines", "Over time", showLines],
  ["players", "Players", showPlayers],
  ["head-to-head", "Head to head", showPairs],
  ["tonight", "Tonight", showTonight],
  ["games", "Games", showGames],
  ["plays", "Play log", showPlays],
  ["evenings", "Evenings", showEvenings],
  ["method", "Method", showMethod],
];
/** Views of one thing: the view of the list that it is in, and what shows it. */
const SINGLE = { player: ["players", showPlayer], game: ["games", showGame], play: ["plays", showPlay] };
/** Views that do not ask for the season. */
const TIMELESS = ["head-to-head", "tonight", "method", "play"];

function showViews(current) {
  const link = ([name, text]) =>
    make("a", { href: address(name), "aria-current": name === current ? "page" : null }, text);
  element("views").replaceChildren(...VIEWS.map(link));
}

function showFacts() {
  const rated = `${count(group.plays_logged, "play")} logged, ${number(group.plays_rated)} rated`;
  const span = group.from ? `${day(group.from)} to ${day(group.to)}` : "";
  const facts = [
    rated,
    span,
    group.as_of ? `ratings as of ${day(group.as_of)}` : "",
    `preset ${group.preset}`,
  ];
  element("title").textContent = clean(group.title || "Board-game night");
  element("facts").textContent = facts.filter(Boolean).join(" · ");
  const gate = settings.gate
    ? "Only plays of people against each other are rated."
    : "Whatever has a finishing order is rated.";
  element("foot").replaceChildren(
    make(
      "p",
      {},
      `Made with Ludometrics${group.source ? ` from ${shorten(clean(group.source), 80)}` : ""}. ${gate} `,
      make("a", { href: address("method") }, "Method and data"),
    ),
  );
}

let formParts = null;
let lastFull = null;

/** Show what the address asks for; an unknown view is the leaderboard. */
function show() {
  const { full, view, id } = place();
  const single = SINGLE[view];
  const [name, , shower] = single
    ? [single[0], null, single[1]]
    : (VIEWS.find((entry) => entry[0] === view) ?? VIEWS[0]);
  forgetCharts();
  showViews(name);
  showSeason(formParts, !TIMELESS.includes(view));
  const host = element("view");
  host.replaceChildren();
  const asked = location.hash;
  shower(host, id);
  host.dataset.shown = asked;
  const heading = host.querySelector("h2")?.textContent ?? "";
  document.title = `${shorten(heading, 60)} – ${clean(group.title || "Board-game night")}`;
  if (lastFull !== null && lastFull !== full) {
    scrollTo(0, 0);
    element("main").focus({ preventScroll: true });
  }
  lastFull = full;
}

function start() {
  showFacts();
  formParts = seasonForm(() => {
    // The choice made stays where it is and keeps the focus; only the view is drawn anew.
    show();
  });
  element("skip").addEventListener("click", (event) => {
    event.preventDefault();
    element("main").focus();
  });
  window.addEventListener("hashchange", show);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
  document.body.classList.add("ready");
}

start();
