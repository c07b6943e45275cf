// A tile for each table, and what stands over them, as the stream tells them: what has not changed is not touched.

import { fingersUp } from "/static/fingers.js";
import { ages } from "/board/waited.js";

// `shape` is called with the number of tiles whenever some have come.
export function keepTiles(grid, top, shape) {
  const tiles = new Map([...grid.children].map((tile) => [tile.dataset.name, tile]));
  const place = (name, html) => {
    let tile = tiles.get(name);
    if (!tile) {
      tile = document.createElement("li");
      tile.dataset.name = name;
      tiles.set(name, tile);
      grid.append(tile);
    }
    const focused = tile.contains(document.activeElement);
    tile.innerHTML = html;
    if (focused) tile.firstElementChild.focus();
  };
  shape(tiles.size);
  return async (data) => {
    await fingersUp();
    const told = JSON.parse(data);
    if (told.order) {
      const known = new Set(told.order);
      for (const [name, tile] of tiles) if (!known.has(name)) tile.remove(), tiles.delete(name);
    }
    for (const [name, html] of Object.entries(told.tiles)) place(name, html);
    for (const name of told.gone) tiles.get(name)?.remove(), tiles.delete(name);
    if (told.order) {
      let next = grid.firstElementChild;
      for (const name of told.order) {
        const tile = tiles.get(name);
        if (tile === next) next = next.nextElementSibling;
        else if (tile) grid.insertBefore(tile, next);
      }
    }
    if (told.top !== undefined && !(top.contains(document.activeElement) && top.dataset.told === told.top)) {
      const open = top.querySelector("details")?.open;
      if (top.dataset.told !== told.top) top.innerHTML = top.dataset.told = told.top;
      if (open) top.querySelector("details")?.setAttribute("open", "");
    }
    ages();
    shape(tiles.size);
  };
}
