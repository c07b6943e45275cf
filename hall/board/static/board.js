// The grid as it changes. Without a script the page comes anew every ten seconds, and all forms work.

import { fingersUp } from "/static/fingers.js";
import { follow } from "/static/follow.js";
import { keepTiles } from "/board/tiles.js";
import "/board/waited.js";

const grid = document.querySelector("#grid");
const top_ = document.querySelector("#top");

if (grid) {
  const finder = document.querySelector("#finder");
  const lost = document.querySelector("#lost");
  const none = document.querySelector("#none");
  const keep = keepTiles(grid, top_, (count) => {
    none.hidden = count > 0;
    grid.dataset.size = count <= 12 ? "few" : count <= 120 ? "some" : "many";
  });
  const show = (data) => {
    lost.hidden = true;
    keep(data);
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
  const listen = follow(events(), show, lose);
}

// Standings that hang on a wall come anew by themselves when a game has ended.
if (document.querySelector("[data-renew]")) {
  let known;
  const renew = async (count) => {
    known ??= count;
    if (count === known) return;
    await fingersUp();
    if (!document.activeElement?.closest("form")) location.reload();
  };
  follow("/results/events", renew, () => {});
}
