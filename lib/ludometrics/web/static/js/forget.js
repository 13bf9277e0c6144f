// The dialog that removes a name from the saved games.

import * as device from "./device.js";
import { element } from "./elements.js";
import { post } from "./server.js";

const NO_PROOF =
  "This device has no receipt that shows that games under this name were begun here. " +
  "Ask whoever runs this page to remove it.";
const DONE_BEFORE = "No game stands under this name with a receipt of this device any more: it was removed.";

let unanswered = ""; // the name of a request that may have been carried out though no answer came

function step(number, name = "") {
  element("forget-first").hidden = number !== 1;
  element("forget-next").hidden = number !== 1;
  element("forget-sure").hidden = number !== 2;
  element("forget-sure").disabled = false;
  element("forget-sure").textContent = `Yes, remove ${name}`;
  element("forget-close").textContent = number === 3 ? "Close" : "Cancel";
  element("forget-error").textContent = "";
}

function open() {
  element("forget-name").value = device.read("name") ?? device.provenNames()[0] ?? "";
  element("forget-text").textContent = "";
  step(1);
  element("forget-dialog").showModal();
  element("forget-name").focus();
}

function goOn(event) {
  event.preventDefault();
  const name = element("forget-name").value.trim();
  if (element("forget-next").hidden) return;
  if (name === "") {
    element("forget-error").textContent = "Type the name to remove.";
    return;
  }
  step(2, name);
  element("forget-text").textContent = `Remove ${name} from every saved game? This cannot be undone.`;
  element("forget-close").focus();
}

async function ask(name) {
  const proofs = device.proofsFor(name);
  try {
    return await post("forget-me", { name, proofs, confirm: true });
  } catch (error) {
    if (error.status === 403 && unanswered === name && proofs.length > 0) return { text: DONE_BEFORE };
    throw error;
  }
}

async function carryOut(onForgotten) {
  const name = element("forget-name").value.trim();
  element("forget-sure").disabled = true;
  try {
    const answer = await ask(name);
    unanswered = "";
    const others = device.forgetName(name);
    const kept = others.length > 0 ? ` Receipts of ${others.join(", ")} stay on this device.` : "";
    step(3);
    element("forget-name").value = "";
    element("forget-text").textContent = `${answer.text} Deleted on this device too.${kept}`;
    element("forget-close").focus();
    onForgotten();
  } catch (error) {
    if (error.retryable) unanswered = name;
    step(2, name);
    element("forget-error").textContent = error.status === 403 ? NO_PROOF : error.message;
  }
}

export function wireForget(onForgotten) {
  element("forget").addEventListener("click", open);
  element("forget-form").addEventListener("submit", goOn);
  element("forget-sure").addEventListener("click", () => carryOut(onForgotten));
  element("forget-close").addEventListener("click", () => element("forget-dialog").close());
}
