// Choosing players: a searchable list of boxes to tick, with a few usual choices as buttons.

/**
 * `chosen`: ids in the order of choosing; `most`: how many at most; `changed(ids)` after every change; `swatchOf(id)`:
 * something shown beside a chosen name; `quick`: [[text, ids]].
 */
function picker({ label, chosen, most, changed, swatchOf = null, quick = [], people = data.players }) {
  let ids = [...chosen];
  const boxes = new Map();
  const said = make("p", { class: "quiet", role: "status" });
  const set = (wanted) => {
    ids = wanted.slice(0, most);
    for (const [id, entry] of boxes) {
      entry.box.checked = ids.includes(id);
      entry.sign.replaceChildren(...(swatchOf && ids.includes(id) ? [swatchOf(ids.indexOf(id))] : []));
    }
    said.textContent =
      wanted.length > most ? `At most ${most} at once.` : `${ids.length} of ${people.length} chosen.`;
    changed(ids);
  };
  const entry = (player) => {
    const box = make("input", { type: "checkbox", value: player.id });
    const sign = make("span", { class: "sign" });
    box.addEventListener("change", () => {
      set(box.checked ? [...ids, player.id] : ids.filter((id) => id !== player.id));
    });
    const row = make(
      "label",
      { class: "pick" },
      box,
      sign,
      named(clean(player.name), 32),
      make("small", {}, number(player.rating)),
    );
    boxes.set(player.id, { box, sign, row, text: folded(player.name) });
    return row;
  };
  const list = make("div", { class: "picks", role: "group", "aria-label": label }, people.map(entry));
  const search = make("input", {
    type: "search",
    placeholder: "Search a name",
    "aria-label": `${label}: search a name`,
  });
  search.addEventListener("input", () => {
    const wanted = folded(search.value);
    for (const { row, text } of boxes.values()) row.hidden = !text.includes(wanted);
  });
  const button = ([text, wanted]) =>
    make("button", { type: "button", on: { click: () => set(wanted) } }, text);
  for (const id of ids) boxes.get(id).box.checked = true;
  const shown = make(
    "section",
    { class: "picker", "aria-label": label },
    make("h3", {}, label),
    make("p", { class: "buttons" }, quick.map(button)),
    people.length > 12 ? search : null,
    list,
    said,
  );
  set(ids);
  return shown;
}

/** The usual choices: the first of the leaderboard, those who play most, nobody. */
function usual(most, n = 6) {
  const first = data.players.map((player) => player.id);
  const often = [...data.players].sort((a, b) => b.plays_rated - a.plays_rated).map((player) => player.id);
  return [
    [`First ${Math.min(n, first.length)}`, first.slice(0, n)],
    ["Most plays", often.slice(0, n)],
    ["None", []],
  ];
}
