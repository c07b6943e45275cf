// The table read aloud by the browser's own voice: whose turn it is, the verdict, the steps to put it right.
// Telephones let a page speak only once somebody has tapped, and only what is new is spoken.

const table = document.querySelector("#table");
const button = document.querySelector("[data-speak]");
const voice = window.speechSynthesis;

if (table && button && voice) {
  // What the last few screens said: a table that is looked at again says the same once more.
  const REMEMBERED = 3;
  const SILENT = ".hands, .reading, .menu, .paused, .notice";
  let on = false;
  let recent = [];

  const lines = () => {
    const band = table.querySelector("[data-said]");
    if (!band || band.matches(SILENT)) return [];
    const parts = [...band.querySelectorAll("h1, p"), ...table.querySelectorAll(".steps li > div > span:last-child")];
    return parts.map((part) => part.innerText.trim()).filter((words) => words);
  };

  const speak = () => {
    const now = lines();
    if (!on || !now.length) return;
    const fresh = now.filter((words) => !recent.some((before) => before.includes(words)));
    if (JSON.stringify(recent.at(-1)) !== JSON.stringify(now)) recent = [...recent, now].slice(-REMEMBERED);
    if (!fresh.length) return;
    // What is no longer so keeps nobody from hearing what is.
    voice.cancel();
    for (const words of fresh) {
      const said = new SpeechSynthesisUtterance(words);
      said.lang = document.documentElement.lang;
      voice.speak(said);
    }
  };

  const start = button.textContent;
  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    on = !on;
    recent = [];
    button.textContent = on ? button.dataset.stop : start;
    button.setAttribute("aria-pressed", on);
    if (on) speak();
    else voice.cancel();
  });
  addEventListener("pagehide", () => voice.cancel());
  new MutationObserver(speak).observe(table, { childList: true });
}
