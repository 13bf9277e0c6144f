// Pieces as small pictures. White has two plain rings, Black a milled edge, a king a crown: no colour is needed.

const SVG = "http://www.w3.org/2000/svg";
const CROWN = "M-23 17 -29 -13 -11 1 0 -22 11 1 29 -13 23 17Z";

function shape(kind, attributes) {
  const element = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** A new picture of the piece with the sign "b", "B", "w" or "W"; hidden from screen readers, as labels name it. */
export function drawPiece(sign) {
  const black = sign.toLowerCase() === "b";
  const picture = shape("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true", focusable: "false" });
  picture.classList.add("piece", black ? "black" : "white");
  picture.append(shape("circle", { r: 42, class: "face" }));
  picture.append(shape("circle", black ? { r: 39, class: "milled" } : { r: 36, class: "ring" }));
  if (sign === sign.toUpperCase()) picture.append(shape("path", { d: CROWN, class: "crown" }));
  else picture.append(shape("circle", { r: black ? 20 : 24, class: "ring" }));
  return picture;
}
