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

/** Zoom, move, and labels in the bars that are wide enough. @param {SVGSVGElement} svg */
function makeTimeline(svg) {
  const left = +svg.dataset.left, width = +svg.dataset.width, total = +svg.dataset.ns;
  const [first, last] = svg.querySelectorAll("text.axis");
  const bars = [...svg.querySelectorAll("rect.sp")].map((rect) => {
    const label = rect.querySelector("title").textContent.replace(/^[a-z]+: /, "").split(",")[0];
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    text.classList.add("in");
    text.setAttribute("y", +rect.getAttribute("y") + 11);
    rect.after(text);
    return { rect, text, label, start: +rect.dataset.s, end: +rect.dataset.e };
  });
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
  const time = (share) => {
    const ns = share * total;
    const [size, unit] = units.find(([s]) => Math.abs(ns) >= s) ?? [1, "ns"];
    return (ns / size).toPrecision(4).replace(/\.?0+$/, "") + " " + unit;
  };
  let low = 0, high = 1;
  const draw = () => {
    const x = (share) => left + Math.min(1, Math.max(0, (share - low) / (high - low))) * width;
    for (const bar of bars) {
      const from = x(bar.start), wide = x(bar.end) - from;
      const hidden = bar.end < low || bar.start > high;
      bar.rect.style.display = hidden ? "none" : "";
      bar.rect.setAttribute("x", from);
      bar.rect.setAttribute("width", Math.max(wide, 0.4));
      const letters = hidden ? 0 : Math.floor((wide - 6) / 6);
      bar.text.textContent = letters < 3 ? "" : bar.label.slice(0, letters);
      bar.text.setAttribute("x", from + 3);
    }
    first.textContent = time(low);
    last.textContent = time(high);
  };
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    return (((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width - left) / width;
  };
  const show = (from, span) => {
    const size = Math.min(1, Math.max(span, 1e-6));
    low = Math.min(1 - size, Math.max(0, from));
    high = low + size;
    draw();
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const share = Math.min(1, Math.max(0, at(event))), span = (high - low) * Math.exp(event.deltaY / 400);
    show(low + share * (high - low - span), span);
  }, { passive: false });
  let held = null, moved = false;
  svg.addEventListener("pointerdown", (event) => { held = { at: at(event), low }; moved = false; });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const by = held.at - at(event);
    moved ||= Math.abs(by) > 0.003;
    if (moved) show(held.low + by * (high - low), high - low);
  });
  window.addEventListener("pointerup", () => (held = null));
  svg.addEventListener("dblclick", () => show(0, 1));
  svg.addEventListener("click", (event) => {
    const row = moved ? null : document.getElementById(event.target.dataset?.id ?? "");
    if (!row) return;
    row.nextElementSibling.hidden = false;
    row.scrollIntoView({ block: "center" });
  });
  draw();
}

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
const timeline = document.getElementById("timeline");
if (timeline) makeTimeline(timeline);
const layers = document.getElementById("layers");
if (layers) {
  makeLayers(layers);
  makeFilter(document.getElementById("filter"), layers);
}
