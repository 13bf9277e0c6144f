// Short ways to the page's elements. Text from people or from the server goes in as text only, never as markup.

/** The element with an id. */
export function element(id) {
  return document.getElementById(id);
}

/** A new element with text in it. */
export function newElement(kind, text = "", className = "") {
  const made = document.createElement(kind);
  if (text !== "") made.textContent = text;
  if (className) made.className = className;
  return made;
}
