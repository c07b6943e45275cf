// Looks back on a game: turn by turn, by buttons, slider, arrow keys and a tap on the course of points.

import { draw } from "./felt.js";

// `find` gives what is known of a turn, from 0: its words, points, table and pictures.
export function play(root, count, find) {
  const part = (name) => root.querySelector(`[data-player=${name}]`);
  const slider = part("slider");
  const course = root.querySelector("svg.course");
  const seek = async (to) => {
    const at = Math.max(0, Math.min(count - 1, to));
    slider.value = at;
    const turn = await find(at);
    if (Number(slider.value) !== at) return;
    draw(root.querySelector("#felt"), turn);
    part("count").textContent = `${turn.number} / ${count}`;
    part("words").textContent = turn.words;
    part("points").replaceChildren(...turn.scores.map((words) => Object.assign(document.createElement("span"), { textContent: words })));
    part("pictures").replaceChildren(...turn.pictures.map((picture) => Object.assign(document.createElement("img"), { src: picture, alt: "" })));
    part("before").disabled = at === 0;
    part("next").disabled = at === count - 1;
    const now = course?.querySelector("[data-now]");
    if (now) for (const end of ["x1", "x2"]) now.setAttribute(end, (Number(now.dataset.now) * at) / Math.max(1, count - 1));
  };
  const step = (by) => seek(Number(slider.value) + by);
  part("before").addEventListener("click", () => step(-1));
  part("next").addEventListener("click", () => step(1));
  slider.addEventListener("input", () => seek(Number(slider.value)));
  course?.addEventListener("click", (event) => {
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(course.getScreenCTM().inverse());
    seek(Math.round((x / Number(course.querySelector("[data-now]").dataset.now)) * (count - 1)));
  });
  root.hidden = false;
  seek(count - 1);
}

export function servePlayers() {
  for (const root of document.querySelectorAll("[data-turns]")) {
    const inline = document.querySelector("#turns");
    const kept = inline && JSON.parse(inline.textContent);
    const asked = new Map();
    const ask = (at) => {
      if (!asked.has(at)) asked.set(at, fetch(`${root.dataset.turns}/${at + 1}.json`).then((answer) => answer.json()));
      return asked.get(at);
    };
    play(root, Number(root.dataset.count), (at) => (kept ? kept[at] : ask(at)));
  }
}
