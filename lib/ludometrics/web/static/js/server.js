// The way to the server. Every address is relative to the page, so that it works in any folder of a server.

const TIMEOUT_MS = 30_000;

export class ServerError extends Error {
  /** `status` 0: no answer came. */
  constructor(status, text, body = {}) {
    super(text);
    this.name = "ServerError";
    this.status = status;
    this.body = body;
  }

  /** True where the same request may well succeed later. */
  get retryable() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

async function request(route, options) {
  let response;
  let body;
  try {
    response = await fetch(route, { ...options, cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new ServerError(0, "The server cannot be reached.");
  }
  try {
    body = await response.json();
  } catch {
    const status = response.ok ? 0 : response.status;
    throw new ServerError(status, `The server's answer could not be read (${response.status}).`);
  }
  if (response.ok) return body;
  throw new ServerError(response.status, body.error ?? `The server answered ${response.status}.`, body);
}

export function get(route) {
  return request(route, {});
}

export function post(route, body) {
  const headers = { "Content-Type": "application/json" };
  return request(route, { method: "POST", headers, body: JSON.stringify(body) });
}

/** A random id in hexadecimal; `crypto.randomUUID` is missing on pages that came over plain http. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
