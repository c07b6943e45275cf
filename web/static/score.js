// Scoring on a phone: what is found in a picture that is on its way, names tapped, a result copied or sent as a picture.

// Corner marks light up in the picture as they are found; it stays when it is refused, with those that were.
for (const form of document.querySelectorAll("form[data-upload]")) {
  const found = form.querySelector("[data-found]");
  const status = form.querySelector("[data-status]");
  let timer = 0;
  const show = ({ markers, cards }) => {
    for (const [number, corners] of Object.entries(markers ?? {})) {
      if (found.querySelector(`[data-mark="${number}"]`)) continue;
      const mark = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
      mark.dataset.mark = number;
      mark.setAttribute("points", corners.map(([x, y]) => `${100 * x},${100 * y}`).join(" "));
      mark.style.animationDelay = `${found.children.length * 0.18}s`;
      found.append(mark);
    }
    if (!form.classList.contains("under-way") || !markers) return;
    status.textContent = cards
      ? form.dataset.cards.replace("#", cards)
      : `${form.dataset.marks.replace("#", Object.keys(markers).length)} · ${form.dataset.reading}`;
  };
  const look = async () => {
    try {
      const answer = await fetch("/score/progress.json", { cache: "no-store" });
      if (answer.ok) show(await answer.json());
    } catch {
      // The network is gone: the upload says so.
    }
  };
  form.addEventListener("sent", () => {
    found.replaceChildren();
    clearInterval(timer);
    timer = setInterval(look, 250);
  });
  form.addEventListener("answered", () => {
    clearInterval(timer);
    look();
  });
}

for (const form of document.querySelectorAll("[data-names-form]")) {
  const inputs = [...form.querySelectorAll("[name=player]")];
  const offered = form.querySelector("[data-names]");
  const key = (name) => name.trim().normalize("NFKC").toLowerCase();
  // What is wrong with the names is said beside them, before they are sent: an answer would empty the fields.
  const check = () => {
    const typed = inputs.map((one) => key(one.value));
    const missing = typed.some(Boolean) ? form.dataset.missing : "";
    inputs.forEach((one, at) => one.setCustomValidity(!typed[at] ? missing : typed.indexOf(typed[at]) < at ? form.dataset.same : ""));
  };
  form.addEventListener("input", check);
  form.addEventListener("invalid", () => (form.open = true), true);
  if (!offered) continue;
  const offer = () => {
    const taken = inputs.map((one) => key(one.value));
    check();
    for (const button of offered.children) button.hidden = taken.includes(key(button.textContent)) || taken.every(Boolean);
  };
  form.addEventListener("input", offer);
  offered.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const free = inputs.find((one) => !one.value.trim());
    if (button && free) free.value = button.textContent;
    offer();
  });
  offered.hidden = false;
  offer();
}

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Without https a page has no clipboard of its own, but may copy what is selected.
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await copy(button.dataset.copy.trim());
    button.textContent = button.dataset.copied;
  });
}

// Sent as a file where the phone can; saved where it can't, which the link does by itself.
for (const link of document.querySelectorAll("[data-send]")) {
  if (!navigator.canShare) continue;
  let file;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      file ??= new File([await (await fetch(link.href)).blob()], link.download, { type: "image/jpeg" });
      if (navigator.canShare({ files: [file] })) return await navigator.share({ files: [file], title: link.dataset.send });
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.name === "NotAllowedError") {
        link.textContent = link.dataset.again;
        return;
      }
    }
    Object.assign(document.createElement("a"), { href: link.href, download: link.download }).click();
  });
}
