// Squares 1 to 32 in eight rows of four, counted as in print: Black's side is row 0.

export const SQUARES = 32;
export const IN_ROW = 4;
export const ROWS = 8;

export const COLOURS = { b: "Black", w: "White" };

/** Row 0 to 7 of a square. */
export function rowOf(square) {
  return Math.floor((square - 1) / IN_ROW);
}

/** The colour of a piece's sign ("b", "B", "w", "W"), or null for an empty square. */
export function colourOf(sign) {
  return sign === "." ? null : sign.toLowerCase();
}

/** A piece in words. */
export function pieceName(sign) {
  const names = { b: "black man", B: "black king", w: "white man", W: "white king" };
  return names[sign] ?? "empty";
}

/** The 32 signs after a piece went along `path` (perhaps only the first part of a jump) and took `captures`. */
export function afterPath(signs, path, captures) {
  const after = [...signs];
  const sign = after[path[0] - 1];
  after[path[0] - 1] = ".";
  for (const square of captures) after[square - 1] = ".";
  const last = path.at(-1);
  const crowned = (sign === "b" && rowOf(last) === ROWS - 1) || (sign === "w" && rowOf(last) === 0);
  after[last - 1] = crowned ? sign.toUpperCase() : sign;
  return after.join("");
}
