// The grid as it changes. Without a script the page comes anew every ten seconds, and all forms work.

import { fingersUp } from "/static/fingers.js";
import { follow } from "/static/follow.js";

const grid = document.querySelector("#grid");
const top_ = document.querySelector("#top");

// How long each call has waited, by the hall's clock: a phone's may be wrong.
const now = document.querySelector("[data-now]");
const behind = now ? new Date(now.dataset.now) - Date.now() : 0;
function ages() {
  for (const waited of document.querySelectorAll("[data-since]")) {
    const minutes = Math.max(0, Math.floor((Date.now() + behind - new Date(waited.dataset.since)) / 60000));
    const words = waited.dataset.minutes.replace("#", minutes);
    if (waited.textContent !== words) waited.textContent = words;
  }
}

if (grid) {
  const finder = document.querySelector("#finder");
  const lost = document.querySelector("#lost");
  const none = document.querySelector("#none");
  let tiles = new Map();

  const shape = () => {
    none.hidden = tiles.size > 0;
    grid.dataset.size = tiles.size <= 12 ? "few" : tiles.size <= 120 ? "some" : "many";
  };
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
  const show = async (data) => {
    await fingersUp();
    const told = JSON.parse(data);
    lost.hidden = true;
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
    if (told.top !== undefined && !(top_.contains(document.activeElement) && top_.dataset.told === told.top)) {
      const open = top_.querySelector("details")?.open;
      if (top_.dataset.told !== told.top) top_.innerHTML = top_.dataset.told = told.top;
      if (open) top_.querySelector("details")?.setAttribute("open", "");
      ages();
    }
    shape();
  };
  const lose = (refused) => {
    lost.textContent = lost.dataset.words;
    lost.hidden = false;
    if (refused) setTimeout(() => location.reload(), 2000);
  };
  const events = () => `/events?html&language=${document.documentElement.lang}&${grid.dataset.query}`;
  let typing;
  const find = () => {
    const query = new URLSearchParams(new FormData(finder)).toString();
    history.replaceState(null, "", `/?${query}`);
    grid.dataset.query = query;
    listen(events());
  };
  finder.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(find, 250);
  });
  finder.addEventListener("submit", (event) => {
    event.preventDefault();
    find();
  });
  top_.addEventListener("submit", (event) => {
    event.preventDefault();
    event.submitter.disabled = true;
    fetch(event.target.action, { method: "POST", headers: { Accept: "application/json" } })
      .then(async (answer) => {
        if (answer.ok) return;
        const error = (await answer.json()).error;
        lost.textContent = error[document.documentElement.lang] || error.en;
        lost.hidden = false;
      })
      .catch(() => {})
      .finally(() => setTimeout(() => (event.submitter.disabled = false), 2000));
  });
  tiles = new Map([...grid.children].map((tile) => [tile.dataset.name, tile]));
  shape();
  const listen = follow(events(), show, lose);
}
ages();
setInterval(ages, 10000);

// Standings that hang on a wall come anew by themselves.
if (document.querySelector("[data-renew]"))
  setInterval(async () => {
    await fingersUp();
    if (!document.activeElement?.closest("form")) location.reload();
  }, 60000);
