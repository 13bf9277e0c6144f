// The game on the board: what the person does goes to the server, and what the server answers is shown.

import { Choice } from "./choice.js";
import * as device from "./device.js";
import { element } from "./elements.js";
import { showPlates } from "./plates.js";
import { ask } from "./question.js";
import { showRecord } from "./record.js";
import { post, ServerError } from "./server.js";
import { afterPath } from "./squares.js";
import { ELSEWHERE, GONE, matchText, ratedText, REFUSALS, turnText, WAITING } from "./wording.js";

export class LiveGame {
  /** `hooks`: onStart(), onOver(), onGone(text) and onRefusedStart(text). */
  constructor(board, status, hooks) {
    this.board = board;
    this.status = status;
    this.hooks = hooks;
    this.view = null;
    this.secret = null; // {id, key}
    this.setting = null; // what the game was started with, for a rematch
    this.choice = null;
    this.busy = false;
    this.remark = "";
  }

  get over() {
    return this.view !== null && this.view.result !== null;
  }

  /** Start a game; the same setting again after no answer came is the same request, so that no game is left behind. */
  async start(setting, request) {
    const names = [setting.name, setting.name2].filter(Boolean);
    const body = { ...setting, request, proofs: device.proofsFor(...names) };
    device.write("starting", { setting, request, at: Date.now() });
    await this.#send("game", body, (answer) => {
      device.remove("starting");
      device.keepProofs(answer.proofs);
      this.secret = { id: answer.id, key: answer.key };
      this.setting = setting;
      this.board.turn(answer.human !== "w");
      this.#enter(answer);
    });
  }

  /** Go on with the game that this device was playing: {id, key, setting}. */
  async resume(saved) {
    this.secret = { id: saved.id, key: saved.key };
    this.setting = saved.setting ?? null;
    await this.#send("resume", this.secret, (answer) => {
      this.board.turn(answer.human !== "w");
      this.#enter(answer);
    });
  }

  #enter(view) {
    this.#adopt(view);
    this.board.point(view.legal[0]?.path[0] ?? 1);
    this.hooks.onStart();
    this.#draw();
  }

  /** Look at the server's position again, as another tab has moved. */
  async refresh(remark = "") {
    if (this.secret === null || this.busy) return;
    await this.#send("resume", this.secret, (answer) => this.#adopt(answer, remark));
  }

  /** Leave the game for good. */
  leave() {
    if (this.secret !== null && device.read("game")?.id === this.secret.id) device.remove("game");
    this.view = this.secret = this.choice = null;
    this.remark = "";
    this.status.clearTrouble();
    this.#showButtons();
  }

  /** A square was pressed. */
  async press(square) {
    if (this.view === null || this.over) return;
    if (this.busy || this.status.waiting) {
      this.#say(this.busy ? turnText({ ...this.view, legal: [] }) : WAITING);
      return;
    }
    const done = this.choice.press(square);
    this.remark = done.kind === "refused" ? REFUSALS[done.why] : done.kind === "jumping" ? "Keep jumping." : "";
    this.#draw();
    if (done.kind === "jumping") await this.board.slide(this.choice.path.slice(-2));
    if (done.kind === "move") await this.#play(done.move, done.shownTo);
  }

  cancel() {
    if (this.choice === null || this.busy) return;
    this.choice.clear();
    this.remark = "";
    this.#draw();
  }

  async #play(move, shownTo) {
    const before = this.view;
    const body = { ...this.secret, ply: before.ply, path: move.path };
    // Shown at once; what counts is the server's answer.
    const turn = before.turn === "b" ? "w" : "b";
    const board = afterPath(before.board, move.path, move.captures);
    const text = move.path.join(move.captures.length > 0 ? "x" : "-");
    const played = { text, by: before.turn, path: move.path, captures: move.captures };
    this.view = { ...before, board, turn, legal: [], moves: [...before.moves, played], can_undo: false };
    this.choice = new Choice([], board, turn);
    this.#draw();
    const arrived = this.board.slide(move.path.slice(shownTo - 1));
    await this.#send("move", body, async (answer) => {
      await arrived;
      this.#adopt(answer);
      const reply = answer.moves.slice(before.ply + 1).at(-1);
      this.#draw();
      if (reply) await this.board.slide(reply.path);
    });
  }

  flip() {
    this.board.turn(!this.board.flipped);
    this.#draw();
  }

  async undo() {
    const text = "Your last move and the computer's answer are taken back. From then on the game is not rated.";
    if (this.view.rated && !(await ask("Take back?", text, "Take back", "Play on"))) return;
    await this.#send("undo", { ...this.secret, ply: this.view.ply }, (answer) => this.#adopt(answer));
  }

  async resign() {
    const two = this.view.mode === "two";
    const text = two ? `${this.view.names[this.view.turn]}, whose move it is, loses the game.` : "You lose the game.";
    if (await ask("Resign?", text, "Resign", "Play on")) {
      await this.#send("resign", this.secret, (answer) => this.#adopt(answer));
    }
  }

  /** What a rematch is started with: the colours swapped. */
  get rematch() {
    const { setting, view } = this;
    if (view.mode === "two") return { mode: "two", name: view.names.w, name2: view.names.b };
    const colour = view.human === "b" ? "w" : "b";
    return { mode: "computer", name: view.names[view.human], colour, level: setting?.level ?? view.level };
  }

  #adopt(view, remark = "") {
    const wasOver = this.over;
    this.busy = false; // before a piece has slid to its square: nobody should have to wait for that
    this.view = view;
    this.remark = remark;
    this.choice = new Choice(view.legal, view.board, view.turn);
    device.write("game", { ...this.secret, setting: this.setting, ply: view.ply, over: this.over });
    if (this.over && !wasOver) this.hooks.onOver();
  }

  /** Send, take the answer, or tell what is wrong; where trying again may help, offer it. */
  async #send(route, body, take) {
    this.busy = true;
    this.status.clearTrouble();
    this.#draw();
    try {
      await take(await post(route, body));
      this.busy = false;
    } catch (error) {
      this.busy = false;
      if (!(error instanceof ServerError)) throw error;
      const again = () => this.#send(route, body, take);
      if (error.retryable) this.status.trouble(`${error.message} Nothing is lost.`, again);
      else await this.#refused(error, route);
    }
    this.#draw();
  }

  async #refused(error, route) {
    const present = error.body.view ?? error.body;
    if (error.status === 409 && present.board) this.#adopt(present, present.result ? "" : ELSEWHERE);
    else if (route === "game") {
      device.remove("starting");
      this.hooks.onRefusedStart(error.message);
    } else if (error.status === 404 || route === "resume") {
      const known = device.read("game")?.over === true;
      this.leave();
      this.hooks.onGone(known ? undefined : GONE);
    } else await this.refresh(error.message);
  }

  #say(message) {
    this.status.say(message, [matchText(this.view), ratedText(this.view)].filter(Boolean).join(" "));
  }

  /** Show all that belongs to the game. */
  #draw() {
    this.#showButtons();
    if (this.view === null) return;
    const { view, choice, busy } = this;
    const open = !busy && !this.status.waiting;
    this.board.show(choice.shown, {
      movable: open ? choice.movable : new Set(),
      targets: choice.targets,
      selected: choice.path.at(-1) ?? null,
      last: choice.jumping ? choice.path : (view.moves.at(-1)?.path ?? []),
      taken: choice.taken,
      busy,
    });
    showPlates(view, this.board.flipped);
    showRecord(view);
    this.#say(this.remark || (this.status.waiting ? WAITING : turnText(view)));
  }

  #showButtons() {
    const { view, over, busy } = this;
    const live = view !== null && !over;
    element("undo").hidden = view?.mode !== "computer" || (over && !view.can_undo);
    element("undo").disabled = busy || !view?.can_undo;
    element("resign").hidden = !live;
    element("resign").disabled = busy;
    element("rematch").hidden = !over;
    element("new").hidden = !over;
  }
}
