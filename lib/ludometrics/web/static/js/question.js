// A question with the answers yes and no.

import { element } from "./elements.js";

/** Ask; answers true for yes, false for no and for Escape. */
export function ask(title, text, yes, no = "No") {
  const dialog = element("question");
  element("question-title").textContent = title;
  element("question-text").textContent = text;
  element("question-yes").textContent = yes;
  element("question-no").textContent = no;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
  });
}
