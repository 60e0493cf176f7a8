// Behaviour of the report: sorting, filtering, opening rows, and the link between a bubble and its row. The page is complete without it.
"use strict";

/** @param {HTMLTableElement} table */
function makeSortable(table) {
  const body = table.tBodies[0];
  /** Rows travel with the detail row that follows them. @returns {HTMLTableRowElement[][]} */
  const groups = () => {
    const all = [];
    for (const row of body.rows) row.classList.contains("detail") ? all[all.length - 1].push(row) : all.push([row]);
    return all;
  };
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("th[data-sort]");
    if (!head) return;
    const column = head.cellIndex;
    const up = head.getAttribute("aria-sort") === "descending" || (head.dataset.sort === "text" && !head.hasAttribute("aria-sort"));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (group) => group[0].cells[column].dataset.v ?? group[0].cells[column].textContent;
    const order = groups().map((group) => ({ group, key: key(group) }));
    const numeric = head.dataset.sort === "number";
    const compare = numeric ? (a, b) => (a.key === "" ? -Infinity : +a.key) - (b.key === "" ? -Infinity : +b.key) : (a, b) => a.key.localeCompare(b.key);
    order.sort((a, b) => (up ? compare(a, b) : compare(b, a)));
    body.append(...order.flatMap((entry) => entry.group));
  });
}

/** @param {HTMLInputElement} input @param {HTMLTableElement} table */
function makeFilter(input, table) {
  const rows = [...table.tBodies[0].querySelectorAll("tr.layer")].map((row) => ({ row, text: (row.textContent + " " + (row.nextElementSibling?.textContent ?? "")).toLowerCase() }));
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { row, text } of rows) {
      const hide = !wanted.every((word) => text.includes(word));
      row.hidden = hide;
      if (hide) row.nextElementSibling.hidden = true;
    }
  });
}

/** @param {HTMLTableElement} table */
function makeLayers(table) {
  const bubbles = new Map([...document.querySelectorAll("svg.rl circle[data-id]")].map((c) => [c.dataset.id, c]));
  const mark = (row, on) => {
    row.classList.toggle("on", on);
    bubbles.get(row.id)?.classList.toggle("on", on);
  };
  for (const row of table.tBodies[0].querySelectorAll("tr.layer")) {
    row.addEventListener("mouseenter", () => mark(row, true));
    row.addEventListener("mouseleave", () => mark(row, false));
    row.addEventListener("click", () => (row.nextElementSibling.hidden = !row.nextElementSibling.hidden));
    row.nextElementSibling.hidden = true;
  }
  for (const [id, bubble] of bubbles)
    bubble.addEventListener("click", () => {
      const row = document.getElementById(id);
      if (!row) return;
      row.nextElementSibling.hidden = false;
      row.scrollIntoView({ block: "center" });
      mark(row, true);
    });
}

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
const layers = document.getElementById("layers");
if (layers) {
  makeLayers(layers);
  makeFilter(document.getElementById("filter"), layers);
}
