// One kind of table for all views: sorted by a click on a heading, in pages where it is long, scrolled within itself
// where it is wide.

const collator = new Intl.Collator("en-GB", { numeric: true, sensitivity: "base" });

/** Rows by a column; what is missing comes last either way. */
function sorted(rows, column, down) {
  const keyOf = new Map(rows.map((row) => [row, column.value(row)]));
  const compare = (a, b) => {
    const [x, y] = [keyOf.get(a), keyOf.get(b)];
    if (!known(x) || !known(y)) return Number(!known(x)) - Number(!known(y));
    const order = typeof x === "string" ? collator.compare(x, y) : x - y;
    return down ? -order : order;
  };
  return [...rows].sort(compare);
}

function headings(columns, state, redraw) {
  const cell = (column) => {
    const sortable = column.value && column.sortable !== false;
    const current = state.column === column;
    const sort = () => {
      state.down = current
        ? !state.down
        : column.first === "down" || Boolean(column.number && column.first !== "up");
      state.column = column;
      state.page = 0;
      redraw(column);
    };
    const arrow = make(
      "span",
      { class: "arrow", "aria-hidden": "true" },
      current ? (state.down ? "▼" : "▲") : "",
    );
    const inside = sortable
      ? make("button", { type: "button", title: column.title, on: { click: sort } }, column.head, arrow)
      : make("span", { title: column.title }, column.head);
    return make(
      "th",
      {
        scope: "col",
        class: [column.number ? "number" : "", column.class ?? ""].join(" ").trim() || null,
        "aria-sort": current ? (state.down ? "descending" : "ascending") : null,
      },
      inside,
      column.below ?? null,
    );
  };
  return make("tr", {}, columns.map(cell));
}

function line(row, columns, className) {
  return make(
    "tr",
    { class: className?.(row) || null },
    columns.map((column) => {
      const shown = column.show ? column.show(row) : column.value(row);
      const attributes = {
        class: [column.number ? "number" : "", column.class ?? ""].join(" ").trim() || null,
      };
      if (column.rowHead) attributes.scope = "row";
      return make(column.rowHead ? "th" : "td", attributes, known(shown) ? shown : NONE);
    }),
  );
}

function pager(state, total, size, redraw) {
  const last = Math.ceil(total / size) - 1;
  const go = (step) => () => {
    state.page = Math.max(0, Math.min(last, state.page + step));
    redraw(null, step < 0 ? "previous" : "next");
  };
  const from = state.page * size;
  const button = (text, step, off) =>
    make(
      "button",
      { type: "button", "data-step": text.toLowerCase(), disabled: off, on: { click: go(step) } },
      text,
    );
  return make(
    "p",
    { class: "pager" },
    button("Previous", -1, state.page === 0),
    make(
      "span",
      { role: "status" },
      `${number(from + 1)} to ${number(Math.min(total, from + size))} of ${number(total)}`,
    ),
    button("Next", 1, state.page === last),
  );
}

/**
 * A table.
 *
 * `columns`: head, value (what is sorted by), show (what is seen; else the value), number, rowHead, first ("up" or
 * "down"), title, below (under the heading), class. `sections`: [{title, rows}] in place of `rows`, each sorted for
 * itself. `sort`: head of the column first sorted by; without it the rows keep their order.
 */
function table({
  label,
  columns,
  rows = [],
  sections = null,
  sort = null,
  down = false,
  size = 50,
  empty,
  className,
}) {
  const parts = sections ?? [{ title: null, rows }];
  const total = parts.reduce((sum, part) => sum + part.rows.length, 0);
  if (total === 0) return make("p", { class: "quiet none" }, empty ?? "Nothing to show.");
  const state = { column: columns.find((column) => column.head === sort) ?? null, down, page: 0 };
  const box = make("div", { class: "table-box" });
  const redraw = (focusColumn, focusStep) => {
    const bodies = [];
    let skip = state.page * size;
    let room = size;
    for (const part of parts) {
      const ordered = state.column ? sorted(part.rows, state.column, state.down) : part.rows;
      const shown = ordered.slice(skip, skip + room);
      skip = Math.max(0, skip - ordered.length);
      room -= shown.length;
      if (shown.length === 0) continue;
      const title = part.title
        ? make(
            "tr",
            { class: "section" },
            make("th", { scope: "rowgroup", colspan: columns.length }, make("span", {}, part.title)),
          )
        : null;
      bodies.push(
        make(
          "tbody",
          {},
          title,
          shown.map((row) => line(row, columns, className)),
        ),
      );
    }
    const head = headings(columns, state, redraw);
    const made = make(
      "table",
      {},
      make("caption", { class: "unseen" }, label),
      make("thead", {}, head),
      bodies,
    );
    const scroll = make("div", { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, made);
    box.replaceChildren(scroll, ...(total > size ? [pager(state, total, size, redraw)] : []));
    if (focusColumn) head.cells[columns.indexOf(focusColumn)].querySelector("button").focus();
    if (focusStep) {
      const step = box.querySelector(`[data-step=${focusStep}]`);
      (step.disabled ? scroll : step).focus();
    }
  };
  redraw();
  return box;
}
