// Names, colours and numbers of pieces beside the board: the side seen at the top far, the other near.

import { element, newElement } from "./elements.js";
import { drawPiece } from "./pieces.js";
import { COLOURS } from "./squares.js";

function fill(plate, view, colour) {
  const count = view.counts[colour];
  const moving = !view.result && view.turn === colour;
  const words = newElement("span", "", "who");
  words.append(newElement("strong", view.names[colour]), newElement("span", COLOURS[colour], "quiet"));
  if (moving) words.append(newElement("span", "to move", "turn"));
  if (view.result?.winner === colour) words.append(newElement("span", "won", "turn"));
  const pieces = newElement("span", `${count} ${count === 1 ? "piece" : "pieces"}`, "count");
  plate.replaceChildren(drawPiece(colour), words, pieces);
}

/** Show both plates; `flipped`: Black's side is at the bottom. */
export function showPlates(view, flipped) {
  fill(element("plate-far"), view, flipped ? "w" : "b");
  fill(element("plate-near"), view, flipped ? "b" : "w");
}
