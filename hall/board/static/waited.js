// How long each call has waited, by the hall's clock: a phone's may be wrong.

const now = document.querySelector("[data-now]");
const behind = now ? new Date(now.dataset.now) - Date.now() : 0;

export function ages() {
  for (const waited of document.querySelectorAll("[data-since]")) {
    const minutes = Math.max(0, Math.floor((Date.now() + behind - new Date(waited.dataset.since)) / 60000));
    const words = waited.dataset.minutes.replace("#", minutes);
    if (waited.textContent !== words) waited.textContent = words;
  }
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const at = new Date(Date.now() + behind).toTimeString().slice(0, 5);
    if (clock.textContent !== at) clock.textContent = at;
  }
}

ages();
setInterval(ages, 10000);
