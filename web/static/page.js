// What is nicer with a script; without it every page works all the same.

import { fingersUp } from "./fingers.js";
import { serveFelts } from "./felt.js";
import { follow } from "./follow.js";
import { servePlayers } from "./player.js";

for (const form of document.querySelectorAll("form[data-submit]"))
  form.addEventListener("change", () => form.requestSubmit());

for (const form of document.querySelectorAll("form[data-sure]"))
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.sure)) event.preventDefault();
  });

for (const button of document.querySelectorAll("[data-choose]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const inputs = button.closest("form").querySelectorAll("input[type=file]");
    for (const input of inputs) input.removeAttribute("capture");
    inputs[0].click();
  });
}

// A picture that is chosen is sent: its label is the whole form, and shows it at once.
for (const form of document.querySelectorAll("form[data-at-once]")) {
  const input = form.querySelector("input[type=file]");
  const shown = form.querySelector("[data-thumbnail]");
  const frame = form.querySelector("[data-sent]");
  form.classList.add("at-once");
  shown.addEventListener("error", () => (frame.hidden = true));
  input.addEventListener("click", () => (input.value = ""));
  input.addEventListener("change", () => {
    if (!input.files.length) return;
    URL.revokeObjectURL(shown.src);
    shown.src = URL.createObjectURL(input.files[0]);
    frame.hidden = false;
    form.requestSubmit();
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
      form.classList.remove("under-way");
      form.classList.toggle("failed", Boolean(words));
      if (words) status.scrollIntoView({ block: "center" });
      bar.hidden = true;
      button.disabled = false;
      form.dispatchEvent(new Event("answered"));
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
      if (place) location.assign(place);
      // It is about another step by now, as after a reload while a picture was on its way: that one is shown.
      else if (request.status === 409) location.reload();
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
    form.classList.add("under-way");
    form.dispatchEvent(new Event("sent"));
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.send(new FormData(form));
  });

// The table as it changes: the newest state comes by itself, after a lost network too.
const table = document.querySelector("#table");
if (table) {
  const lost = document.querySelector("[data-lost-line]");
  const read = document.querySelector("[data-read]");
  const say = (words) => {
    lost.textContent = words;
    lost.hidden = !words;
  };
  let newest, silence;
  const show = async (data) => {
    newest = data;
    await fingersUp();
    if (newest !== data) return;
    const { press, long, answer } = { ...document.activeElement?.dataset, ...document.activeElement?.form?.dataset };
    const written = table.querySelector("[name=why]");
    const came = Object.assign(document.createElement("template"), { innerHTML: JSON.parse(data) }).content;
    const [felt, drawn] = [table, came].map((one) => one.querySelector("#felt"));
    if (felt && drawn) {
      // The drawing stays, so that its cards glide; what stands before and after it is exchanged.
      felt.dataset.table = drawn.dataset.table;
      const parts = [...came.children];
      for (const old of [...table.children]) if (old !== felt) old.remove();
      felt.before(...parts.slice(0, parts.indexOf(drawn)));
      felt.after(...parts.slice(parts.indexOf(drawn) + 1));
    } else table.replaceChildren(came);
    serveFelts(table);
    const said = table.querySelector("[data-said]").innerText;
    if (read.textContent !== said) read.textContent = said;
    say("");
    // What somebody is writing stays as it is.
    const fresh = table.querySelector("[name=why]");
    if (written?.closest("details").open && fresh) {
      fresh.closest("details").open = true;
      fresh.value = written.value;
      if (!press && document.activeElement === document.body) fresh.focus();
    }
    if (press) table.querySelector(`[data-press=${press}]${long === undefined ? ":not([data-long])" : "[data-long]"}`)?.focus();
    if (answer) table.querySelector(`[data-answer="${answer}"] button`)?.focus();
  };
  const lose = (refused) => {
    say(table.dataset.lost);
    if (refused) again();
  };
  const listen = follow(table.dataset.events, show, lose);
  // Refused: by a full page, which is asked again, or as the key is another one now, which the page says itself.
  const again = () => {
    clearTimeout(silence);
    silence = setTimeout(async () => {
      try {
        if ((await fetch("/", { cache: "no-store" })).status === 401) location.reload();
        else listen();
      } catch {
        again();
      }
    }, 3000 + 4000 * Math.random());
  };
  addEventListener("offline", () => say(table.dataset.lost));
  const send = async (address, data) => {
    try {
      const headers = { "Content-Type": "application/json", Accept: "application/json" };
      const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(data) });
      if (answer.ok) return;
      const error = (await answer.json()).error;
      say(error[document.documentElement.lang] || error.en);
    } catch {
      say(table.dataset.lost);
    }
  };
  let began = 0;
  table.addEventListener("pointerdown", () => (began = performance.now()));
  table.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "dialog") return;
    event.preventDefault();
    if (form.dataset.answer !== undefined) {
      const { of, headline } = form.elements;
      send("/answer", { choice: Number(form.dataset.answer), of: JSON.parse(of.value), headline: headline.value });
    } else if (form.dataset.call !== undefined)
      send("/call", { call: form.dataset.call === "true", why: form.elements.why?.value ?? "" });
    else {
      const seen = Object.fromEntries(["of", "chosen", "turn"].map((name) => [name, JSON.parse(form.elements[name].value)]));
      const { press, long } = event.submitter.dataset;
      send("/press", { button: press, long: long !== undefined || (began > 0 && performance.now() - began > 800), ...seen });
    }
    began = 0;
  });
}

// A game that is to begin: names of earlier evenings by a tap, players called by what was typed, a form that follows.
for (const form of document.querySelectorAll("form[data-start]")) {
  const names = [...form.querySelectorAll("[name=player]")];
  for (const select of form.querySelectorAll("[data-again]"))
    select.addEventListener("change", () => {
      // The form anew: sent, as no name is to stand in an address.
      form.action = `/start?${new URLSearchParams({ game: form.elements.game.value, seats: form.elements.seats.value })}`;
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "change", value: "1" }));
      form.submit();
    });
  const offered = form.querySelector("[data-names]");
  const key = (name) => name.normalize("NFKC").toLowerCase();
  const call = () => {
    const typed = names.map((one) => one.value.trim());
    const keys = typed.map(key);
    for (const option of form.querySelectorAll("option[data-seat]")) {
      option.dataset.words ??= option.textContent;
      option.textContent = typed[Number(option.dataset.seat)] || option.dataset.words;
    }
    for (const button of offered?.children ?? [])
      button.hidden = keys.includes(key(button.textContent)) || typed.every((name) => name);
  };
  form.addEventListener("input", call);
  offered?.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.textContent;
    const free = names.find((one) => !one.value.trim());
    if (!name || !free) return;
    free.value = name;
    call();
  });
  if (offered) offered.hidden = false;
  call();
}

serveFelts();
servePlayers();
