"use strict";
(() => {
  const said = document.getElementById("said");
  let clearing = 0;

  function say(text) {
    said.textContent = text;
    clearTimeout(clearing);
    clearing = setTimeout(() => (said.textContent = ""), 4000);
  }

  // Where the browser gives no leave to write to the clipboard, its old command still does.
  function copyByCommand(text) {
    const before = document.activeElement;
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "unseen";
    document.body.append(field);
    field.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch {
      done = false;
    }
    field.remove();
    before?.focus({ preventScroll: true });
    return done;
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyByCommand(text);
    }
  }

  // The last resort: the text is marked, for the reader's own key.
  function mark(node) {
    if (node instanceof HTMLTextAreaElement) {
      node.closest("details")?.setAttribute("open", "");
      node.focus();
      node.select();
      return;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const list = button.dataset.copyFrom && document.getElementById(button.dataset.copyFrom);
    const text = list ? list.value : button.dataset.copy;
    if (await copy(text)) {
      say("Copied.");
    } else {
      mark(list || button.parentElement.querySelector("code"));
      say("The browser does not allow copying: the text is marked, press Ctrl+C.");
    }
  });

  // On paper nothing can be opened.
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details:not([open])")) {
      part.open = true;
      opened.push(part);
    }
  });
  addEventListener("afterprint", () => {
    for (const part of opened.splice(0)) part.open = false;
  });

  // A link to a part that is closed opens it.
  function openTarget() {
    const id = decodeURIComponent(location.hash.slice(1));
    for (let at = id && document.getElementById(id); at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true;
    }
  }
  addEventListener("hashchange", openTarget);
  openTarget();
})();
