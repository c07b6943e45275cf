// What comes by itself, as long as the tab is seen.

async function ownStreams() {
  const { serve } = await import("./streams.js");
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  return port1;
}

// Follows an address: `message` gets what comes, `lost` whether the way there is closed for good. Returns what leads
// elsewhere, or to the same once more.
export function follow(address, message, lost) {
  let port;
  const ask = () => port?.postMessage({ follow: document.hidden ? "" : address });
  const use = (streams) => {
    port = streams;
    port.onmessage = ({ data }) => (data.lost ? lost(data.refused) : message(data.data));
    ask();
  };
  if (globalThis.SharedWorker) {
    const worker = new SharedWorker("/static/streams.js", { type: "module" });
    worker.addEventListener("error", async () => use(await ownStreams()), { once: true });
    use(worker.port);
  } else ownStreams().then(use);
  document.addEventListener("visibilitychange", ask);
  addEventListener("pagehide", () => port?.postMessage({ follow: "" }));
  addEventListener("pageshow", (event) => event.persisted && ask());
  return (elsewhere = address) => {
    address = elsewhere;
    ask();
  };
}
