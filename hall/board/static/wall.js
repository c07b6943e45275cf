// The wall: as many columns as let its letters be largest, and what changes.

import { follow } from "/static/follow.js";
import { keepTiles } from "/board/tiles.js";
import "/board/waited.js";

const grid = document.querySelector("#wall");
const lost = document.querySelector("#lost");

// So small a share of the screen's height, and nobody reads it from where they stand: then each table shows its name, whose
// turn it is and what it lacks, in larger letters.
const LEAST = 0.02;

// What a tile needs in widths and heights of its letters is what wall.css gives it.
function fit(count, wide, high) {
  let best = { size: 0, columns: 1, wide, high };
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(grid.clientWidth / columns / wide, grid.clientHeight / rows / high);
    if (size > best.size) best = { size, columns, wide, high };
  }
  return best;
}

function shape(count) {
  const seats = Math.max(2, ...[...grid.querySelectorAll("ol")].map((list) => list.children.length));
  let best = fit(count, 10.5, 3.5 + 1.25 * Math.min(seats, 8));
  const dense = best.size < LEAST * innerHeight;
  if (dense) best = fit(count, 7.5, 4.75);
  grid.classList.toggle("dense", dense);
  grid.style.gridTemplateColumns = `repeat(${best.columns}, minmax(0, 1fr))`;
  grid.style.setProperty("--high", best.high);
  grid.style.setProperty("--wide", best.wide);
  document.querySelector("#none").hidden = count > 0;
}

const keep = keepTiles(grid, document.querySelector("#top"), shape);
const show = (data) => {
  lost.hidden = true;
  keep(data);
};
follow(`/events?html=wall&language=${document.documentElement.lang}&${grid.dataset.query}`, show, (refused) => {
  lost.hidden = false;
  if (refused) setTimeout(() => location.reload(), 5000);
});
new ResizeObserver(() => shape(grid.children.length)).observe(grid);
