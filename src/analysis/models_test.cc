// SPDX-License-Identifier: Apache-2.0
// Compares the fifteen reference networks with counts from PyTorch's dispatcher, layer by layer.
#include <gtest/gtest.h>

#include <map>

#include "analysis/outline.h"
#include "analysis/testing/reference.h"

namespace ridge::analysis {
namespace {

namespace fs = std::filesystem;

using testing::counts_of;
using testing::reference_models;
using testing::resolve_reference;

/// Number of occurrences of each MAC count; nodes and layers without MACs are omitted.
using Histogram = std::map<std::int64_t, int>;

Histogram of_layers(const nlohmann::json& reference) {
  Histogram out;
  for (const auto& layer : reference["layers"])
    if (layer["macs"] != 0) ++out[layer["macs"].get<std::int64_t>()];
  return out;
}

Histogram of_nodes(const Resolved& r) {
  Histogram out;
  for (graph::NodeId n = 0; n < r.model().nodes().size(); ++n)
    if (!r.counts(n).macs.is(0)) ++out[r.counts(n).macs.value()];
  return out;
}

TEST(Models, CountsEqualTheDispatchersLayerByLayer) {
  const std::vector<fs::path> models = reference_models();
  if (models.empty()) GTEST_SKIP() << "the reference networks are not here";
  for (const fs::path& path : models) {
    SCOPED_TRACE(path.stem());
    const auto reference = counts_of(path);
    const Result<Resolved> r = resolve_reference(path, reference);
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->totals().macs.value(), reference["macs"].get<std::int64_t>());
    EXPECT_EQ(r->totals().params, reference["params_in_file"].get<std::int64_t>());
    EXPECT_EQ(r->totals().unknown, 0);
    EXPECT_TRUE(r->totals().incomplete.none());
    EXPECT_EQ(of_nodes(*r), of_layers(reference));
  }
}

TEST(Models, TheModuleTreeAddsUpToTheTotals) {
  for (const fs::path& path : reference_models()) {
    SCOPED_TRACE(path.stem());
    const auto reference = counts_of(path);
    const Result<Resolved> r = resolve_reference(path, reference);
    ASSERT_TRUE(r.ok()) << r.error().text();
    const WorkByModule work = work_by_module(*r);
    EXPECT_EQ(work[0].nodes, r->totals().nodes);
    EXPECT_EQ(work[0].macs.value(), r->totals().macs.value());
    EXPECT_EQ(work[0].bytes_read.value(), r->totals().bytes_read.value());
    EXPECT_EQ(work[0].params, r->totals().params);
    // Rows of the first level, folded or not, and the nodes beside them add up to the whole.
    std::int64_t macs = 0, nodes = 0;
    for (const OutlineRow& row : outline(*r, {.depth = 3})) {
      if (row.level != 1) continue;
      macs += row.work.macs.value();
      nodes += row.work.nodes;
    }
    EXPECT_EQ(macs, r->totals().macs.value());
    EXPECT_EQ(nodes, r->totals().nodes);
  }
}

TEST(Models, SymbolicTotalsAreTheNumbersEvaluated) {
  // Oracle: the same network with bound sizes. The batch stays a symbol; image sizes come from the
  // file.
  for (const fs::path& path : reference_models()) {
    SCOPED_TRACE(path.stem());
    const auto document =
        std::make_shared<const onnx::Document>(std::move(onnx::read_file(path.string())).value());
    const auto model = std::make_shared<const graph::Model>(*graph::Model::build(document));
    Bindings free;
    free.free = FreeSizes::kSymbolic;
    const Result<Resolved> symbolic = resolve(model, free);
    ASSERT_TRUE(symbolic.ok()) << symbolic.error().text();
    for (const std::int64_t batch : {1, 5}) {
      Bindings fixed;
      for (const std::string& name : symbolic->dims().symbols(symbolic->totals().macs))
        fixed.sizes[name] = {name == "batch" ? batch : 48, false};
      const Result<Resolved> numbers = resolve(model, fixed);
      ASSERT_TRUE(numbers.ok()) << numbers.error().text();
      const auto size = [&](std::string_view name) -> std::optional<std::int64_t> {
        return fixed.sizes.at(std::string(name)).value;
      };
      EXPECT_EQ(symbolic->dims().evaluate(symbolic->totals().macs, size),
                numbers->totals().macs.value());
      EXPECT_EQ(symbolic->dims().evaluate(symbolic->totals().bytes_written, size),
                numbers->totals().bytes_written.value());
    }
  }
}

}  // namespace
}  // namespace ridge::analysis
