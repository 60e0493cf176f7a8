// SPDX-License-Identifier: Apache-2.0
#include "report/accelerator/page.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "accelerator/machine_file.h"
#include "report/accelerator/charts.h"
#include "report/kit/testing.h"

namespace ridge::report {
namespace {

using accelerator::Study;
using accelerator::StudyNetwork;
using accelerator::StudyPoint;
using testing::count;
using testing::kHostile;

/// View of three layers, the last with unknown products, at each bandwidth.
Study view_of(const std::vector<double>& bandwidths) {
  auto network = std::make_shared<StudyNetwork>();
  for (const std::int64_t n : {32, 64, 0}) {
    network->lowered.layers.emplace_back();
    accelerator::Layer& layer = network->lowered.layers.back();
    layer.name = kHostile + std::to_string(n);
    layer.macs = 48 * n * 40;
    if (n > 0)
      layer.gemms = {accelerator::matrix_product(48, n, 40)};
    else
      layer.reason = "no products are known";
  }
  Study view;
  view.subject = kHostile;
  for (const double gb_per_s : bandwidths) {
    StudyPoint p;
    auto machine = accelerator::shipped_machine("edge-32");
    EXPECT_TRUE(machine.ok());
    machine->dram.gb_per_s = gb_per_s;
    auto estimate = accelerator::estimate(network->lowered.layers, *machine, {}, {});
    EXPECT_TRUE(estimate.ok());
    p.estimate = std::move(*estimate);
    p.machine = std::move(*machine);
    p.network = network;
    p.padded.resize(network->lowered.layers.size());
    p.set = {{"dram.gb_per_s", std::to_string(gb_per_s)}};
    view.points.push_back(std::move(p));
  }
  return view;
}

TEST(AcceleratorPage, ShowsWhatIsKnownAndNothingElse) {
  const std::string page = accelerator_page(view_of({8}));
  for (const char* there : {"DRAM reads by layer", "Latency by layer", "Cycles by layer",
                            "bound by", "modelled by the overlapped convention", "id=\"layers\""})
    EXPECT_EQ(count(page, there) > 0, true) << there;
  for (const char* absent : {"Energy by layer", "EDP by layer", "Parameter memory by layer",
                             "<h2>Points</h2>", "measured, roofs"})
    EXPECT_EQ(count(page, absent), 0U) << absent;
}

TEST(AcceleratorPage, DrawsABarPerLayerAndPoint) {
  const Study view = view_of({4, 8, 16});
  const std::string page = accelerator_page(view);
  EXPECT_EQ(count(page, "<h2>Points</h2>"), 1U);
  EXPECT_EQ(count(page, "<h2>Over dram.gb_per_s</h2>"), 1U);
  // Two layers with a cost, three points, each measure with a chart by layer.
  EXPECT_EQ(count(page, "<rect "), 2 * 3 * count(page, " by layer\""));
}

TEST(AcceleratorPage, DrawsALinePerOtherAxisAndNoneOfWords) {
  const Study view = view_of({4, 8, 16});
  const exports::Axis number{"a", {"1", "2", "4"}}, word{"b", {"x", "y", "x"}};
  EXPECT_TRUE(numeric(number));
  EXPECT_FALSE(numeric(word));
  EXPECT_EQ(line_keys(view, {number, word}, 0).size(), 2U);
  EXPECT_EQ(count(sweep_lines(view, {number, word}, 0, duration_measure(view)), "<polyline"), 2U);
}

TEST(AcceleratorPage, DrawsAMeasureOnOneScaleInEveryChart) {
  for (const bool far_apart : {false, true}) {
    Study view = view_of({4, 8, 16});
    view.points[2].estimate.totals.latency_ns =
        *view.points[0].estimate.totals.latency_ns * (far_apart ? 20 : 2);
    const exports::Axis axis{"a", {"1", "2", "4"}};
    const Measure latency = duration_measure(view);
    const std::vector<LayerRow> rows = layer_rows(view);
    const std::vector<NamedColor> keys(3, {"p", "red"});
    for (const std::string& chart :
         {layer_bars(view, latency, rows, keys), sweep_lines(view, {axis}, 0, latency),
          spots({{1, 1, "a"}, {100, 1, "b"}}, latency, energy_measure(view))})
      EXPECT_EQ(count(chart, "logarithmic"), far_apart ? 1U : 0U) << chart;
    // A logarithmic scale has no 0, so it has no bars.
    EXPECT_EQ(count(layer_bars(view, latency, rows, keys), "<rect "), far_apart ? 0U : 9U);
  }
}

TEST(AcceleratorPage, TicksOfALogarithmicScaleAreRoundAndWithinIt) {
  Study view = view_of({4, 8, 16});
  view.points[2].estimate.totals.latency_ns = *view.points[0].estimate.totals.latency_ns * 20;
  const Measure latency = duration_measure(view);
  ASSERT_TRUE(latency.logarithmic);
  const auto expect_ticks = [&](double low, double high, const std::vector<double>& expected) {
    const std::string chart = spots({{low, 1, "a"}, {high, 1, "b"}}, latency, energy_measure(view));
    for (const double tick : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000})
      EXPECT_EQ(count(chart, ">" + latency.text(tick) + "<"), std::ranges::count(expected, tick))
          << low << " to " << high << ": " << tick;
  };
  expect_ticks(3, 30, {5, 10, 20});
  expect_ticks(3, 3000, {10, 100, 1000});
}

TEST(AcceleratorPage, ExplainsTheTermsOfItsTables) {
  EXPECT_EQ(count(accelerator_page(view_of({8})), "<details class=\"terms\">"), 0U);
  const std::string page = accelerator_page(view_of({4, 8}));
  EXPECT_EQ(testing::dangling_terms(page), std::vector<std::string>());
  EXPECT_EQ(count(page, "<tr id=\"term-point\">"), 1U);
}

TEST(AcceleratorPage, SaysOnceWhatAllPointsShare) {
  const std::string page = accelerator_page(view_of({4, 8}));
  EXPECT_EQ(count(page, "The same at every point: MACs 184 k, "), 1U);
  const std::string table = page.substr(page.find("<h2>Points</h2>"));
  EXPECT_EQ(count(table.substr(0, table.find("</thead>")), ">MACs</th>"), 0U);
}

TEST(AcceleratorPage, CallsNoPointBestWhereAllAre) {
  Study view = view_of({4, 8});
  for (StudyPoint& p : view.points) p.best = true;
  EXPECT_EQ(count(accelerator_page(view), ">best<"), 0U);
  view.points[1].best = false;
  EXPECT_EQ(count(accelerator_page(view), ">best<"), 1U);
}

TEST(AcceleratorPage, HasTheLayersOfEveryNetworkEachOnce) {
  // At one size the second layer is fused with the first, at the other it is separate.
  Study view = view_of({4, 8});
  for (std::size_t p = 0; p < 2; ++p) {
    auto network = std::make_shared<StudyNetwork>();
    for (const graph::NodeId node :
         p == 0 ? std::vector<graph::NodeId>{0, 2} : std::vector<graph::NodeId>{0, 1, 2}) {
      accelerator::Layer layer;
      layer.name = "n" + std::to_string(node);
      layer.node = node;
      layer.gemms = {accelerator::matrix_product(48, 32, 40)};
      layer.macs = layer.gemms[0].macs();
      network->lowered.layers.push_back(std::move(layer));
    }
    StudyPoint& point = view.points[p];
    point.estimate =
        accelerator::estimate(network->lowered.layers, *point.described(), {}, {}).value();
    point.padded.assign(network->lowered.layers.size(), std::nullopt);
    point.network = std::move(network);
  }
  for (const bool turned : {false, true}) {
    if (turned) std::swap(view.points[0], view.points[1]);
    const std::vector<LayerRow> rows = layer_rows(view);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1].layer->name, "n1");
    EXPECT_FALSE(rows[1].at[turned ? 1 : 0].has_value());
    EXPECT_EQ(rows[2].at[turned ? 1 : 0], 1U);
    EXPECT_EQ(count(accelerator_page(view), "<tr class=\"layer\">"), 3U);
  }
}

TEST(AcceleratorPage, EscapesNames) {
  for (const std::string& page :
       {accelerator_page(view_of({8})), accelerator_page(view_of({4, 8}))}) {
    EXPECT_EQ(count(page, "<script>alert"), 0U);
    EXPECT_EQ(count(page, "<img"), 0U);
    EXPECT_EQ(count(page, "\x1b"), 0U);
  }
}

}  // namespace
}  // namespace ridge::report
