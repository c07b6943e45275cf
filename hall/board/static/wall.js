// The wall: as many columns as let its letters be largest, and what changes.

import { follow } from "/static/follow.js";
import { keepTiles } from "/board/tiles.js";
import "/board/waited.js";

const grid = document.querySelector("#wall");
const lost = document.querySelector("#lost");

// What a tile needs in widths and heights of its letters is what wall.css gives it.
function shape(count) {
  const seats = Math.max(2, ...[...grid.querySelectorAll("ol")].map((list) => list.children.length));
  const high = 3.5 + 1.25 * Math.min(seats, 8);
  let best = { size: 0, columns: 1 };
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(grid.clientWidth / columns / 10.5, grid.clientHeight / rows / high);
    if (size > best.size) best = { size, columns };
  }
  grid.style.gridTemplateColumns = `repeat(${best.columns}, minmax(0, 1fr))`;
  grid.style.setProperty("--high", high);
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
