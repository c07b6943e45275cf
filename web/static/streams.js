// One stream for all tabs of a browser that follow the same: a browser has six connections to one place, and each stream
// keeps one. This is a shared worker; where there is none (Chrome for Android) every tab has its own while it is seen.

const MOST = 3;
const SILENT_MS = 40000;
const TURN_MS = 500;
// By address, those that wait for their turn in the order in which they had their last one.
const followed = new Map();

function tell(one, what) {
  one.heard = performance.now();
  for (const port of one.ports) port.postMessage(what);
}

function open(address, one) {
  one.source?.close();
  const source = (one.source = new EventSource(address));
  one.heard = performance.now();
  const hear = (what) => {
    if (one.source !== source) return;
    if (what) tell(one, what);
    else one.heard = performance.now();
    // What comes first is all there is to know: others can have their turn then.
    if (followed.size > MOST) setTimeout(() => one.source === source && pass(address, one), TURN_MS);
  };
  source.addEventListener("here", () => hear());
  source.addEventListener("message", ({ data }) => hear({ data }));
  source.addEventListener("error", () => hear({ lost: true, refused: source.readyState === EventSource.CLOSED }));
}

function close(one) {
  one.source?.close();
  one.source = undefined;
}

function pass(address, one) {
  if (followed.size <= MOST) return;
  close(one);
  followed.delete(address);
  followed.set(address, one);
  fill();
}

function fill() {
  let free = MOST - [...followed.values()].filter((one) => one.source).length;
  for (const [address, one] of followed)
    if (!one.source && free-- > 0) open(address, one);
}

function leave(port) {
  for (const [address, one] of followed)
    if (one.ports.delete(port) && !one.ports.size) {
      close(one);
      followed.delete(address);
    }
  fill();
}

function join(port, address) {
  leave(port);
  const one = followed.get(address) ?? { ports: new Set() };
  one.ports.add(port);
  followed.set(address, one);
  // A stream begins with all there is: who comes to it is told so, and whether it still lives.
  if (one.source) open(address, one);
  else fill();
}

export function serve(port) {
  port.onmessage = ({ data }) => (data.follow ? join(port, data.follow) : leave(port));
  port.onclose = () => leave(port);
}

addEventListener("connect", (event) => serve(event.ports[0]));
// What a sleeping phone or a lost network leaves behind looks open for a long time: every 15 s something comes.
setInterval(() => {
  for (const [address, one] of followed)
    if (one.source && performance.now() - one.heard > SILENT_MS) open(address, one);
}, 5000);
addEventListener("online", () => {
  for (const [address, one] of followed) if (one.source) open(address, one);
});
