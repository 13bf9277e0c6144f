// The payload, short ways to make elements, and how numbers and names are written.
// Text from people goes in as text only (textContent, text nodes), never as markup.

const data = JSON.parse(document.getElementById("payload").textContent);
/** Sentences of the library that the payload names by keys. */
const sentences = JSON.parse(document.getElementById("sentences").textContent);
const group = data.group;
const settings = group.settings ?? {};

const keyed = (rows) => new Map(rows.map((row) => [row.id, row]));
const players = keyed(data.players);
const games = keyed(data.games);
const plays = keyed(data.play_log);
const eventOf = new Map(data.events.map((event) => [event.play, event]));
const established = data.players.filter((player) => !player.provisional);

const NONE = "–";
const MINUS = "\u2212";
const SPACE = "\u00a0";
/** Deviations to either side of a rating that hold nine in ten. */
const Z90 = 1.645;
const Z95 = 1.959963984540054;
const START = settings.start ?? 1000;
const NEWCOMER = settings.deviation ?? 180;
/** Deviation above which a player is provisional: its square is half of a newcomer's. */
const PROVISIONAL = NEWCOMER / Math.SQRT2;

/** A new element. Attributes: `on` (listeners by event), `style` (properties), any other by its name. */
function make(kind, attributes = {}, ...children) {
  const made = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (name === "style")
      for (const [key, text] of Object.entries(value)) made.style.setProperty(key, text);
    else made.setAttribute(name, value === true ? "" : value);
  }
  return put(made, ...children);
}

/** Put elements and texts into an element; what is null or empty is left out. */
function put(host, ...children) {
  host.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return host;
}

const element = (id) => document.getElementById(id);
const known = (value) => value !== null && value !== undefined;

/** A number with so many decimals and a proper minus; a dash where there is none. */
function number(value, decimals = 0) {
  if (!known(value)) return NONE;
  const text = Math.abs(value).toLocaleString("en-GB", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return value < 0 && Number(text.replaceAll(",", "")) !== 0 ? MINUS + text : text;
}

/** A change with its sign. */
function signed(value, decimals = 1) {
  if (!known(value)) return NONE;
  const text = number(value, decimals);
  return value > 0 && Number(text.replaceAll(",", "")) !== 0 ? `+${text}` : text;
}

const percent = (share, decimals = 0) => (known(share) ? `${number(100 * share, decimals)}${SPACE}%` : NONE);
const between = (low, high, write = number) =>
  known(low) && known(high) ? `${write(low)} to ${write(high)}` : NONE;
const percents = (low, high) =>
  known(low) && known(high) ? `${number(100 * low)} to ${number(100 * high)}${SPACE}%` : NONE;
const count = (n, one, many = `${one}s`) => `${number(n)}${SPACE}${n === 1 ? one : many}`;

/** 1st, 2nd, 3rd, 4th. */
function ordinal(n) {
  const ending = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
}

/** "2026-09-01 19:30" or its day, as 1 Sep 2026; parsed by hand, so that no time zone changes the day. */
function day(text) {
  if (!text) return NONE;
  const [year, month, date] = text.slice(0, 10).split("-").map(Number);
  const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  return `${date}${SPACE}${names[month - 1]}${SPACE}${year}`;
}

/** Wilson's 95 % interval of a share of n plays, as the payload's own; nulls without plays. */
function wilson(points, n) {
  if (!n) return [null, null];
  const share = points / n;
  const middle = share + Z95 ** 2 / (2 * n);
  const half = Z95 * Math.sqrt(Math.max(share * (1 - share), 0) / n + Z95 ** 2 / (4 * n * n));
  const whole = 1 + Z95 ** 2 / n;
  return [Math.max(0, (middle - half) / whole), Math.min(1, (middle + half) / whole)];
}

/** A share with its interval below; n stands in a column of its own. */
function shareCell(share, low, high) {
  if (!known(share)) return NONE;
  return make("span", { class: "stack" }, percent(share), make("small", {}, percents(low, high)));
}

/** The start of a text by whole characters as people see them. */
function shorten(text, most) {
  const pieces = globalThis.Intl?.Segmenter
    ? Array.from(
        new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text),
        (piece) => piece.segment,
      )
    : Array.from(text);
  return pieces.length <= most ? text : `${pieces.slice(0, most - 1).join("")}…`;
}

// Marks that steer the direction of text would reach beyond the name they stand in.
const STEERING = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g;
const clean = (text) =>
  String(text ?? "")
    .replace(STEERING, "")
    .trim() || "(no name)";
const nameOf = (id) => (id === null ? "Guest" : players.has(id) ? clean(players.get(id).name) : "Somebody");
const gameName = (id) => (games.has(id) ? clean(games.get(id).name) : "Unknown game");

/** A name as an element of its own direction, cut by the style sheet where it is too long. */
function named(text, most = 60) {
  return make("bdi", { class: "name", title: text.length > 24 ? text : null }, shorten(text, most));
}

/** A link to a player's page; a guest has none. */
function playerLink(id) {
  if (!players.has(id)) return make("span", { class: "quiet" }, nameOf(id));
  return make("a", { href: address(`player-${id}`) }, named(nameOf(id)));
}

function gameLink(id) {
  if (!games.has(id)) return make("span", { class: "quiet" }, gameName(id));
  return make("a", { href: address(`game-${id}`) }, named(gameName(id)));
}

function playLink(id, text = null) {
  if (!plays.has(id)) return NONE;
  return make("a", { href: address(`play-${id}`) }, text ?? day(plays.get(id).date));
}

/** Terms and what stands for each, as the page's tiles. */
function tiles(pairs) {
  const tile = ([term, value, note]) =>
    make(
      "div",
      {},
      make("dt", {}, term),
      make("dd", {}, value),
      note ? make("dd", { class: "quiet" }, note) : null,
    );
  return make("dl", { class: "tiles" }, pairs.filter(Boolean).map(tile));
}

/** A key of the payload in words. */
const words = (key) => String(key ?? "").replaceAll("_", " ");

/** What texts are searched by: without case and accents. */
const folded = (text) =>
  String(text ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
