// Scoring on a phone: names tapped, a result copied or sent as a picture.

for (const form of document.querySelectorAll("[data-names-form]")) {
  const inputs = [...form.querySelectorAll("[name=player]")];
  const offered = form.querySelector("[data-names]");
  const key = (name) => name.trim().normalize("NFKC").toLowerCase();
  if (!offered) continue;
  const offer = () => {
    const taken = inputs.map((one) => key(one.value));
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
