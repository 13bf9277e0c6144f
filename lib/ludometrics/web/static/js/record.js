// The list of moves, and the game as PDN to copy or to keep.

import { element, newElement } from "./elements.js";

/** Show the moves of a game, two to a line, Black's first. */
export function showRecord(view) {
  element("record").hidden = false;
  element("no-moves").hidden = view.moves.length > 0;
  const lines = [];
  for (let ply = 0; ply < view.moves.length; ply += 2) {
    const line = newElement("li");
    for (const move of view.moves.slice(ply, ply + 2)) line.append(newElement("span", move.text));
    lines.push(line);
  }
  element("moves").replaceChildren(...lines);
  const box = element("moves-box");
  box.scrollTop = box.scrollHeight;
  element("pdn").value = view.pdn;
}

async function copy() {
  const field = element("pdn");
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Pages that came over plain http have no clipboard: the old way, or the person's own keys.
    field.select();
    if (!document.execCommand("copy")) {
      element("copied").textContent = "Selected: copy it with the keys of your system.";
      return;
    }
  }
  element("copied").textContent = "Copied.";
}

function download() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([element("pdn").value], { type: "text/plain" }));
  link.download = "draughts.pdn";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function wireRecord() {
  element("copy").addEventListener("click", copy);
  element("download").addEventListener("click", download);
  element("pdn").closest("details").addEventListener("toggle", () => {
    element("copied").textContent = "";
  });
}
