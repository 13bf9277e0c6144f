// What this device keeps: names, choices, the game being played, and receipts ("proofs") for names first used here.

const PREFIX = "draughts.";
const PROOFS_A_NAME = 20;
const PROOFS_IN_ALL = 100;
const memory = new Map(); // stands in where the browser keeps nothing

function store() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** The value kept under a name, or null. */
export function read(name) {
  let text = memory.get(name) ?? null;
  try {
    text = store()?.getItem(PREFIX + name) ?? text;
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export function write(name, value) {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    store()?.setItem(PREFIX + name, text);
  } catch {
    // Full or forbidden: this tab still remembers.
  }
}

export function remove(name) {
  memory.delete(name);
  try {
    store()?.removeItem(PREFIX + name);
  } catch {
    // Forbidden: nothing was kept there either.
  }
}

/** Nearly the server's folding of names; it only picks which receipts to show, and the server checks them. */
export function foldName(name) {
  const folded = name.normalize("NFKC").toLowerCase().toUpperCase().normalize("NFKC");
  return folded.trim().replace(/\s+/gu, " ");
}

/** Keep receipts [{name, proof}], the newest few of each name. */
export function keepProofs(proofs) {
  const seen = new Map();
  const kept = [];
  for (const entry of [...(proofs ?? []), ...(read("proofs") ?? [])]) {
    const key = foldName(entry.name);
    const count = seen.get(key) ?? 0;
    const known = kept.some((other) => other.proof === entry.proof && foldName(other.name) === key);
    if (known || count >= PROOFS_A_NAME) continue;
    seen.set(key, count + 1);
    kept.push({ name: entry.name, proof: entry.proof });
  }
  write("proofs", kept.slice(0, PROOFS_IN_ALL));
}

/** Receipts for any of these names, newest first. */
export function proofsFor(...names) {
  const wanted = new Set(names.map(foldName));
  return (read("proofs") ?? []).filter((entry) => wanted.has(foldName(entry.name))).map((entry) => entry.proof);
}

/** Names that this device has a receipt for, newest first. */
export function provenNames() {
  const names = new Map();
  for (const { name } of read("proofs") ?? []) if (!names.has(foldName(name))) names.set(foldName(name), name);
  return [...names.values()];
}

/** Delete all that is kept, but for the receipts of other people who played here. Answers their names. */
export function forgetName(name) {
  const others = (read("proofs") ?? []).filter((entry) => foldName(entry.name) !== foldName(name));
  for (const kept of ["name", "name2", "choices", "game", "starting", "proofs"]) remove(kept);
  if (others.length > 0) write("proofs", others);
  return provenNames();
}

/** Call back with the name of what another tab has changed (null: all was deleted). */
export function onChange(callback) {
  window.addEventListener("storage", (event) => {
    if (event.key === null) callback(null);
    else if (event.key.startsWith(PREFIX)) callback(event.key.slice(PREFIX.length));
  });
}
