// What the server's settings say about the rules, what is kept, and a test that is running.

import { element } from "./elements.js";

const TEST =
  "A test is running: the computer has two versions of one level, and the server deals them to games in turn. " +
  "Which version you meet is not shown, so that it changes nothing in how you play.";

/** Put the settings into the section "About". */
export function showAbout({ rules, abandon_after_minutes: minutes, experiment }) {
  const { repetitions, quiet_moves: quiet } = rules;
  const draws = [];
  if (repetitions) draws.push(`when a position has come up ${repetitions} times`);
  if (quiet) draws.push(`after ${quiet} moves by each side without a capture or a move of a man`);
  element("draw-rules").textContent = draws.length > 0 ? `A game is drawn ${draws.join(", and ")}.` : "";
  const left = `A game left alone for ${minutes} minutes is kept as abandoned and not rated.`;
  element("abandoned-rule").textContent = left;
  element("experiment").hidden = !experiment;
  element("experiment").textContent = experiment ? TEST : "";
}
