#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// How long the page of runs takes in a browser: Debian's Chromium, driven by playwright-core
// (scripts/fetch_playwright.sh).
//
//   build/bench/ridge_many_runs runs.db 10000
//   bench/serve_paint.mjs runs.db [REPEATS]
//
// Prints, each of REPEATS (9) times and as a median: first contentful paint of the page without anything kept
// and once more, from the moment at which the browser asks for it; the same for a page of 1,000 rows; and the
// time from a change of a filter to the picture with its rows. Then the bytes of scripts and styles, as they
// are and by gzip. RIDGE_PROGRAM, or build/ridge; RIDGE_CHROMIUM, or chromium.
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [store, repeats = 9] = process.argv.slice(2);
const ridge = process.env.RIDGE_PROGRAM || join(root, "build", "ridge");
const folder = execFileSync(join(root, "scripts", "fetch_playwright.sh"), { encoding: "utf8" }).trim();
const { chromium } = createRequire(import.meta.url)(folder);

/** The server, and its one-time address. */
async function serve() {
  const server = spawn(ridge, ["serve", store, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: server.stdout }))
    if (line.includes("open once: ")) return { server, login: line.split("open once: ")[1].trim() };
  throw new Error("the server ended");
}

const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
const shown = (name, times) =>
  console.log(`${name}: median ${median(times).toFixed(0)} ms of ${times.map((t) => t.toFixed(0)).join(" ")}`);

/** First contentful paint of a page, in ms since its navigation began. @param {import("playwright-core").Page} page */
async function paintOf(page, address) {
  await page.goto(address, { waitUntil: "load" });
  return page.evaluate(
    () =>
      new Promise((done) => {
        const seen = (list) => {
          const entry = list.getEntriesByName("first-contentful-paint")[0];
          if (entry) done(entry.startTime);
        };
        new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
      }),
  );
}

/** From a change of the filter to the picture after its rows are there; how many they are. */
function filterTime(page, text) {
  return page.evaluate(
    (model) =>
      new Promise((done) => {
        const input = document.querySelector("#filters input[name=model]");
        const old = document.getElementById("rows");
        const begun = performance.now();
        new MutationObserver((_, observer) => {
          if (document.getElementById("rows") === old) return;
          observer.disconnect();
          const rows = document.querySelectorAll("#runs tbody tr").length;
          requestAnimationFrame(() => setTimeout(() => done({ took: performance.now() - begun, rows })));
        }).observe(old.parentNode, { childList: true });
        input.value = model;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    text,
  );
}

async function measure(browser, login) {
  const base = new URL("/", login).href;
  const first = await browser.newContext();
  await (await first.newPage()).goto(login);
  const state = await first.storageState();
  for (const [name, address] of [["page of runs", base], ["page of 1,000 rows", base + "?limit=1000"]]) {
    const fresh = [], again = [];
    for (let i = 0; i < repeats; ++i) {
      const context = await browser.newContext({ storageState: state });
      const page = await context.newPage();
      fresh.push(await paintOf(page, address));
      again.push(await paintOf(page, address));
      await context.close();
    }
    shown(`first paint, ${name}, nothing kept`, fresh);
    shown(`first paint, ${name}, once more`, again);
  }
  const page = await first.newPage();
  await page.goto(base);
  const texts = ["resnet", "vgg", "zoo", "nothing", "lab", "mobile", "dense", "bert", "squeeze", "unet", "e"];
  const times = [];
  for (let i = 0; i < repeats; ++i) {
    const text = texts[i % texts.length];
    const { took, rows } = await filterTime(page, text);
    times.push(took);
    if ((rows === 0) !== (text === "nothing")) throw new Error(`${rows} rows of ${text}`);
  }
  shown("filter", times);
  let plain = 0, packed = 0;
  for (const name of ["style.css", "report.js", "serve.js"]) {
    const body = await (await first.request.get(base + name)).body();
    plain += body.length;
    packed += gzipSync(body).length;
  }
  console.log(`scripts and styles: ${plain} bytes, ${packed} by gzip`);
  console.log(`load average ${loadavg()[0].toFixed(2)}`);
}

const { server, login } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.RIDGE_CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});
try {
  await measure(browser, login);
} finally {
  await browser.close();
  server.kill("SIGTERM");
}
