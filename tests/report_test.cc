// SPDX-License-Identifier: Apache-2.0
// Tests of the reports in a browser: sorting, filtering, collapsing, and keyboard control of the
// timeline. Skipped without Chromium.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "bricks/testing/lettered.h"
#include "profile/read.h"
#include "report/advice/page.h"
#include "report/bricks/page.h"
#include "report/evaluation/page.h"
#include "report/evaluation/testing.h"
#include "report/profile/page.h"
#include "roofline/place.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

/// Script that follows the page's own script, and replaces the document by its findings.
constexpr std::string_view kReader = R"(<script>
const said = [], tree = document.querySelector(".cmp ul.tree"), timeline = document.querySelector("svg.tl");
window.addEventListener("error", (event) => said.push("error " + event.message));
const names = () => [...tree.children].filter((row) => !row.hidden).map((row) => row.querySelector(".path").textContent).join(" | ");
const order = document.querySelector("#tree-controls select"), filter = document.querySelector("#tree-controls input");
const choose = (key) => { order.value = key; order.dispatchEvent(new Event("change")); said.push(key + ": " + names()); };
for (const key of ["apart", "lost", "gained", "first"]) choose(key);
const look = (words) => { filter.value = words; filter.dispatchEvent(new Event("input")); said.push("'" + words + "': " + names()); };
for (const words of ["gemm", "layer1 conv1", "slower", ""]) look(words);
const ticks = () => [...timeline.querySelectorAll(".ticks text")].map((text) => text.textContent).join(" ");
const press = (key) => { timeline.dispatchEvent(new KeyboardEvent("keydown", { key })); said.push(key + " " + ticks()); };
for (const key of ["+", "ArrowRight", "0"]) press(key);
const row = document.getElementById("group-2"), open = () => row.firstElementChild.open;
said.push("closed " + !open());
timeline.querySelector("[data-id=group-2]").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
said.push("opened " + open());
const marked = () => timeline.querySelectorAll("rect.on").length;
row.dispatchEvent(new FocusEvent("focusin"));
said.push("marked " + marked());
document.body.innerHTML = "<pre id=said></pre>";
document.getElementById("said").textContent = said.join("\n");
</script>
)";

/// Expected findings. Differences of the groups, as in tests/cli/compare.txt: -203.0, +38.76 and
/// -0.059 µs; inserted layers stay last. Both timelines are built from medians, 1.36 ms long, with
/// a bar per layer.
constexpr std::string_view kSaid =
    R"(apart: conv1 + bn1 + relu + maxpool | layer1.0: conv1 + bn1 + relu | fc: Gemm | inserted by the runtime
lost: layer1.0: conv1 + bn1 + relu | fc: Gemm | conv1 + bn1 + relu + maxpool | inserted by the runtime
gained: conv1 + bn1 + relu + maxpool | fc: Gemm | layer1.0: conv1 + bn1 + relu | inserted by the runtime
first: conv1 + bn1 + relu + maxpool | layer1.0: conv1 + bn1 + relu | fc: Gemm | inserted by the runtime
'gemm': fc: Gemm
'layer1 conv1': layer1.0: conv1 + bn1 + relu
'slower': layer1.0: conv1 + bn1 + relu | inserted by the runtime
'': conv1 + bn1 + relu + maxpool | layer1.0: conv1 + bn1 + relu | fc: Gemm | inserted by the runtime
+ 400 µs 600 µs 800 µs 1.0 ms
ArrowRight 400 µs 600 µs 800 µs 1.0 ms 1.2 ms
0 0 200 µs 400 µs 600 µs 800 µs 1.0 ms 1.2 ms
closed true
opened true
marked 2)";

/// Text of the element with id `said` after a browser has opened that page.
std::string said_by(const Workplace& place, std::string_view page) {
  const Outcome o = place.run(
      "timeout 90 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync "
      "--virtual-time-budget=4000 --user-data-dir=\"$PWD/chromium\" --dump-dom \"file://$PWD/" +
      std::string(page) + "\"");
  const std::size_t said = o.out.find("<pre id=\"said\">");
  EXPECT_NE(said, std::string::npos) << o.out << o.err;
  const std::string text = o.out.substr(o.out.find('>', std::min(said, o.out.size())) + 1);
  return text.substr(0, text.find("</pre>"));
}

/// Findings of the script `reader` on page.html, which has the content `page` or is written by
/// `command`; empty without a browser.
std::string said_of(const std::string& command, std::string_view reader,
                    std::string_view page = "") {
  const Workplace place;
  if (place.run("command -v chromium").status != 0) return "";
  write_text(place.folder() / "reader", reader);
  write_text(place.folder() / "page", page);
  EXPECT_EQ(place.run("cp ../page page.html; " + command + "; cat ../reader >>page.html").status,
            0);
  return said_by(place, "page.html");
}

TEST(BrowserSlow, TheReportOfAComparisonObeysItsReader) {
  const std::string said =
      said_of("ridge compare ort.json openvino.json --report page.html", kReader);
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said, kSaid);
}

/// Script for the table of layers of an accelerator's page: sorting, filter, expanding a row.
constexpr std::string_view kAcceleratorReader = R"js(<script>
const said = [], table = document.getElementById("layers"), filter = document.getElementById("filter");
window.addEventListener("error", (event) => said.push("error " + event.message));
const names = () => [...table.tBodies[0].querySelectorAll("tr.layer:not([hidden])")].map((row) => row.cells[0].textContent).join(" | ");
said.push("first: " + names());
table.tHead.rows[0].cells[3].click();
said.push("by MACs: " + names());
filter.value = "30,20"; filter.dispatchEvent(new Event("input"));
said.push("filtered: " + names());
const row = table.querySelector("tr.layer"), open = () => !row.nextElementSibling.hidden;
said.push("closed " + !open());
row.click();
said.push("opened " + open());
said.push("bars " + (document.querySelectorAll("svg.ac rect").length > 0));
document.body.innerHTML = "<pre id=said></pre>";
document.getElementById("said").textContent = said.join("\n");
</script>
)js";

TEST(BrowserSlow, TheTableOfAnAcceleratorsPageObeysItsReader) {
  const std::string said =
      said_of("ridge accel --gemm 10,20,30 --gemm 30,20,30 --machine edge-32 --report page.html",
              kAcceleratorReader);
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said,
            "first: 10,20,30 | 30,20,30\nby MACs: 30,20,30 | 10,20,30\nfiltered: 30,20,30\n"
            "closed true\nopened true\nbars true");
}

/// Script that reports for each cut: position of its mark (on the curve of the layers, above it if
/// the part takes longer, or below), height of its interval in thousandths of the axis, and
/// position of its hollow mark.
constexpr std::string_view kVerificationReader = R"js(<script>
const said = [], chart = document.querySelector("svg.vf");
window.addEventListener("error", (event) => said.push("error " + event.message));
const curve = [...chart.querySelector(".said").points];
const at = (x) => {
  const i = curve.findIndex((point) => point.x >= x - 0.1), a = curve[Math.max(i - 1, 0)], b = curve[i];
  return b.x === a.x ? b.y : a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
};
const side = (mark) => {
  const off = mark.cy.baseVal.value - at(mark.cx.baseVal.value);
  return Math.abs(off) < 0.6 ? "on" : off < 0 ? "above" : "below";
};
said.push("points " + curve.length);
for (const cut of chart.querySelectorAll(".cut")) {
  const [mark, cold] = cut.querySelectorAll("circle"), line = cut.querySelector("line");
  const tall = line ? Math.round(Math.abs(line.y2.baseVal.value - line.y1.baseVal.value) / (curve[0].y - 16) * 1000) : "no";
  said.push([cut.dataset.node, cut.classList[1], side(mark), tall, cold ? "hollow " + side(cold) : ""].join(" ").trim());
}
said.push("inside " + [...chart.querySelectorAll("circle")].every((c) => c.getBBox().y >= 0 && c.getBBox().x >= 0));
said.push("rows " + chart.closest("section").querySelectorAll("tbody tr").length);
document.body.innerHTML = "<pre id=said></pre>";
document.getElementById("said").textContent = said.join("\n");
</script>
)js";

/// Profile with four layers of 100 us and 100 us outside them, and three cuts.
profile::Profile verified_profile() {
  profile::Profile p;
  p.subject.path = "verified.onnx";
  p.latency.ns = {5e5, {{5e5, 5e5}}};
  p.profiling.corrected_sum_ns = 4e5;
  p.profiling.outside_layers_ns = 1e5;
  for (std::uint32_t i = 0; i < 4; ++i) {
    p.nodes.push_back({.index = i, .parent = {}, .name = "<n" + std::to_string(i) + ">"});
    profile::Layer layer;
    layer.index = i;
    layer.type = "Conv";
    layer.corrected_ns = 1e5;
    layer.members.push_back({.node = i});
    p.layers.push_back(std::move(layer));
  }
  const auto cut = [](std::uint32_t layers, double part_ns, profile::Verdict verdict) {
    profile::VerifiedCut c{.node = layers - 1, .tensor = "t"};
    c.layers = layers;
    c.layers_ns = 1e5 * layers;
    c.outside_ns = 0.25e5 * layers;
    c.part_ns = {part_ns, {{part_ns - 1e4, part_ns + 1e4}}};
    c.verdict = verdict;
    return c;
  };
  p.verification.cuts = {cut(1, 1.25e5, profile::Verdict::kAgrees),
                         cut(2, 3.5e5, profile::Verdict::kDiffers),
                         cut(3, 3.25e5, profile::Verdict::kExplained)};
  p.verification.cuts[2].explained_ns = stats::Estimate{3.75e5, {{3.7e5, 3.8e5}}};
  return p;
}

TEST(BrowserSlow, TheCurveOfAVerificationShowsWhereThePartsLie) {
  const std::string page = report::profile_page(verified_profile(), {});
  const std::string said = said_of("true", kVerificationReader, page);
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said,
            "points 5\n0 agrees on 40\n1 differs above 40\n2 explained below 40 hollow on\n"
            "inside true\nrows 3");
}

/// Script that reports for each point's table: number of rows, of rows left by its filter, and
/// whether a row is open before and after a click.
constexpr std::string_view kSweepReader = R"js(<script>
const said = [document.querySelector("h1").textContent, document.querySelector(".lever").textContent];
window.addEventListener("error", (event) => said.push("error " + event.message));
for (const point of ["point-1-", "point-2-"]) {
  const table = document.getElementById(point + "layers"), filter = document.getElementById(point + "filter");
  const rows = () => table.querySelectorAll("tr.layer:not([hidden])").length;
  const all = rows();
  filter.value = point === "point-1-" ? "n1" : "n";
  filter.dispatchEvent(new Event("input"));
  const row = document.getElementById(point + "layer-1"), open = () => !row.nextElementSibling.hidden;
  const before = open();
  row.click();
  said.push([point, all, rows(), before, open()].join(" "));
}
document.body.innerHTML = "<pre id=said></pre>";
document.getElementById("said").textContent = said.join("\n");
</script>
)js";

TEST(BrowserSlow, TheTablesOfASweepsPageObeyTheirReader) {
  profile::Sweep sweep{{verified_profile(), verified_profile()}};
  for (profile::Profile& p : sweep.profiles) {
    p.verification = {};
    p.items_per_s = 3;
    p.subject.threads = 1;
  }
  sweep.profiles[1].subject.threads = 2;
  sweep.profiles[1].items_per_s = 2;
  const std::string said = said_of("true", kSweepReader, report::sweep_page(sweep, {{}, {}}));
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said,
            "verified.onnx\n2 threads: 0.67 x the throughput of 1 (too few runs to tell).\n"
            "point-1- 4 1 false true\npoint-2- 4 4 false true");
}

/// Script that follows the link to the terms, and reports whether their table is shown before and
/// after.
constexpr std::string_view kTermsReader = R"js(<script>
const said = [], shown = () => document.getElementById("terms").checkVisibility();
window.addEventListener("error", (event) => said.push("error " + event.message));
said.push("shown " + shown());
document.querySelector("a[href='#terms']").click();
said.push("shown " + shown());
document.body.innerHTML = "<pre id=said></pre>";
document.getElementById("said").textContent = said.join("\n");
</script>
)js";

TEST(BrowserSlow, TheLinkToTheTermsOpensTheirTable) {
  const std::string said =
      said_of("true", kTermsReader, report::profile_page(verified_profile(), {}));
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said, "shown false\nshown true");
}

/// Plan of two networks that share a brick, its times and its check.
struct CheckedBricks {
  bricks::Plan plan = bricks::testing::lettered({"abcc", "bdd"});
  std::vector<bricks::ModelProgress> estimates;
  bricks::Check check;

  CheckedBricks() {
    plan.models[1].name += "<b>";
    for (bricks::Brick& brick : plan.bricks)
      for (bricks::Occurrence& o : brick.occurrences)
        if (o.model == "m1") o.model = plan.models[1].name;
    for (const double error : {0.02, -0.2}) {
      const stats::Estimate estimate{1e6 * (1 + error),
                                     {{1e6 * (0.99 + error), 1e6 * (1.01 + error)}}};
      const std::string& name = plan.models[check.models.size()].name;
      check.models.push_back({.name = name,
                              .measured = {1e6, {{0.99e6, 1.01e6}}},
                              .estimate = estimate,
                              .seconds = 1});
      estimates.push_back({.name = name, .estimate = estimate, .half_width = 0.01});
    }
    check.times.run_s = 1;
  }
  std::string page() const {
    return report::bricks_page({.plan = &plan, .estimates = estimates, .check = &check});
  }
};

/// Script for the page of bricks: sorts a table, opens the closed charts, and reports widths of the
/// parts of a bar, shades of the matrix, places of errors relative to the bands, and whether
/// everything in a chart is inside it.
constexpr std::string_view kBricksReader = R"js(<script>
const said = [], table = (id) => document.getElementById(id);
window.addEventListener("error", (event) => said.push("error " + event.message));
const names = (id) => [...table(id).tBodies[0].rows].map((row) => row.cells[0].textContent).join(" ");
said.push("first: " + names("repeats"));
table("repeats").tHead.rows[0].cells[1].click();
said.push("by MACs: " + names("repeats"));
for (const bar of document.querySelectorAll("#repeats .stack")) {
  const wide = bar.getBoundingClientRect().width;
  said.push([...bar.children].map((part) => part.className + " " + Math.round(part.getBoundingClientRect().width / wide * 10)).join(", "));
}
said.push("closed " + document.querySelectorAll("details.figure:not([open])").length);
for (const opens of document.querySelectorAll("details")) opens.open = true;
const cells = document.querySelector("svg.bm.cells");
said.push("shared " + [...cells.querySelectorAll(".c")].map((c) => (+getComputedStyle(c).fillOpacity).toFixed(2)).join(" "));
const names_of = document.querySelector("svg.bm.names");
said.push("names beside cells " + [...names_of.querySelectorAll("text")].every((text, i) => {
  const row = cells.querySelectorAll(".self")[i].getBoundingClientRect(), box = text.getBoundingClientRect();
  return box.right < row.left && Math.abs(box.top + box.bottom - row.top - row.bottom) < 8;
}));
const errors = document.querySelector("svg.be");
const within = (css, dot) => {
  const band = errors.querySelector(css).getBoundingClientRect(), box = dot.getBoundingClientRect();
  return box.left > band.left && box.right < band.right;
};
for (const dot of errors.querySelectorAll("circle")) said.push("dot " + (within(".near", dot) ? "near" : within(".far", dot) ? "far" : "outside"));
for (const svg of document.querySelectorAll("svg")) {
  const edge = svg.getBoundingClientRect();
  const out = [...svg.querySelectorAll("text, rect, circle, line, path")].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - 1 || box.bottom > edge.bottom + 1;
  });
  said.push(svg.classList + " " + (out.length === 0 ? "inside" : "outside: " + out[0].outerHTML));
}
document.body.innerHTML = "<pre id=said></pre>";
document.getElementById("said").textContent = said.join("\n");
</script>
)js";

TEST(BrowserSlow, TheChartsOfBricksShowTheirFigures) {
  const std::string said = said_of("true", kBricksReader, CheckedBricks().page());
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said,
            "first: m0 m1&lt;b&gt;\nby MACs: m1&lt;b&gt; m0\n"
            "known 3, repeated 3, fresh 3\nrepeated 2, fresh 7\nclosed 2\nshared 0.31 0.39\n"
            "names beside cells true\ndot near\ndot outside\nbe inside\nbm names inside\n"
            "bm cells inside\nbm names inside\nbm cells inside\nbk inside\nbk inside");
}

/// Script that expands everything, then reports to the enclosing frame whether the page fits its
/// width, and which elements exceed the width outside of scrolling boxes.
constexpr std::string_view kMeasure = R"js(<script>
addEventListener("load", () => {
  for (const opens of document.querySelectorAll("details")) opens.open = true;
  for (const row of document.querySelectorAll("tr.layer")) row.click();
  const wide = (e) => e.getBoundingClientRect().right > innerWidth + 1;
  const boxed = (e) => e && (getComputedStyle(e).overflowX === "auto" || boxed(e.parentElement));
  const name = (e) => e.tagName.toLowerCase() + (e.className.baseVal ?? e.className).replace(/^|\s+/g, ".");
  const out = [...document.querySelectorAll("main *")].filter((e) => wide(e) && !boxed(e)).map(name);
  const fits = document.documentElement.scrollWidth <= innerWidth;
  parent.postMessage(innerWidth + (fits ? " fits" : " is " + document.documentElement.scrollWidth) +
                     [...new Set(out)].slice(0, 6).map((text) => " " + text).join(""), "*");
});
</script>
)js";

constexpr std::string_view kFrames = R"(<!DOCTYPE html><body><pre id="said"></pre><script>
const said = [];
addEventListener("message", (event) => {
  said.push(event.data);
  document.getElementById("said").textContent = said.sort().join("\n");
});
for (const width of [390, 1280, 1920])
  document.write(`<iframe src="page.html" style="border:0;height:900px;width:${width}px"></iframe>`);
</script>)";

/// Findings of the script `measure` on the page on a phone, a laptop and a wide screen: its fit, by
/// default. Empty without a browser.
std::string fit_of(const std::string& command, std::string_view page = "",
                   std::string_view measure = kMeasure) {
  const Workplace place;
  if (place.run("command -v chromium").status != 0) return "";
  write_text(place.folder() / "measure", measure);
  write_text(place.folder() / "frames", kFrames);
  write_text(place.folder() / "page", page);
  const Outcome made = place.run("cp ../page page.html; " + command +
                                 "; cat ../measure >>page.html; cp ../frames frames.html");
  EXPECT_EQ(made.status, 0) << made.err;
  return said_by(place, "frames.html");
}

constexpr std::string_view kFits = "1280 fits\n1920 fits\n390 fits";

/// Recorded run with long, unbreakable names, as some runtimes generate them.
profile::Profile long_names() {
  auto runs = profile::read_profiles(read_text(source_tree() / "tests/runs/ort.json"));
  EXPECT_TRUE(runs.ok());
  profile::Profile p = runs.ok() ? std::move(runs->front()) : profile::Profile();
  const std::string name(140, 'x');
  p.subject.path = "/data/" + name + ".onnx";
  for (profile::Layer& layer : p.layers) {
    layer.type = "FusedConvolutionWithBatchNormalizationAndRelu";
    layer.implementation = name;
    for (profile::Kernel& kernel : layer.kernels) kernel.name = kernel.type = name;
  }
  for (profile::Node& node : p.nodes) node.name = node.module = name + "/" + node.name;
  return p;
}

roofline::Roofs some_roofs() {
  roofline::Roofs roofs;
  roofs.compute.push_back({.kind = "compute", .dtype = "float32", .unit = "FLOP/s", .value = 1e11});
  roofs.levels.push_back({"memory", 0, 1e10});
  return roofs;
}

TEST(BrowserSlow, PagesOfProfilesFitEveryWidth) {
  const profile::Profile run = long_names();
  const std::string fit = fit_of("true", report::profile_page(run, some_roofs()));
  if (fit.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(fit, kFits);
  EXPECT_EQ(fit_of("true", report::profile_page(verified_profile(), some_roofs())), kFits);
  EXPECT_EQ(fit_of("true", report::sweep_page({{run, run}}, {some_roofs(), some_roofs()})), kFits);
  const report::TitledChart chart{"1 thread", report::layer_chart(run, some_roofs())};
  EXPECT_EQ(
      fit_of("true", report::chart_page("Roofline", "all of " + run.subject.path, {chart, chart})),
      kFits);
}

/// Says which columns of the layers can be seen without scrolling, and whether the table shows that
/// there are more.
constexpr std::string_view kColumns = R"js(<script>
addEventListener("load", () => {
  const table = document.getElementById("layers"), around = table.parentElement, seen = [];
  const cells = [...table.querySelector("tr.layer").cells];
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    const box = cells[i].getBoundingClientRect();
    if (box.width > 0 && box.right <= innerWidth) seen.push(head.textContent);
  });
  const more = around.scrollWidth > around.clientWidth;
  const shown = getComputedStyle(around).backgroundAttachment.includes("local");
  parent.postMessage(innerWidth + " " + seen.join(", ") + (more ? ", more" + (shown ? " shown" : "") : ""), "*");
});
</script>)js";

TEST(BrowserSlow, OnAPhoneTimeAndShareOfALayerAreVisible) {
  const auto runs = profile::read_profiles(read_text(source_tree() / "tests/runs/ort.json"));
  ASSERT_TRUE(runs.ok());
  const std::string seen =
      fit_of("true", report::profile_page(runs->front(), some_roofs()), kColumns);
  if (seen.empty()) GTEST_SKIP() << "no chromium";
  const std::string all =
      " #, type, nodes of the model, time, share, above bound, GFLOP/s, GB/s, FLOP/B, bound, of "
      "its "
      "bound\n";
  EXPECT_EQ(seen + "\n", "1280" + all + "1920" + all +
                             "390 type, nodes of the model, time, share, more shown\n");
}

TEST(BrowserSlow, PagesOfComparisonsFitEveryWidth) {
  const std::string fit = fit_of("ridge compare ort.json openvino.json --report page.html");
  if (fit.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(fit, kFits);
  EXPECT_EQ(fit_of("ridge compare ort.json openvino.json batch8.json means.json "
                   "--report page.html"),
            kFits);
}

TEST(BrowserSlow, PagesOfBricksFitEveryWidth) {
  const std::string fit = fit_of("true", CheckedBricks().page());
  if (fit.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(fit, kFits);
  const std::vector<std::string> words(24, "abcdefghij");
  bricks::Plan plan = bricks::testing::lettered(words);
  for (bricks::Brick& brick : plan.bricks) {
    brick.file = std::string(140, 'f');
    brick.kernels.assign(15, "FusedConvolutionWithBatchNormalization");
  }
  plan.left_over = {{"m0", {20}, std::string(200, 'r'), ""}};
  EXPECT_EQ(fit_of("true", report::bricks_page({.plan = &plan})), kFits);
}

/// Advice on the recorded run `run`: an edit of its first two nodes that was checked, and one of all
/// nodes that was not.
advice::Advice advice_on(const profile::Profile& run) {
  advice::Advice out{.model = run.subject.path, .measured_ns = {1e6, {{0.9e6, 1.1e6}}}};
  out.host = std::string(140, 'h');
  out.model_bound.time_ns = 1.1e5;
  out.kernel_bound.sequential_ns = 2.2e5;
  out.achievable.sequential_ns = 5.5e5;
  advice::Finding checked{.id = "checked", .nodes = {0, 1}, .command = std::string(200, 'c')};
  checked.gain_ns = stats::Estimate{2e5, {{1e5, 3e5}}};
  checked.check.emplace();
  checked.check->state = advice::CheckState::kGained;
  checked.check->gain_ns = {4e5, {{3e5, 5e5}}};
  advice::Finding predicted{.id = "predicted", .evidence = std::string(200, 'e')};
  for (const profile::Node& node : run.nodes) predicted.nodes.push_back(node.index);
  predicted.gain_ns = stats::Estimate{1e5, {{0, 2e5}}};
  out.findings = {predicted, checked};
  out.notes = {std::string(200, 'n')};
  return out;
}

/// Script for the page of advice: widths of the bars relative to the measured one, marks of the
/// gains from left to right, arrows that point up and where their labels are, and whether a link to
/// a node shows its layer.
constexpr std::string_view kAdviceReader = R"js(<script>
const said = [], box = (e) => e.getBoundingClientRect();
window.addEventListener("error", (event) => said.push("error " + event.message));
const bars = [...document.querySelectorAll("#figures tbody tr")].map((row) => row.querySelector(".scale i"));
said.push("bars " + bars.map((bar) => (bar ? Math.round(box(bar).width / box(bars.at(-1)).width * 100) : "none")).join(" "));
const row = document.getElementById("finding-0"), [predicted, achieved] = row.querySelectorAll("svg.gp circle");
said.push("first " + row.querySelector(".path").firstChild.textContent.trim() + ", open " + row.firstElementChild.open);
said.push("achieved on the right " + (box(achieved).left > box(predicted).right) + ", below " + (box(achieved).top > box(predicted).bottom));
const arrows = document.querySelector("svg.rl .arrows"), edge = box(document.querySelector("svg.rl"));
said.push("up " + [...arrows.querySelectorAll("line")].map((line) => line.y2.baseVal.value < line.y1.baseVal.value).join(" "));
const inside = (e) => box(e).left >= edge.left && box(e).right <= edge.right && box(e).top >= edge.top && box(e).bottom <= edge.bottom;
said.push("inside " + [...arrows.querySelectorAll("*:not(title)")].every(inside));
for (const line of arrows.querySelectorAll("line")) said.push(line.parentNode.classList + " " + getComputedStyle(line).strokeDasharray);
said.push("selects " + getComputedStyle(document.querySelector("code.command")).userSelect);
const link = document.querySelector("#findings a");
link.click();
said.push("link to " + document.querySelector("tr.layer:target").id);
document.body.innerHTML = "<pre id=said></pre>";
document.getElementById("said").textContent = said.join("\n");
</script>
)js";

TEST(BrowserSlow, ThePageOfAdviceShowsItsFigures) {
  auto runs = profile::read_profiles(read_text(source_tree() / "tests/runs/ort.json"));
  ASSERT_TRUE(runs.ok());
  profile::Profile& run = runs->front();
  for (profile::Layer& layer : run.layers) {
    layer.work.macs = 1'000'000;
    layer.bytes = 1'000'000;
  }
  roofline::place(run, some_roofs());
  const std::string said =
      said_of("true", kAdviceReader, report::advice_page(advice_on(run), run, some_roofs()));
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said,
            "bars none 11 none 22 none 55 100\nfirst checked, open true\n"
            "achieved on the right true, below true\nup true true\ninside true\n"
            "achieved none\npredicted 5px, 3px\nselects all\nlink to layer-0");
}

TEST(BrowserSlow, PagesOfAdviceFitEveryWidth) {
  const profile::Profile run = long_names();
  const std::string fit = fit_of("true", report::advice_page(advice_on(run), run, some_roofs()));
  if (fit.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(fit, kFits);
}

/// Script for the page of an evaluation: reports the verdicts, how far percentiles stand from the
/// mark of the bound, whether the lines of the distribution rise, the heights of run and wait, and
/// whether everything in a chart is inside it.
constexpr std::string_view kEvaluationReader = R"js(<script>
const said = [], all = (css, of) => [...(of ?? document).querySelectorAll(css)];
window.addEventListener("error", (event) => said.push("error " + event.message));
for (const verdict of all(".verdict b")) said.push(verdict.textContent);
const percentiles = document.querySelector("svg[aria-label^='percentiles']");
const bound = percentiles.querySelector(".limit").x1.baseVal.value;
const marks = all(".whisker circle", percentiles).map((dot) => dot.cx.baseVal.value);
said.push("percentiles " + marks.length);
const at99 = marks.slice(8, 10);  // of both runtimes, the bound is that of p99
said.push("p99 " + at99.map((x) => x < bound ? "within" : "beyond").join(" "));
for (const line of all("svg[aria-label='latency by share of the queries'] polyline")) {
  const points = [...line.points];
  said.push("rises " + points.every((p, i) => i === 0 || (p.x >= points[i - 1].x && p.y <= points[i - 1].y)));
}
const bars = all("#steps tbody tr").map((row) => +row.cells[3].dataset.v);
const drawn = all("svg[aria-label='steps of the application'] rect").map((rect) => rect.width.baseVal.value);
const sum = (list) => list.reduce((a, b) => a + b, 0);
said.push("bars " + [0, 5].every((first) => {
  const shares = bars.slice(first, first + 5), widths = drawn.slice(first, first + 5);
  return widths.every((w, i) => Math.abs(w / sum(widths) - shares[i]) < 0.001);
}));
said.push("probes " + all("svg[aria-label^='share of late'] circle").map((dot) => dot.classList[0]).join(" "));
document.getElementById("probes").tHead.rows[0].cells[2].click();
said.push("first rate " + document.getElementById("probes").tBodies[0].rows[0].cells[2].textContent);
for (const svg of all("svg")) {
  const edge = svg.getBoundingClientRect();
  const out = all("text, rect, circle, line, polyline, polygon", svg).filter((e) => {
    const box = e.getBoundingClientRect();
    return box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - 1 || box.bottom > edge.bottom + 1;
  });
  if (out.length > 0) said.push(svg.getAttribute("aria-label") + " outside: " + out[0].outerHTML);
}
document.body.innerHTML = "<pre id=said></pre>";
document.getElementById("said").textContent = said.join("\n");
</script>
)js";

TEST(BrowserSlow, TheChartsOfAnEvaluationShowItsFigures) {
  const report::testing::Evaluated e(4000);
  const std::string said = said_of("true", kEvaluationReader, report::evaluation_page(e.view()));
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said,
            "ONNX Runtime 1.2: valid\nresnet50.onnxVino 1.2: undecided\npercentiles 12\n"
            "p99 within beyond\nrises true\nrises true\nbars true\n"
            "probes valid invalid invalid valid valid invalid undecided valid\nfirst rate 128");
}

TEST(BrowserSlow, PagesOfEvaluationsFitEveryWidth) {
  const report::testing::Evaluated e(900, "/data/" + std::string(140, 'x'));
  const std::string fit = fit_of("true", report::evaluation_page(e.view()));
  if (fit.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(fit, kFits);
  const report::testing::Evaluated few(40);
  EXPECT_EQ(fit_of("true", report::evaluation_page(few.view())), kFits);
}

TEST(BrowserSlow, PagesOfAcceleratorsFitEveryWidth) {
  const std::string fit =
      fit_of("ridge accel zoo:mobilenet_v2 --machine edge-32 --pareto --report page.html");
  if (fit.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(fit, kFits);
  EXPECT_EQ(fit_of("ridge accel zoo:mobilenet_v2 --machine edge-32,gemmini-16,nvdla-like,tpu-like "
                   "--pad none,16x16x16 --report page.html"),
            kFits);
  EXPECT_EQ(fit_of("ridge accel before.onnx --bind batch=1,4,64 --machine edge-32 --set "
                   "dram.gb_per_s=1,8,64 --report page.html"),
            kFits);
}

}  // namespace
}  // namespace ridge::tests
