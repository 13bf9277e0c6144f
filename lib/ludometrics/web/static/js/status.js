// The status line, and the place where trouble with the server is told.

import { element } from "./elements.js";

function setText(target, text) {
  if (target.textContent !== text) target.textContent = text; // the same again would be read out twice
}

export class Status {
  constructor() {
    this.again = null;
    element("retry").addEventListener("click", () => {
      const { again } = this;
      this.clearTrouble();
      again?.();
    });
  }

  /** True while something is waiting for "Retry". */
  get waiting() {
    return this.again !== null;
  }

  say(message, note = "") {
    setText(element("message"), message);
    setText(element("note"), note);
  }

  /** Tell of trouble, with a button that calls `again`. */
  trouble(text, again) {
    this.again = again;
    setText(element("trouble-text"), text);
    element("trouble").hidden = false;
  }

  clearTrouble() {
    this.again = null;
    element("trouble").hidden = true;
    setText(element("trouble-text"), "");
  }
}
