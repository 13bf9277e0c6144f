// Today's league table and the ratings.

import { element, newElement } from "./elements.js";
import { get } from "./server.js";

const FIRST_ROWS = 25;
let showAll = false;

/** "2026-09-01" as 1 September 2026; at noon, so that no time zone changes the day. */
function longDay(day) {
  return new Date(`${day}T12:00:00`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

function row(nameCell, values) {
  const line = newElement("tr");
  line.append(nameCell, ...values.map((value) => newElement("td", String(value ?? "–"))));
  return line;
}

function nameCell(name, computer) {
  const cell = newElement("th", name);
  cell.scope = "row";
  if (computer) cell.className = "computer";
  return cell;
}

function fill(id, lines) {
  element(id).tBodies[0].replaceChildren(...lines);
  element(id).hidden = lines.length === 0;
  element(`${id}-none`).hidden = lines.length > 0;
  element(`${id}-foot`).hidden = lines.length === 0;
}

function todayLine(entry, computers) {
  const { played, won, drawn, lost, points } = entry;
  return row(nameCell(entry.name, computers.has(entry.name)), [played, won, drawn, lost, points]);
}

function ratingLine(entry) {
  const elo = `${entry.rating}${entry.provisional ? "*" : ""}`;
  const interval = entry.low === null || entry.low === undefined ? null : `${entry.low}–${entry.high}`;
  return row(nameCell(entry.name, entry.level !== null), [elo, entry.games, entry.glicko, interval]);
}

function showRatings(players) {
  const shown = showAll ? players : players.slice(0, FIRST_ROWS);
  fill("ratings", shown.map(ratingLine));
  const button = element("all-ratings");
  button.parentElement.hidden = players.length <= FIRST_ROWS;
  button.textContent = showAll ? `Show the first ${FIRST_ROWS}` : `Show all ${players.length}`;
  button.onclick = () => {
    showAll = !showAll;
    showRatings(players);
  };
}

function showWarnings(warnings) {
  const box = element("warnings");
  box.replaceChildren();
  if (warnings.length === 0) return;
  const details = newElement("details");
  const one = warnings.length === 1;
  details.append(newElement("summary", `${warnings.length} ${one ? "note" : "notes"} about the saved games`));
  const list = newElement("ul");
  list.append(...warnings.map((text) => newElement("li", text)));
  details.append(list);
  box.append(details);
}

/** Fetch both tables and show them; `computers`: names under which the computer plays. */
export async function refreshTables(computers) {
  try {
    const [scores, ratings] = await Promise.all([get("scores"), get("ratings")]);
    element("today-day").textContent = longDay(scores.day);
    fill("today", scores.table.map((entry) => todayLine(entry, computers)));
    showRatings(ratings.players);
    showWarnings([...new Set([...scores.warnings, ...ratings.warnings])]);
  } catch (error) {
    const again = newElement("button", "Try again");
    again.type = "button";
    again.addEventListener("click", () => refreshTables(computers));
    const text = newElement("p", `The tables could not be brought up to date. ${error.message}`);
    element("warnings").replaceChildren(text, again);
  }
}
