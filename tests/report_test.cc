// The report of a comparison as a reader uses it, in a browser: order, filter, folding, and a
// timeline that obeys keys. Skipped where there is no Chromium.
#include <gtest/gtest.h>

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

TEST(BrowserSlow, TheReportOfAComparisonObeysItsReader) {
  const Workplace place;
  if (place.run("command -v chromium").status != 0) GTEST_SKIP() << "no chromium";
  write_text(place.folder() / "reader", kReader);
  ASSERT_EQ(
      place.run("ridge compare ort.json openvino.json --report c.html; cat ../reader >>c.html")
          .status,
      0);
  const Outcome o = place.run(
      "timeout 90 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync "
      "--user-data-dir=\"$PWD/chromium\" --dump-dom \"file://$PWD/c.html\"");
  const std::size_t said = o.out.find("<pre id=\"said\">");
  ASSERT_NE(said, std::string::npos) << o.out << o.err;
  const std::string text = o.out.substr(o.out.find('>', said) + 1);
  EXPECT_EQ(text.substr(0, text.find("</pre>")), kSaid);
}

}  // namespace
}  // namespace ridge::tests
