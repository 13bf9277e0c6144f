// The form that starts a game.

import * as device from "./device.js";
import { element, newElement } from "./elements.js";

function form() {
  return element("setup");
}

function chosen(name) {
  return form().elements[name].value;
}

function adapt() {
  const two = chosen("mode") === "two";
  element("name2-field").hidden = !two;
  element("opponent").hidden = two;
  element("colour").hidden = two;
  element("name-label").textContent = two ? "Black's name (moves first)" : "Your name";
  element("rated-field").hidden = chosen("level") !== "rated";
  const hints = {
    match: "A level at which you should win about as often as you lose, by your rating so far.",
    rated: "Nine steps from the weakest to the strongest, whose strength was measured in many games.",
  };
  element("level-hint").textContent = two ? "" : (hints[chosen("level")] ?? "");
}

/** What was chosen, as the server wants it. */
function setting() {
  const name = element("name").value.trim();
  if (chosen("mode") === "two") return { mode: "two", name, name2: element("name2").value.trim() };
  const level = chosen("level") === "rated" ? element("rated").value : chosen("level");
  return { mode: "computer", name, colour: chosen("colour"), level };
}

/** Say what is wrong with the names, before the server is asked. */
function missing({ mode, name, name2 }) {
  if (name === "") return ["name", mode === "two" ? "Black's name is missing." : "Your name is missing."];
  if (mode === "two" && name2 === "") return ["name2", "White's name is missing."];
  if (mode === "two" && device.foldName(name) === device.foldName(name2)) return ["name2", "Both names are the same."];
  return null;
}

function submit(event, onStart) {
  event.preventDefault();
  const wanted = setting();
  const fault = missing(wanted);
  showSetupError(fault ? fault[1] : "", fault?.[0]);
  if (fault) {
    element(fault[0]).focus();
    return;
  }
  const choices = Object.fromEntries(["mode", "level", "colour"].map((name) => [name, chosen(name)]));
  device.write("choices", { ...choices, rated: element("rated").value });
  device.write("name", wanted.name);
  if (wanted.name2) device.write("name2", wanted.name2);
  onStart(wanted);
}

export function showSetupError(text, field = null) {
  element("setup-error").textContent = text.charAt(0).toUpperCase() + text.slice(1);
  for (const id of ["name", "name2"]) element(id).setAttribute("aria-invalid", String(field === id));
}

/** Put in what this device remembers. */
export function fillSetup() {
  element("name").value = device.read("name") ?? "";
  element("name2").value = device.read("name2") ?? "";
  const choices = device.read("choices") ?? {};
  for (const name of ["mode", "level", "colour"]) {
    const radio = form().querySelector(`input[name="${name}"][value="${CSS.escape(choices[name] ?? "")}"]`);
    if (radio) radio.checked = true;
  }
  const rated = [...element("rated").options].find((option) => option.value === choices.rated);
  if (rated) rated.selected = true;
  adapt();
}

/** Write the levels' ratings beside them. */
export function showLevels(levels) {
  for (const { key, name, rating } of levels) {
    const option = element("rated").querySelector(`option[value="${CSS.escape(key)}"]`);
    const radio = form().querySelector(`input[name="level"][value="${CSS.escape(key)}"]`);
    if (typeof rating !== "number") continue;
    if (option) option.textContent = `${name} (rated ${Math.round(rating)})`;
    radio?.nextElementSibling.append(newElement("small", ` ${Math.round(rating)}`));
  }
}

/** Show or hide the form; when shown again it takes the focus. */
export function showSetup(visible, focus = false) {
  form().hidden = !visible;
  if (visible && focus) element("setup-title").focus();
}

export function wireSetup(onStart) {
  form().addEventListener("change", adapt);
  form().addEventListener("submit", (event) => submit(event, onStart));
  fillSetup();
}
