// A tap is of what stood there when it began: while a finger lies on the page, or the space bar is down, nothing is
// redrawn. Else the browser finds another element where the finger rises, and nobody is told of the tap.

const LONGEST_MS = 10000;
const CLICK_MS = 350;
const down = new Set();
let waiting = [];
let held = false;
let timer = 0;

function letGo(after) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    held = false;
    down.clear();
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  }, after);
}

function press(what) {
  down.add(what);
  held = true;
  // A finger whose rising nobody hears of holds up nothing for ever.
  letGo(LONGEST_MS);
}

function lift(what, after) {
  down.delete(what);
  if (held && !down.size) letGo(after);
}

addEventListener("pointerdown", (event) => press(event.pointerId), true);
// What was pressed is told a little after the finger has risen.
addEventListener("pointerup", (event) => lift(event.pointerId, CLICK_MS), true);
addEventListener("pointercancel", (event) => lift(event.pointerId, 0), true);
addEventListener("click", () => held && !down.size && letGo(0), true);
addEventListener("keydown", (event) => event.key === " " && press(" "), true);
addEventListener("keyup", (event) => event.key === " " && lift(" ", 0), true);

// Resolves at once, or when no finger lies on the page any more, in the order in which it was asked.
export const fingersUp = () => (held ? new Promise((go) => waiting.push(go)) : undefined);
