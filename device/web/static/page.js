// What is nicer with a script; without it every page works all the same.

for (const form of document.querySelectorAll("form[data-submit]"))
  form.addEventListener("change", () => form.requestSubmit());

for (const form of document.querySelectorAll("form[data-sure]"))
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.sure)) event.preventDefault();
  });

for (const button of document.querySelectorAll("[data-share]"))
  if (navigator.share) {
    button.hidden = false;
    button.addEventListener("click", () => {
      navigator.share({ title: button.dataset.share, text: button.dataset.text }).catch(() => {});
    });
  }

for (const button of document.querySelectorAll("[data-choose]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const inputs = button.closest("form").querySelectorAll("input[type=file]");
    for (const input of inputs) input.removeAttribute("capture");
    inputs[0].click();
  });
}

// An upload shows how far it is; its result, or why there is none, comes without leaving the form's answers.
for (const form of document.querySelectorAll("form[data-upload]"))
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const status = form.querySelector("[data-status]");
    const bar = form.querySelector("[data-progress]");
    const button = form.querySelector("button.main");
    const request = new XMLHttpRequest();
    const end = (words) => {
      status.textContent = words;
      status.classList.toggle("fault", Boolean(words));
      bar.hidden = true;
      button.disabled = false;
    };
    request.upload.addEventListener("progress", (sent) => {
      bar.max = sent.total;
      bar.value = sent.loaded;
      if (sent.loaded === sent.total) {
        bar.removeAttribute("value");
        status.textContent = form.dataset.reading;
      }
    });
    request.addEventListener("load", () => {
      const place = request.getResponseHeader("Location");
      if (request.status === 200 && place) location.assign(place);
      else {
        let words = form.dataset.lost;
        try {
          const error = JSON.parse(request.responseText).error;
          words = error[document.documentElement.lang] || error.en;
        } catch {}
        end(words);
      }
    });
    for (const trouble of ["error", "abort", "timeout"]) request.addEventListener(trouble, () => end(form.dataset.lost));
    status.classList.remove("fault");
    status.textContent = form.dataset.sending;
    bar.hidden = false;
    button.disabled = true;
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.send(new FormData(form));
  });

// The table as it changes: the newest state comes by itself, after a lost network too.
const table = document.querySelector("#table");
if (table) {
  const lost = document.querySelector("[data-lost-line]");
  const follow = new EventSource(table.dataset.events);
  follow.addEventListener("message", (event) => {
    const focused = document.activeElement?.dataset?.press;
    const written = table.querySelector("[name=why]");
    table.innerHTML = JSON.parse(event.data);
    lost.hidden = true;
    // What somebody is writing stays as it is.
    const fresh = table.querySelector("[name=why]");
    if (written?.closest("details").open && fresh) {
      fresh.closest("details").open = true;
      fresh.value = written.value;
      if (!focused && document.activeElement === document.body) fresh.focus();
    }
    if (focused) table.querySelector(`[data-press=${focused}]`)?.focus();
  });
  follow.addEventListener("error", () => {
    lost.textContent = table.dataset.lost;
    lost.hidden = false;
    if (follow.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 2000);
  });
  const send = (address, data) =>
    fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
  let began = 0;
  table.addEventListener("pointerdown", () => (began = performance.now()));
  table.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    if (form.dataset.answer !== undefined)
      send("/answer", { choice: Number(form.dataset.answer), of: JSON.parse(form.elements.of.value) });
    else if (form.dataset.call !== undefined)
      send("/call", { call: form.dataset.call === "true", why: form.elements.why?.value ?? "" });
    else send("/press", { button: event.submitter.dataset.press, long: began > 0 && performance.now() - began > 800 });
    began = 0;
  });
}
