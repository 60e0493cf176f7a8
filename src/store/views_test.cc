// SPDX-License-Identifier: Apache-2.0
#include "store/views.h"
#include "store/both_testing.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "store/suite_testing.h"
#include "store/testing.h"

namespace ridge::store {
namespace {

const View& view_named(std::string_view name) {
  for (const View& view : views())
    if (view.name == name) return view;
  throw std::runtime_error("no view " + std::string(name));
}

/// Cells of CSV, with quoted fields.
std::vector<std::vector<std::string>> cells_of(const std::string& text) {
  std::vector<std::vector<std::string>> out(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
      out.back().back() += text[i++];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.back().emplace_back();
    else if (c == '\n' && !quoted)
      out.emplace_back(1);
    else
      out.back().back() += c;
  }
  out.pop_back();  // after the last line
  return out;
}

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const Store& store, std::string_view view) {
  StringSink sink;
  const Result<void> written = store.write_csv(view_named(view), sink);
  EXPECT_TRUE(written.ok()) << written.error().text();
  const auto cells = cells_of(sink.text());
  std::vector<Row> out;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].size(), cells[0].size()) << view;
    Row row;
    for (std::size_t c = 0; c < cells[0].size(); ++c) row[cells[0][c]] = cells[i].at(c);
    out.push_back(std::move(row));
  }
  return out;
}

/// Column of all rows, separated by blanks; "-" where empty.
std::string column(const std::vector<Row>& rows, const std::string& name) {
  std::string out;
  for (const Row& row : rows)
    out += (out.empty() ? "" : " ") + (row.at(name).empty() ? std::string("-") : row.at(name));
  return out;
}

/// Four nodes: 0 and 1 are layer 0, led by 1; 2 is executed by layer 1, and layers 2 and 3 have it
/// as a part, alone; 3 is folded. Layer 4 has no node.
profile::Profile split_run() {
  using profile::Role;
  profile::Profile p;
  p.subject.path = "m.onnx";
  p.subject.threads = 2;
  p.subject.bindings = {{"batch", {8, false}}, {"sequence", {128, false}}};
  p.host_json = R"({"hostname":"bench","cpu":{"model":"AMD EPYC"},"logical_cpus":2})";
  for (std::uint32_t i = 0; i < 4; ++i)
    p.nodes.push_back({.index = i, .name = "same", .op_type = i == 1 ? "Conv" : "Add"});
  p.nodes[1].work.macs = 9;
  p.without_layer = {{.node = 3, .why = profile::Why::kFolded, .with = {}}};
  for (std::uint32_t i = 0; i < 5; ++i) {
    profile::Layer layer;
    layer.index = i;
    layer.corrected_ns = 10 + i;
    layer.corrected = stats::Estimate{10.0 + i, stats::Interval{9.0 + i, 11.0 + i}};
    p.layers.push_back(layer);
  }
  p.layers[0].members = {{0, Role::kExecutes}, {1, Role::kExecutes}};
  p.layers[1].members = {{2, Role::kExecutes}};
  p.layers[2].members = {{2, Role::kPart}};
  p.layers[3].members = {{2, Role::kPart}};
  return p;
}

class ViewsOnBoth : public OnBoth {};
INSTANTIATE_TEST_SUITE_P(Kinds, ViewsOnBoth, kKinds, kind_name);

TEST_P(ViewsOnBoth, TheTimeOfALayerStandsAtOneOfItsNodes) {
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(split_run()).ok());
  const std::vector<Row> nodes = rows_of(store, "node_times");
  EXPECT_EQ(column(nodes, "node"), "0 1 2 3");
  EXPECT_EQ(column(nodes, "layer"), "0 0 1 -");
  EXPECT_EQ(column(nodes, "role"), "executes executes executes -");
  EXPECT_EQ(column(nodes, "why"), "- - - folded");
  EXPECT_EQ(column(nodes, "led_layers"), "0 1 3 0");
  EXPECT_EQ(column(nodes, "corrected_ns"), "- 10 36 -");  // 36: three layers stand at node 2
  EXPECT_EQ(column(nodes, "corrected_low_ns"), "- 9 - -");
  EXPECT_EQ(column(nodes, "corrected_high_ns"), "- 11 - -");
  EXPECT_EQ(column(nodes, "layer_ns"), "10 10 11 -");
  const std::vector<Row> layers = rows_of(store, "layer_times");
  EXPECT_EQ(column(layers, "layer"), "0 1 2 3 4");
  EXPECT_EQ(column(layers, "nodes"), "2 1 1 1 0");
  EXPECT_EQ(column(layers, "node"), "1 2 2 2 -");
  EXPECT_EQ(column(layers, "op_type"), "Conv Add Add Add -");
}

TEST_P(ViewsOnBoth, ARunIsListedWithWhatItWasMeasuredAt) {
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(split_run(), {.recorded_s = 1'772'368'200}).ok());
  profile::Profile other = split_run();
  other.subject.threads.reset();
  other.subject.options["threads"] = "2 at most";
  other.subject.bindings.clear();
  other.host_json.clear();
  ASSERT_TRUE(store.append(other).ok());
  const std::vector<Row> runs = rows_of(store, "run_list");
  EXPECT_EQ(runs.at(0).at("date"), "2026-03-01T12:30:00Z");
  EXPECT_EQ(runs.at(0).at("sizes"), "batch=8, sequence=128");
  EXPECT_EQ(runs.at(0).at("machine"), "bench, AMD EPYC, 2 processors");
  EXPECT_EQ(column(runs, "run"), "1 2");
  EXPECT_EQ(column(runs, "threads"), "2 -");
  EXPECT_EQ(column(runs, "layers"), "5 5");
  EXPECT_EQ(column(runs, "nodes"), "4 4");
  EXPECT_EQ(runs.at(1).at("sizes"), "");
  EXPECT_EQ(runs.at(1).at("machine"), "");
}

// The sum over nodes is the sum over layers with nodes, whatever the members are.
TEST_P(ViewsOnBoth, LoseNoTimeAndNoRow) {
  Store store = opened(database("runs.db"));
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    profile::Profile p = filled_profile(seed);
    double time = 0;
    for (std::size_t i = 0; i < p.layers.size(); ++i) {
      p.layers[i].corrected_ns = static_cast<double>(std::size_t{1} << i);
      if (!p.layers[i].members.empty()) time += p.layers[i].corrected_ns;
    }
    const RunId id = store.append(p)->id;
    double of_nodes = 0;
    std::size_t nodes = 0, layers = 0;
    for (const Row& row : rows_of(store, "node_times")) {
      if (row.at("run") != std::to_string(id)) continue;
      EXPECT_EQ(row.at("node"), std::to_string(nodes++)) << "seed " << seed;
      if (!row.at("corrected_ns").empty()) of_nodes += std::stod(row.at("corrected_ns"));
    }
    for (const Row& row : rows_of(store, "layer_times"))
      layers += row.at("run") == std::to_string(id) ? 1 : 0;
    EXPECT_EQ(of_nodes, time) << "seed " << seed;
    EXPECT_EQ(nodes, p.nodes.size());
    EXPECT_EQ(layers, p.layers.size());
  }
}

TEST_P(ViewsOnBoth, ADeletedRunHasNoRows) {
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(split_run()).ok());
  profile::Profile other = split_run();
  other.batch = 2;
  ASSERT_TRUE(store.append(other).ok());
  ASSERT_TRUE(store.remove(1).ok());
  for (const char* view : {"run_list", "layer_times", "node_times"})
    for (const Row& row : rows_of(store, view)) EXPECT_EQ(row.at("run"), "2") << view;
}

TEST_P(ViewsOnBoth, AFigureThatAnEvaluationLacksIsNull) {
  Store store = opened(database("runs.db"));
  profile::EvaluationRecord e{.model = "m.onnx"};
  ASSERT_TRUE(store.append(e).ok());
  e.queries = 20;
  e.failed_queries = 3;
  e.queries_per_s = {.value = 9, .interval = {{8, 10}}};
  e.median_ns = {.value = 7, .interval = {{6, 8}}};
  e.p99_ns = 90;
  ASSERT_TRUE(store.append(e).ok());
  const std::vector<Row> rows = rows_of(store, "evaluations");
  EXPECT_EQ(column(rows, "evaluation"), "1 2");
  EXPECT_EQ(column(rows, "median_ns"), "- 7");
  EXPECT_EQ(column(rows, "queries"), "- 20");
  EXPECT_EQ(column(rows, "failed_queries"), "- 3");
  EXPECT_EQ(column(rows, "queries_low_per_s"), "- 8");
  EXPECT_EQ(column(rows, "median_high_ns"), "- 8");
  EXPECT_EQ(column(rows, "p99_ns"), "- 90");
  EXPECT_EQ(column(rows, "top1_low"), "- -");
}

TEST(Views, AValueOfAnotherTypeIsDamage) {
  const Folder folder;
  const std::string path = folder.file("runs.db");
  ASSERT_TRUE(opened(path).append(split_run()).ok());
  run_sql(path, "UPDATE layer SET name = x'00' WHERE position = 2");
  const Store store = std::move(Store::open(path, Access::kRead).value());
  StringSink sink;
  const Result<void> written = store.write_csv(view_named("layer_times"), sink);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code(), "RIDGE-STORE-0004");
  EXPECT_EQ(written.error().evidence(), "view layer_times: column name: a value of another type");
}

// Each of 2,000 rows of a run repeats a path as long as systems allow, which the file has once.
TEST_P(ViewsOnBoth, RowsMayRepeatWhatTheFileHasOnce) {
  const std::string path = database("runs.db");
  profile::Profile p;
  p.subject.path = std::string(4095, 'm');
  for (std::uint32_t i = 0; i < 2000; ++i) p.nodes.push_back({.index = i, .op_type = "Relu"});
  ASSERT_TRUE(opened(path).append(p).ok());
  const Store store = std::move(Store::open(path, Access::kRead).value());
  EXPECT_EQ(rows_of(store, "node_times").size(), 2000U);
}

TEST(Views, NamesOfColumnsAreUnique) {
  for (const View& view : views()) {
    std::set<std::string_view> names;
    for_each_column(view, [&](const ViewColumn& c) {
      EXPECT_TRUE(names.insert(c.name).second) << view.name << " " << c.name;
      EXPECT_EQ(c.unit == "ns", c.name.ends_with("_ns")) << c.name;
      EXPECT_FALSE(c.meaning.empty()) << c.name;
    });
  }
}

}  // namespace
}  // namespace ridge::store
