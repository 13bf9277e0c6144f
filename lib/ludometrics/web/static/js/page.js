// The page: brings the parts together.

import { showAbout } from "./about.js";
import { Board } from "./board.js";
import * as device from "./device.js";
import { element } from "./elements.js";
import { wireForget } from "./forget.js";
import { LiveGame } from "./game.js";
import { wireRecord } from "./record.js";
import { get, randomId } from "./server.js";
import { fillSetup, showLevels, showSetup, showSetupError, wireSetup } from "./setup.js";
import { Status } from "./status.js";
import { refreshTables } from "./tables.js";

const START = "b".repeat(12) + ".".repeat(8) + "w".repeat(12);
const STARTING_LASTS_MS = 10 * 60_000;
const WELCOME = "Choose an opponent and press Start.";

const computers = new Set();
const status = new Status();
const board = new Board(element("board"), {
  onPress: (square) => game.press(square),
  onCancel: () => game.cancel(),
});
const game = new LiveGame(board, status, {
  onStart() {
    showSetup(false);
    document.body.classList.add("playing");
    board.focus();
    const place = element("board").getBoundingClientRect();
    if (place.top < 0 || place.bottom > window.innerHeight) element("play").scrollIntoView({ block: "start" });
  },
  onOver: () => refreshTables(computers),
  onGone: (text) => rest(text),
  onRefusedStart(text) {
    if (game.view !== null) rest("");
    showSetupError(text);
    showSetup(true);
  },
});

/** No game: the form and the starting position. */
function rest(text = WELCOME, focus = true) {
  game.leave();
  document.body.classList.remove("playing");
  element("record").hidden = true;
  for (const id of ["plate-far", "plate-near"]) element(id).replaceChildren();
  board.turn(true);
  board.show(START);
  fillSetup();
  showSetup(true, focus);
  status.say(text);
}

/** Start a game; what no answer came to yet goes out again under the same id. */
function start(setting) {
  const before = device.read("starting");
  const same = before !== null && JSON.stringify(before.setting) === JSON.stringify(setting);
  return game.start(setting, same ? before.request : randomId());
}

/** Take up what this device was doing when the page was left. */
async function takeUp() {
  const saved = device.read("game");
  const starting = device.read("starting");
  if (saved !== null) await game.resume(saved);
  else if (starting !== null && Date.now() - starting.at < STARTING_LASTS_MS) await start(starting.setting);
}

function followOtherTabs(name) {
  if (name === "game" && game.secret !== null) {
    const saved = device.read("game");
    if (saved === null || (saved.id === game.secret.id && saved.ply !== game.view?.ply)) game.refresh();
  }
  if ((name === null || name === "name") && device.read("name") === null) fillSetup();
}

async function fetchSettings() {
  try {
    const settings = await get("settings");
    for (const level of settings.levels) computers.add(level.computer);
    showLevels(settings.levels);
    showAbout(settings);
  } catch {
    // The page plays without them; trouble is told where something is really needed.
  }
}

element("undo").addEventListener("click", () => game.undo());
element("resign").addEventListener("click", () => game.resign());
element("rematch").addEventListener("click", () => start(game.rematch));
element("new").addEventListener("click", () => rest());
element("flip").addEventListener("click", () => game.flip());
wireSetup(start);
wireRecord();
wireForget(() => {
  rest(WELCOME, false);
  refreshTables(computers);
});
device.onChange(followOtherTabs);
window.addEventListener("pageshow", (event) => {
  if (event.persisted) game.refresh(); // shown again from the browser's memory, perhaps hours later
});
rest(WELCOME, false);
fetchSettings().then(() => refreshTables(computers));
takeUp().finally(() => document.body.classList.add("ready"));
