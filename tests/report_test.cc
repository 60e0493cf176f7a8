// Reports as a reader uses them, in a browser: order, filter, folding, and a timeline that obeys
// keys. Skipped where there is no Chromium.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// Stands after the page's own script; what it finds goes into the document.
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

/// Differences of the groups, as tests/cli/compare.txt has them: -203.0, +38.76 and -0.059 µs; what
/// is inserted stays last. Both timelines are made, 1.36 ms long, a bar for each layer.
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

/// What `reader` says of the page that `command` writes to page.html; empty without a browser.
std::string said_of(const std::string& command, std::string_view reader) {
  const Workplace place;
  if (place.run("command -v chromium").status != 0) return "";
  write_text(place.folder() / "reader", reader);
  EXPECT_EQ(place.run(command + "; cat ../reader >>page.html").status, 0);
  const Outcome o = place.run(
      "timeout 90 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync "
      "--user-data-dir=\"$PWD/chromium\" --dump-dom \"file://$PWD/page.html\"");
  const std::size_t said = o.out.find("<pre id=\"said\">");
  EXPECT_NE(said, std::string::npos) << o.out << o.err;
  const std::string text = o.out.substr(o.out.find('>', std::min(said, o.out.size())) + 1);
  return text.substr(0, text.find("</pre>"));
}

TEST(BrowserSlow, TheReportOfAComparisonObeysItsReader) {
  const std::string said =
      said_of("ridge compare ort.json openvino.json --report page.html", kReader);
  if (said.empty()) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said, kSaid);
}

/// The table of layers of an accelerator's page: order, filter, and a row that opens.
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

}  // namespace
}  // namespace ridge::tests
