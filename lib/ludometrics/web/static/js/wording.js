// What the status line says.

import { COLOURS } from "./squares.js";

export const REFUSALS = {
  ambiguous: "More than one way leads there: jump square by square.",
  jumping: "Keep jumping.",
  "must-capture": "You must capture.",
  "not-there": "That piece cannot move there.",
  empty: "Choose one of your pieces first.",
  "not-yours": "That piece is not yours to move.",
  "other-piece": "You must capture with another piece.",
  "cannot-move": "That piece cannot move.",
};

export const ELSEWHERE = "The game has gone on in another tab: this is the present position.";
export const WAITING = "The server has not answered yet: press Retry.";
export const GONE = "That game is no longer kept. If it was finished, its result stands in the tables.";

/** Whose move it is, and what was played. */
export function turnText(view) {
  if (view.result) return view.result.text;
  const last = view.moves.at(-1);
  const words = last && last.by !== view.human ? [`${view.names[last.by]} played ${last.text}.`] : [];
  if (view.mode === "computer" && view.turn !== view.human) return `${view.names[view.turn]} is thinking …`;
  if (view.mode === "computer") words.push(`Your turn (${COLOURS[view.turn]}).`);
  else words.push(`${COLOURS[view.turn]} to move: ${view.names[view.turn]}.`);
  if (view.legal.some((move) => move.captures.length > 0)) words.push("You must capture.");
  return words.join(" ");
}

/** The level that "Match me" chose, and why. */
export function matchText(view) {
  const { match } = view;
  if (!match) return "";
  const rated = match.level_rating === null ? "" : ` (rated ${Math.round(match.level_rating)})`;
  const words = [`Matched with ${match.level_name}${rated}: ${match.reason}.`];
  if (match.rating !== null) {
    const settling = match.provisional ? ", still settling" : "";
    const expected = match.expected === null ? "" : `; expected score ${match.expected.toFixed(2)}`;
    words.push(`Your rating: ${Math.round(match.rating)}${settling}${expected}.`);
  } else if (match.provisional) words.push("Your rating is still settling.");
  return words.join(" ");
}

/** Whether the game counts. */
export function ratedText(view) {
  if (!view.result) return view.rated ? "" : "Not rated: a move was taken back.";
  if (!view.rated) return ""; // the result says so
  return view.result.saved ? "Saved: it counts in the tables." : "";
}
