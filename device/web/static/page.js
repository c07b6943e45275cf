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
