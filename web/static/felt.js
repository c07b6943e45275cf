// The table from above, drawn from the public state: cards glide from where they lay to where they lie.

const LARGER = 1.14;
const GLIDE_MS = 450;
const PLATE = [380, 76];
const RIM = 96;
const SMALL = 32;
const MARKS = 5;

export function make(tag, attributes = {}, ...inside) {
  const one = document.createElementNS(document.querySelector("svg").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.append(...inside);
  return one;
}

const text = (words, x, y, size, more = {}) => make("text", { x, y, "font-size": size, "text-anchor": "middle", ...more }, words);

// A name in at most three lines, of whole words where letters can be smaller; what has no spaces is cut where it is too long.
function wrap(words, most) {
  const lines = [""];
  for (const part of words.match(/\s*(?:[!-\u024f]{1,14}|[^\s]{1,9})/gu) ?? []) {
    const at = lines.length - 1;
    if (lines[at] && (lines[at] + part).trim().length > most) lines.push(part.trim());
    else lines[at] = (lines[at] + part).trim();
  }
  return lines.slice(0, 3);
}

function named(words, y, w, ink) {
  const lines = wrap(words, 9);
  const size = Math.min(13.5, (w - 6) / (0.56 * Math.max(...lines.map((line) => line.length * (/[^\x00-\u024f]/.test(line) ? 1.8 : 1)))));
  return lines.map((line, at) => text(line, 0, y + at * 14.5, size, { class: "face-words", fill: ink }));
}

// What a card looks like, its middle at 0, 0; w and h in mm.
export function face(card, [w, h]) {
  const one = make("g", { class: card.new ? "face new" : "face" });
  const box = (more) => make("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 6, ...more });
  if (card.name.startsWith("die:")) {
    one.append(make("rect", { x: -25, y: -25, width: 50, height: 50, rx: 10, class: "die" }), text(card.label, 0, 14, 40, { class: "die-value" }));
  } else if (card.name.startsWith("board/")) {
    one.append(make("rect", { x: -125, y: -47, width: 250, height: 94, rx: 8, class: "board" }), text(card.words, 0, 12, Math.min(36, 236 / measure(card.words, 1)), { class: "face-words" }));
  } else if (card.back) {
    one.append(box({ class: "card-back" }), make("circle", { r: w / 5, class: "back-ring" }));
    if (card.label) one.append(text(card.label, 0, 9, 24, { class: "back-label" }));
  } else if (card.suit) {
    const suit = (x, y, side) => make("use", { href: `#suit-${card.suit}`, x: x - side / 2, y: y - side / 2, width: side, height: side });
    const [left, top] = [-w / 2, -h / 2];
    const rank = text(card.label, left + 5, top + 21, 22, { class: "rank", "text-anchor": "start" });
    one.append(box({ class: "card-face" }), make("g", { class: `suit-${card.suit}` }, rank, suit(w / 2 - 13, top + 13, 17), suit(0, h / 2 - 30, 40)));
  } else if (card.name.includes("/")) {
    const review = card.name.endsWith("/review");
    one.append(box({ class: review ? "card-paper review" : "card-paper" }));
    if (card.label) one.append(make("circle", { cy: -h / 2 + 21, r: 16, class: "seal" }), text(card.label, 0, -h / 2 + 29, 23, { class: "seal-points" }));
    one.append(...named(card.words, -h / 2 + 51, w, ""));
  } else {
    one.append(box({ fill: card.colour, class: "building" }), text(card.label, 0, h / 2 - 14, 30, { class: "building-label" }), ...named(card.words, -h / 2 + 14, w, ""));
  }
  return one;
}

function glide(one, from, to) {
  const place = ([x, y]) => `translate(${x}px, ${y}px)`;
  one.style.transform = place(to);
  if (from && String(from) !== String(to) && !matchMedia("(prefers-reduced-motion: reduce)").matches)
    one.animate([{ transform: place(from) }, { transform: place(to) }], { duration: GLIDE_MS, easing: "ease-in-out" });
}

// About how wide words in bold letters are; those of Japanese are as wide as they are high.
const measure = (words, size) => size * [...words].reduce((sum, letter) => sum + (/[^\x00-\u024f]/.test(letter) ? 1 : 0.64), 0);

function shorten(words, size, room) {
  if (measure(words, size) <= room) return words;
  let kept = [...words];
  while (kept.length > 1 && measure(`${kept.join("")}…`, size) > room) kept = kept.slice(0, -1);
  return `${kept.join("").trim()}…`;
}

// A player's coins, at the right hand.
function purse({ area: [x0, y0, x1, y1], coins }, [, high]) {
  const [x, y] = y0 + y1 > high ? [x1 - 34, y1 - 62] : [x0 + 34, y0 + 62];
  return make("g", { class: "purse", transform: `translate(${x} ${y})` }, make("circle", { r: 32 }), text(String(coins), 0, 14, 38));
}

// A player's name, points and turns left, on the rim beside the seat; the table below has a long name in full.
function plate(seat, player, number, [, high], left) {
  const [x0, y0, x1, y1] = seat.area;
  const y = y0 + y1 > high ? high + RIM / 2 : -RIM / 2;
  const one = make("g", { class: player.to_move ? "plate to-move" : "plate", transform: `translate(${(x0 + x1) / 2} ${y})` });
  const points = player.notes[0] ?? String(player.points);
  const size = player.notes.length ? 36 : 50;
  const w = Math.min(x1 - x0 - 8, Math.max(PLATE[0], 128 + measure(points, size) + measure(player.name, 42)));
  const wide = Math.min(0.42 * w, measure(points, size));
  const room = w - 128 - wide;
  const fitted = (words, most) => (measure(words, size) > most ? { textLength: most, lengthAdjust: "spacingAndGlyphs" } : {});
  const name = shorten(player.name, SMALL, room);
  one.append(
    make("rect", { x: -w / 2, y: -PLATE[1] / 2, width: w, height: PLATE[1], rx: PLATE[1] / 2, class: "plate-ground" }),
    make("use", { href: `#mark-${number % MARKS}`, transform: `translate(${-w / 2 + 40} 0)`, class: `mark${number % MARKS}` }),
    text(name, -w / 2 + 74, 13, Math.min(42, room / measure(name, 1)), { "text-anchor": "start", class: "plate-name" }),
    ...Array.from({ length: left ?? 0 }, (_, at) => make("circle", { cx: -w / 2 + 84 + 18 * at, cy: 29, r: 6, class: "turn-left" })),
    text(points, w / 2 - 26, size * 0.36, size, { "text-anchor": "end", class: "plate-points", ...fitted(points, wide) }),
  );
  return one;
}

function arrow(step, number, size) {
  const [[x1, y1], [x2, y2]] = [step.start, step.end];
  const one = make("g", { class: "arrow" });
  const away = Math.hypot(x2 - x1, y2 - y1);
  if (!away) one.append(make("circle", { cx: x1, cy: y1, r: 62, class: "arrow-line" }));
  else {
    const [ux, uy] = [(x2 - x1) / away, (y2 - y1) / away];
    const bend = [(x1 + x2) / 2 + uy * away * 0.16, (y1 + y2) / 2 - ux * away * 0.16];
    one.append(make("path", { d: `M${x1} ${y1}Q${bend} ${x2 - ux * 34} ${y2 - uy * 34}`, class: "arrow-line", "marker-end": "url(#felt-head)" }));
  }
  const lying = make("g", { transform: `translate(${x1} ${y1})`, class: "astray" });
  lying.append(...step.cards.slice(0, 3).map((card) => face(card, size)));
  [...lying.children].forEach((card, at) => card.setAttribute("transform", `translate(${at * 22} 0)`));
  one.append(lying, make("circle", { cx: x1 - 44, cy: y1 - 44, r: 25, class: "arrow-dot" }), text(String(number), x1 - 44, y1 - 31, 37, { class: "arrow-number" }));
  return one;
}

// Shows a stack's cards large, with what is known of them.
function open(felt, stack, size) {
  const dialog = felt.querySelector("dialog");
  const cards = stack.cards.map((card) => {
    const wide = card.name.startsWith("board/") ? 254 : size[0] + 4;
    const one = make("svg", { viewBox: `${-wide / 2} ${-size[1] / 2 - 2} ${wide} ${size[1] + 4}`, role: "img", "aria-label": card.words || card.label, class: "large" });
    one.append(face({ ...card, new: false }, size));
    return one;
  });
  const line = (tag, words) => Object.assign(document.createElement(tag), { textContent: words });
  const many = stack.count > stack.cards.length ? [line("p", `× ${stack.count}`)] : [];
  const shown = Object.assign(document.createElement("p"), { className: "tiles" });
  shown.append(...cards);
  dialog.querySelector("[data-shown]").replaceChildren(line("h2", stack.title), shown, ...many, ...stack.notes.map((words) => line("p", words)));
  dialog.showModal();
}

function begin(felt) {
  const svg = make("svg", { class: "felt", role: "group", "aria-label": felt.dataset.title });
  const head = make("marker", { id: "felt-head", markerWidth: 4, markerHeight: 4, refX: 1.2, refY: 2, orient: "auto" }, make("path", { d: "M0 0 4 2 0 4z", class: "arrow-head" }));
  const light = make("radialGradient", { id: "felt-light", cx: 0.5, cy: 0.42, r: 0.8 }, make("stop", { class: "felt-near" }), make("stop", { offset: 1, class: "felt-far" }));
  svg.append(make("defs", {}, head, light), make("g", { "data-part": "ground" }), make("g", { "data-part": "cards" }), make("g", { "data-part": "over" }));
  felt.querySelector("[data-felt]").replaceChildren(svg);
  return svg;
}

// Draws what a state says into its place; the same place drawn again changes what has changed.
export function draw(felt, state) {
  const table = state?.table;
  felt.hidden = !table;
  if (!table) return;
  const svg = felt.querySelector("svg.felt") ?? begin(felt);
  const part = (name) => svg.querySelector(`[data-part=${name}]`);
  const [w, h] = table.mat;
  const size = table.card.map((side) => side * LARGER);
  const beside = table.arrows.some((step) => step.outside !== "neither") ? 110 : 0;
  svg.setAttribute("viewBox", `${-22 - beside} ${-RIM} ${w + 44 + beside} ${h + 2 * RIM}`);
  const ground = [make("rect", { x: -20, y: -RIM, width: w + 40, height: h + 2 * RIM, rx: 64, class: "felt-rim" }), make("rect", { width: w, height: h, rx: 48, fill: "url(#felt-light)" })];
  for (const { area: [x0, y0, x1, y1] } of table.seats) ground.push(make("rect", { x: x0 + 8, y: y0 + 8, width: x1 - x0 - 16, height: y1 - y0 - 16, rx: 36, class: "felt-seat" }));
  const before = (svg.laid ??= new Map());
  const laid = new Map();
  const groups = [];
  for (const stack of table.stacks) {
    if (!stack.cards.length) {
      if (!stack.place.startsWith("city")) ground.push(make("rect", { x: stack.x - size[0] / 2, y: stack.y - size[1] / 2, width: size[0], height: size[1], rx: 6, class: "felt-spot" }));
      continue;
    }
    const group = make("g", { class: "stack", tabindex: 0, role: "button", "aria-label": `${stack.title}: ${stack.cards.map((card) => card.words || card.label).join(", ")}` });
    stack.cards.forEach((card, number) => {
      const key = card.suit ? card.name : `${stack.place} ${card.name} ${number}`;
      const to = [stack.x + number * stack.step[0], stack.y + number * stack.step[1]];
      const one = face(card, size);
      group.append(one);
      glide(one, before.get(key) ?? before.get(card.name), to);
      laid.set(key, to);
    });
    if (stack.count > 1 && stack.count > stack.cards.length) group.append(make("g", { class: "count", transform: `translate(${stack.x + size[0] / 2} ${stack.y + size[1] / 2})` }, make("circle", { r: 22 }), text(String(stack.count), 0, 11, 29)));
    const show = () => open(felt, stack, table.card);
    group.addEventListener("click", show);
    group.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), show()));
    groups.push(group);
  }
  svg.laid = laid;
  const steps = table.arrows.map((step, at) => {
    const out = (end) => (step.outside === end ? [-75, h / 2] : step[end]);
    return arrow({ ...step, start: out("start"), end: out("end") }, at + 1, size);
  });
  part("ground").replaceChildren(...ground);
  part("cards").replaceChildren(...groups);
  part("over").replaceChildren(...table.seats.filter((seat) => seat.coins != null).map((seat) => purse(seat, table.mat)), ...table.seats.map((seat, at) => plate(seat, state.players[at] ?? { name: "", points: "", notes: [] }, at, table.mat, state.ending?.by_player[at])), ...steps);
}

export function serveFelts(root = document) {
  for (const felt of root.querySelectorAll("[data-table]")) draw(felt, JSON.parse(felt.dataset.table));
}
