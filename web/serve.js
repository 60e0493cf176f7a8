// SPDX-License-Identifier: Apache-2.0
// Behavior of the served lists: rows follow the filters while they are typed. The pages work without it.
"use strict";

const filters = document.getElementById("filters");
let asked = 0;

/** Replaces the rows by those of the page at that address, unless a later one was asked for meanwhile. @param {string} address */
async function showRows(address) {
  const turn = ++asked;
  const answer = await fetch(address);
  if (turn !== asked || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (turn !== asked) return;
  document.getElementById("rows").replaceWith(page.getElementById("rows"));
  for (const table of document.querySelectorAll("#rows table.sortable")) makeSortable(table);
  history.replaceState(null, "", address);
}

/** Address of the list with the filters that have a value. */
function filteredAddress() {
  const set = [...new FormData(filters)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(set).toString();
  return filters.getAttribute("action") + (query ? "?" + query : "");
}

if (filters) {
  filters.addEventListener("input", () => showRows(filteredAddress()));
  filters.addEventListener("submit", (event) => {
    event.preventDefault();
    showRows(filteredAddress());
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#rows a[rel]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showRows(link.getAttribute("href"));
  });
}

/** Sends a request that changes something. @param {string} method @param {string} address @param {object} [body] */
function change(method, address, body) {
  return fetch(address, { method, headers: { "X-Ridge-Request": "1", "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
}

const start = document.getElementById("start");
if (start)
  start.addEventListener("submit", async (event) => {
    event.preventDefault();
    const set = [...new FormData(start)].filter(([, value]) => value !== "");
    const answer = await change("POST", "/api/v1/jobs", { verb: "eval", ...Object.fromEntries(set) });
    const said = await answer.json();
    if (answer.ok) location.assign("/jobs/" + said.job);
    else document.getElementById("refusal").textContent = said.message + (said.hint ? ": " + said.hint : "");
  });

const tried = document.getElementById("try");

/** Bytes of a file or text in base64. @param {Blob} file @returns {Promise<string>} */
function base64Of(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result).split(",")[1] || ""));
    reader.addEventListener("error", () => failed(reader.error));
    reader.readAsDataURL(file);
  });
}

if (tried)
  tried.addEventListener("submit", async (event) => {
    event.preventDefault();
    const set = new FormData(tried);
    const file = set.get("sample"), text = set.get("text").toString();
    const kind = !file.name || file.name.endsWith(".txt") ? "text" : file.name.endsWith(".npy") ? "tensor" : "picture";
    const sample = { kind, name: file.name.slice(0, 60), data: await base64Of(file.name ? file : new Blob([text])) };
    const answer = await change("POST", "/api/v1/try", { models: set.getAll("models"), runtimes: set.getAll("runtimes"), sample });
    const said = await answer.json();
    if (answer.ok) location.assign("/try/" + said.number);
    else document.getElementById("refusal").textContent = said.message + (said.hint ? ": " + said.hint : "");
  });

/** Replaces an element by what the page now has of it, again and again. @param {string} id @param {number} pause_ms @param {(element: HTMLElement) => boolean} goesOn */
async function follow(id, pause_ms, goesOn) {
  await new Promise((done) => setTimeout(done, pause_ms));
  const answer = await fetch(location.href).catch(() => undefined);
  const page = answer && answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  const element = page && page.getElementById(id);
  if (element) {
    document.getElementById(id).replaceWith(element);
    for (const table of element.querySelectorAll("table.sortable")) makeSortable(table);
  }
  if (goesOn(document.getElementById(id))) follow(id, pause_ms, goesOn);
}

if (document.querySelector("#trial[data-state=running]")) follow("trial", 500, (trial) => trial.dataset.state === "running");
for (const element of document.querySelectorAll("[data-follow]")) follow(element.id, 2000, (now) => "follow" in now.dataset);

const cancel = document.getElementById("cancel");
if (cancel && !cancel.disabled) {
  const events = new EventSource("/api/v1/jobs/" + cancel.dataset.job + "/events");
  const show = (event) => {
    const job = JSON.parse(event.data);
    document.getElementById("state").textContent = job.state;
    document.getElementById("said").textContent = job.said;
  };
  events.addEventListener("state", show);
  events.addEventListener("ended", (event) => {
    show(event);
    cancel.disabled = true;
    events.close();
  });
  cancel.addEventListener("click", () => change("DELETE", "/api/v1/jobs/" + cancel.dataset.job));
}
