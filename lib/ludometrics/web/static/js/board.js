// The board on the screen: 32 buttons in a grid, of which one at a time takes part in the order of the tab key.

import { drawPiece } from "./pieces.js";
import { IN_ROW, pieceName, ROWS, rowOf, SQUARES } from "./squares.js";

const STEP_MS = 170;
const NOTHING = { movable: new Set(), targets: new Set(), selected: null, last: [], taken: [], busy: false };

function newElement(kind, className, role) {
  const element = document.createElement(kind);
  element.className = className;
  if (role) element.setAttribute("role", role);
  return element;
}

export class Board {
  /** `onPress(square)` and `onCancel()` are called for clicks and keys. */
  constructor(root, { onPress, onCancel }) {
    this.root = root;
    this.onPress = onPress;
    this.onCancel = onCancel;
    this.flipped = false;
    this.current = 1;
    this.signs = ".".repeat(SQUARES);
    this.buttons = [null];
    for (let square = 1; square <= SQUARES; square += 1) this.buttons.push(this.#newSquare(square));
    this.#arrange();
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  #newSquare(square) {
    const button = newElement("button", "square");
    button.type = "button";
    button.dataset.square = String(square);
    const number = newElement("span", "number");
    number.textContent = String(square);
    number.setAttribute("aria-hidden", "true");
    button.append(number);
    return button;
  }

  /** Lay the squares out in the order in which they are seen, so that they are read in the same. */
  #arrange() {
    const rows = [];
    for (let row = 0; row < ROWS; row += 1) {
      const line = newElement("div", "row", "row");
      for (let place = 0; place < IN_ROW; place += 1) {
        const cell = newElement("div", "dark", "gridcell");
        cell.append(this.buttons[row * IN_ROW + place + 1]);
        const light = newElement("span", "light");
        light.setAttribute("aria-hidden", "true");
        line.append(...(row % 2 === 0 ? [light, cell] : [cell, light]));
      }
      if (this.flipped) line.replaceChildren(...[...line.children].reverse());
      rows.push(line);
    }
    this.root.replaceChildren(...(this.flipped ? rows.reverse() : rows));
  }

  /** Turn the board so that square 32 is at the top left, or back. */
  turn(flipped) {
    if (flipped === this.flipped) return;
    const focused = this.root.contains(document.activeElement);
    this.flipped = flipped;
    this.#arrange();
    if (focused) this.focus();
  }

  /** Show 32 signs and what is marked on them. */
  show(signs, marks = {}) {
    const all = { ...NOTHING, ...marks };
    this.root.setAttribute("aria-busy", String(all.busy));
    for (let square = 1; square <= SQUARES; square += 1) this.#showSquare(square, signs[square - 1], all);
    this.signs = signs;
    this.#rove(this.current);
  }

  #showSquare(square, sign, marks) {
    const button = this.buttons[square];
    if (sign !== this.signs[square - 1]) {
      button.querySelector(".piece")?.remove();
      if (sign !== ".") button.append(drawPiece(sign));
    }
    const states = {
      selected: marks.selected === square,
      target: marks.targets.has(square),
      movable: marks.selected === null && marks.movable.has(square),
      taken: marks.taken.includes(square),
      "last-to": marks.last.at(-1) === square,
      "last-from": marks.last.slice(0, -1).includes(square),
    };
    for (const [name, on] of Object.entries(states)) button.classList.toggle(name, on);
    button.parentElement.setAttribute("aria-selected", String(states.selected));
    const words = [`square ${square}`, pieceName(sign)];
    if (states.selected) words.push("selected");
    if (states.target) words.push("you can move here");
    if (states.movable) words.push("can move");
    if (states.taken) words.push("jumped");
    if (states["last-to"]) words.push("end of the last move");
    if (states["last-from"]) words.push(`${marks.last[0] === square ? "start of" : "passed in"} the last move`);
    button.setAttribute("aria-label", words.join(", "));
  }

  /** Make a square the one that the tab key reaches. */
  #rove(square) {
    this.buttons[this.current].tabIndex = -1;
    for (const button of this.buttons.slice(1)) button.tabIndex = -1;
    this.current = square;
    this.buttons[square].tabIndex = 0;
  }

  /** Let the tab key reach this square first. */
  point(square) {
    this.#rove(square);
  }

  focus() {
    this.buttons[this.current].focus({ preventScroll: true });
  }

  #click(event) {
    const button = event.target.closest(".square");
    if (!button) return;
    const square = Number(button.dataset.square);
    this.#rove(square);
    this.onPress(square);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      this.onCancel();
      return;
    }
    const square = this.#neighbour(event.key);
    if (square === null) return;
    event.preventDefault();
    this.#rove(square);
    this.focus();
  }

  /** The square that a key leads to: a place or a row on, as seen; null for other keys. */
  #neighbour(key) {
    const way = this.flipped ? -1 : 1;
    const row = rowOf(this.current);
    const place = (this.current - 1) % IN_ROW;
    const inside = (value, most) => Math.min(Math.max(value, 0), most);
    const [first, last] = this.flipped ? [IN_ROW - 1, 0] : [0, IN_ROW - 1];
    const places = { ArrowLeft: place - way, ArrowRight: place + way, Home: first, End: last };
    const rows = { ArrowUp: row - way, ArrowDown: row + way };
    if (key in places) return row * IN_ROW + inside(places[key], IN_ROW - 1) + 1;
    if (key in rows) return inside(rows[key], ROWS - 1) * IN_ROW + place + 1;
    return null;
  }

  /** Let the piece on the last square of `path` be seen coming along it; over when it has arrived. */
  async slide(path) {
    const button = this.buttons[path.at(-1)];
    const piece = button.querySelector(".piece");
    if (!piece || path.length < 2 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const home = button.getBoundingClientRect();
    const frames = path.map((square) => {
      const place = this.buttons[square].getBoundingClientRect();
      return { transform: `translate(${place.left - home.left}px, ${place.top - home.top}px)` };
    });
    button.classList.add("moving");
    try {
      await piece.animate(frames, { duration: STEP_MS * (path.length - 1), easing: "ease-in-out" }).finished;
    } catch {
      // The piece was taken off the board meanwhile: there is nothing left to show.
    }
    button.classList.remove("moving");
  }
}
