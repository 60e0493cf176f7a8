// SPDX-License-Identifier: Apache-2.0
// Behavior of the report: sorting, filtering, expanding rows, zooming timelines, and links between a bubble or bar and its row. The page is complete without it.
"use strict";

/** Makes Enter and the space bar act like a click. @param {Element} element */
function actOnKeys(element) {
  element.tabIndex = 0;
  element.addEventListener("keydown", (event) => {
    if (event.target !== element || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    element.click();
  });
}

/** Expands everything that hides the row with that id, scrolls to it and marks it. @param {string} id */
function reveal(id) {
  const row = document.getElementById(id);
  if (!row) return;
  if (row.matches("tr.layer")) row.nextElementSibling.hidden = false;
  for (let around = row.querySelector("details") ?? row; around; around = around.parentElement?.closest("details")) around.open = true;
  row.scrollIntoView({ block: "center" });
  for (const other of document.querySelectorAll("li.on, tr.on")) other.classList.remove("on");
  row.classList.add("on");
}

/** @param {HTMLTableElement} table */
function makeSortable(table) {
  const body = table.tBodies[0];
  /** Rows, each with its detail row, which is moved with it. @returns {HTMLTableRowElement[][]} */
  const groups = () => {
    const all = [];
    for (const row of body.rows) row.classList.contains("detail") ? all[all.length - 1].push(row) : all.push([row]);
    return all;
  };
  for (const cell of table.tHead.querySelectorAll("th[data-sort]")) actOnKeys(cell);
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
  const rows = [...table.tBodies[0].querySelectorAll("tr.layer")], ids = new Set(rows.map((row) => row.id));
  const bubbles = new Map([...document.querySelectorAll("svg.rl circle[data-id]")].filter((c) => ids.has(c.dataset.id)).map((c) => [c.dataset.id, c]));
  const mark = (row, on) => {
    row.classList.toggle("on", on);
    bubbles.get(row.id)?.classList.toggle("on", on);
  };
  for (const row of rows) {
    row.addEventListener("mouseenter", () => mark(row, true));
    row.addEventListener("mouseleave", () => mark(row, false));
    row.addEventListener("click", () => (row.nextElementSibling.hidden = !row.nextElementSibling.hidden));
    actOnKeys(row);
    row.nextElementSibling.hidden = true;
  }
  for (const [id, bubble] of bubbles) bubble.addEventListener("click", () => reveal(id));
}

/** Part of a name that fits: the end of a path, the first of several names. @param {string} name @param {number} letters */
function fitting(name, letters) {
  if (name.length <= letters) return name;
  const first = name.split(" + ")[0];
  for (let at = first.indexOf("/"); at >= 0; at = first.indexOf("/", at + 1))
    if (first.length - at - 1 <= letters) return first.slice(at + 1);
  const last = first.slice(first.lastIndexOf("/") + 1);
  return letters < 4 ? "" : last.slice(0, letters - 1) + "…";
}

/** Adds zooming, panning, and labels in the bars that are wide enough. @param {SVGSVGElement} svg */
function makeTimeline(svg) {
  const left = +svg.dataset.left, width = +svg.dataset.width, total = +svg.dataset.ns;
  const ticks = svg.querySelector("g.ticks"), bottom = ticks.querySelector("line").getAttribute("y2");
  const make = (name, parent, attributes, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    parent.append(element);
    return element;
  };
  const bars = [...svg.querySelectorAll("rect.sp")].map((rect) => {
    const name = rect.querySelector("title").textContent.split("\n")[0].replace(/^[a-z]+: /, "").replace(/, [^,]* from [^,]*$/, "");
    return { rect, name, text: null, start: +rect.dataset.s, end: +rect.dataset.e };
  });
  const label = (bar, x, wide) => {
    const shown = wide < 26 || +bar.rect.getAttribute("height") < 12 ? "" : fitting(bar.name, Math.floor((wide - 6) / 6.2));
    if (!shown && !bar.text) return;
    bar.text ??= make("text", svg, { class: "in", y: +bar.rect.getAttribute("y") + 11 });
    bar.text.textContent = shown;
    bar.text.setAttribute("x", x + 3);
  };
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  const time = (ns, step) => {
    if (ns === 0) return "0";
    const [size, unit] = units.find(([s]) => ns >= s) ?? [1, "ns"];
    const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
    return (ns / size).toFixed(digits) + " " + unit;
  };
  let low = 0, high = 1;
  const x = (share) => left + Math.min(1, Math.max(0, (share - low) / (high - low))) * width;
  const drawTicks = () => {
    const rough = ((high - low) * total) / 8, decade = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max([1, 2, 5, 10].map((m) => m * decade).find((s) => s >= rough), 1);
    ticks.replaceChildren();
    for (let at = Math.ceil((low * total) / step) * step; at <= high * total * (1 + 1e-12); at += step) {
      const where = x(at / total);
      make("line", ticks, { x1: where, x2: where, y1: 18, y2: bottom });
      make("text", ticks, { x: where, y: 13 }, time(at, step));
    }
  };
  const draw = () => {
    for (const bar of bars) {
      const from = x(bar.start), wide = x(bar.end) - from;
      const hidden = bar.end < low || bar.start > high;
      bar.rect.style.display = hidden ? "none" : "";
      bar.rect.setAttribute("x", from);
      bar.rect.setAttribute("width", Math.max(wide, 0.4));
      label(bar, from, hidden ? 0 : wide);
    }
    drawTicks();
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
  const zoom = (by, share) => show(low + share * (high - low) * (1 - by), (high - low) * by);
  // The wheel scrolls the page unwithout the timeline has the focus or Ctrl is pressed.
  svg.addEventListener("wheel", (event) => {
    if (document.activeElement !== svg && !event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 400), Math.min(1, Math.max(0, at(event))));
  }, { passive: false });
  const keys = { "+": () => zoom(0.7, 0.5), "=": () => zoom(0.7, 0.5), "-": () => zoom(1 / 0.7, 0.5), 0: () => show(0, 1), ArrowLeft: () => show(low - 0.1 * (high - low), high - low), ArrowRight: () => show(low + 0.1 * (high - low), high - low) };
  svg.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
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
    const id = event.target.dataset?.id;
    if (id && !moved && event.detail < 2) reveal(id);
  });
  draw();
}

/** Adds sorting, filtering and collapsing to the tree of a comparison. @param {HTMLElement} controls @param {HTMLUListElement} tree */
function makeTree(controls, tree) {
  const orders = [["apart", "largest time difference first"], ["lost", "most time lost first"], ["gained", "most time gained first"], ["first", "in the model's order"]];
  const select = document.createElement("select"), filter = document.createElement("input");
  select.setAttribute("aria-label", "order");
  for (const [key, text] of orders) select.add(new Option(text, key));
  const value = (row, key) => (row.dataset[key] === "" ? -Infinity : +row.dataset[key]);
  select.addEventListener("change", () => {
    const key = select.value, up = key === "first";
    for (const list of [tree, ...tree.querySelectorAll("ul")]) {
      const sorted = [...list.children].sort((a, b) => (up ? value(a, key) - value(b, key) : value(b, key) - value(a, key)) || 0);
      list.append(...sorted, ...sorted.filter((row) => row.matches(".rest")));
    }
  });
  filter.type = "search";
  filter.placeholder = "filter: module, node, verdict";
  filter.setAttribute("aria-label", "filter groups");
  const leaves = [...tree.querySelectorAll("li:not(.module)")].map((row) => ({ row, text: row.textContent.toLowerCase() }));
  const modules = [...tree.querySelectorAll("li.module")].reverse();
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { row, text } of leaves) row.hidden = !wanted.every((word) => text.includes(word) || row.closest("li.module")?.querySelector(".path").textContent.toLowerCase().includes(word));
    for (const module of modules) {
      module.hidden = wanted.length > 0 && !module.querySelector("li:not(.module):not([hidden])");
      if (wanted.length > 0 && !module.hidden) module.firstElementChild.open = true;
    }
  });
  const fold = (text, open) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => {
      for (const module of modules) module.firstElementChild.open = open;
      if (!open) for (const { row } of leaves) if (row.firstElementChild.open) row.firstElementChild.open = false;
    });
    return button;
  };
  controls.append(filter, select, fold("open modules", true), fold("fold all", false));
  controls.hidden = false;
}

/** Marks the bars of the group that is under the pointer or has the focus, in all timelines. */
function linkGroups() {
  const bars = new Map();
  for (const bar of document.querySelectorAll("svg.tl rect[data-id]")) bars.set(bar.dataset.id, [...(bars.get(bar.dataset.id) ?? []), bar]);
  const mark = (id, on) => { for (const bar of bars.get(id) ?? []) bar.classList.toggle("on", on); };
  for (const row of document.querySelectorAll("li.group[id]"))
    for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) row.addEventListener(event, () => mark(row.id, on));
  for (const [id, same] of bars)
    for (const bar of same) {
      bar.addEventListener("mouseenter", () => mark(id, true));
      bar.addEventListener("mouseleave", () => mark(id, false));
    }
}

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
for (const timeline of document.querySelectorAll("svg.tl")) makeTimeline(timeline);
for (const table of document.querySelectorAll("table[id$=layers]")) {
  makeLayers(table);
  makeFilter(document.getElementById(table.id.replace(/layers$/, "filter")), table);
}
const controls = document.getElementById("tree-controls");
if (controls) makeTree(controls, document.querySelector(".cmp ul.tree"));
linkGroups();
