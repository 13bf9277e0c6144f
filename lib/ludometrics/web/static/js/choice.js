// The move that a person is putting together, press by press; knows nothing of the screen.

import { afterPath, colourOf } from "./squares.js";

export class Choice {
  /** `legal`: moves {path, captures} of the side `turn`; `signs`: the 32 squares. */
  constructor(legal, signs, turn) {
    this.legal = legal;
    this.signs = signs;
    this.turn = turn;
    this.path = [];
  }

  /** Squares of the pieces that may move. */
  get movable() {
    return new Set(this.legal.map((move) => move.path[0]));
  }

  get mustCapture() {
    return this.legal.some((move) => move.captures.length > 0);
  }

  /** True between two jumps of one move. */
  get jumping() {
    return this.path.length > 1;
  }

  /** Moves that begin with what has been chosen so far. */
  get open() {
    const { path } = this;
    return this.legal.filter((move) => path.length > 0 && path.every((square, i) => move.path[i] === square));
  }

  /** Squares where the chosen piece may land next. */
  get targets() {
    return new Set(this.open.map((move) => move.path[this.path.length]));
  }

  /** Squares of the pieces that have been jumped so far. */
  get taken() {
    return this.jumping ? this.open[0].captures.slice(0, this.path.length - 1) : [];
  }

  /** The board as it stands in the middle of the move. */
  get shown() {
    return this.jumping ? afterPath(this.signs, this.path, this.taken) : this.signs;
  }

  /** Let go of the piece; a jump begun is taken back whole, for nothing has been sent yet. */
  clear() {
    this.path = [];
  }

  /**
   * Press a square. Answers {kind: "move", move, shownTo} when the move is complete (shownTo: how many squares of its
   * path were chosen before), {kind: "selected" | "jumping" | "cleared"}, or {kind: "refused", why}.
   */
  press(square) {
    if (this.path.length === 0) return this.#pick(square);
    const steps = this.path.length;
    const next = this.open.filter((move) => move.path[steps] === square);
    if (next.length > 0) {
      const whole = next.find((move) => move.path.length === steps + 1);
      if (whole) return { kind: "move", move: whole, shownTo: steps };
      this.path.push(square);
      return { kind: "jumping" };
    }
    if (square === this.path.at(-1)) {
      this.clear();
      return { kind: "cleared" };
    }
    return this.#end(square, steps) ?? this.#other(square);
  }

  /** The last square of a longer jump, pressed at once: fine where all routes there take the same pieces. */
  #end(square, steps) {
    const ends = this.open.filter((move) => move.path.at(-1) === square);
    const results = new Set(ends.map((move) => [...move.captures].sort().join()));
    if (results.size > 1) return { kind: "refused", why: "ambiguous" };
    return results.size === 1 ? { kind: "move", move: ends[0], shownTo: steps } : null;
  }

  #other(square) {
    if (this.jumping) return { kind: "refused", why: "jumping" };
    if (colourOf(this.signs[square - 1]) === this.turn) return this.#pick(square);
    return { kind: "refused", why: this.open[0].captures.length > 0 ? "must-capture" : "not-there" };
  }

  #pick(square) {
    if (this.movable.has(square)) {
      this.path = [square];
      return { kind: "selected" };
    }
    const colour = colourOf(this.signs[square - 1]);
    if (colour === null) return { kind: "refused", why: "empty" };
    if (colour !== this.turn) return { kind: "refused", why: "not-yours" };
    return { kind: "refused", why: this.mustCapture ? "other-piece" : "cannot-move" };
  }
}
