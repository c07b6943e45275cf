// What changes by itself: fetched again and again, one request at a time, while the page is seen. Only those parts are
// replaced that have changed, and none under a finger, so that nobody's tap or focus is lost.

import { fingersUp } from "./fingers.js";

const said = document.querySelector("[data-said]");

function say(words) {
  said.textContent = words;
  said.hidden = !words;
}

function follow(box) {
  const every = Number(box.dataset.every);
  const shown = new Map();
  let timer = 0;
  let busy = false;
  let lost = false;
  let refused = 0;

  async function show(html) {
    const came = document.createElement("template");
    came.innerHTML = html;
    for (const part of came.content.querySelectorAll("[data-part]")) {
      const name = part.dataset.part;
      if (shown.get(name) === part.innerHTML) continue;
      const was = part.innerHTML;
      for (const picture of part.querySelectorAll("img")) await picture.decode().catch(() => {});
      await fingersUp();
      const old = box.querySelector(`[data-part="${name}"]`);
      const focused = old.contains(document.activeElement) ? document.activeElement.value : undefined;
      // What was refused is about what is gone now; it stays long enough to be read.
      const then = refused;
      if (name !== "picture")
        setTimeout(() => { if (then === refused) say(""); }, Math.max(0, then + 4000 - performance.now()));
      old.replaceChildren(...part.childNodes);
      shown.set(name, was);
      if (focused !== undefined)
        (Array.from(old.querySelectorAll("button")).find((one) => one.value === focused) ?? old.querySelector("button"))?.focus();
    }
  }

  async function round() {
    clearTimeout(timer);
    if (busy || document.hidden) return;
    busy = true;
    const began = performance.now();
    try {
      const answer = await fetch(box.dataset.poll, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(25000) });
      if (answer.status === 401) location.reload();
      if (answer.ok) await show(await answer.text());
      if (lost) say("");
      lost = false;
    } catch {
      lost = true;
      say(box.dataset.lost);
    }
    busy = false;
    timer = setTimeout(round, Math.max(50, every - (performance.now() - began)));
  }

  box.addEventListener("submit", async (event) => {
    event.preventDefault();
    // What is pressed next is about what this one leads to.
    if (box.hasAttribute("data-under-way")) return;
    box.setAttribute("data-under-way", "");
    const form = event.target;
    const body = new FormData(form, event.submitter);
    say("");
    try {
      const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
      if (!answer.ok) {
        const { error } = await answer.json();
        say(error[document.documentElement.lang] || error.en);
        refused = performance.now();
      } else if ((answer.headers.get("Location") ?? location.pathname) !== location.pathname) {
        location.assign(answer.headers.get("Location"));
      }
    } catch {
      say(box.dataset.lost);
    }
    while (busy) await new Promise((then) => setTimeout(then, 20));
    await round();
    box.removeAttribute("data-under-way");
  });
  document.addEventListener("visibilitychange", round);
  for (const part of box.querySelectorAll("[data-part]")) shown.set(part.dataset.part, part.innerHTML);
  timer = setTimeout(round, every);
}

for (const box of document.querySelectorAll("[data-poll]")) follow(box);
