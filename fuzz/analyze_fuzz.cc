// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a model, through the whole analysis: reading, resolving names, binding sizes,
// inferring shapes and work, writing every document. Free sizes are symbols in the first pass, so
// that most files get through it; in the second pass free leading dimensions are 1.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "analysis/traffic/traffic.h"
#include "check.h"
#include "compare/diff.h"
#include "export/analysis/json.h"
#include "export/analysis/node_text.h"
#include "export/analysis/table.h"
#include "export/comparison/diff_json.h"
#include "export/facts.h"
#include "onnx/reader.h"

namespace {

using ridge::Result;
using ridge::analysis::Bindings;
using ridge::analysis::FreeSizes;
using ridge::analysis::Resolved;

using ridge::fuzz::check;

void write_all(const Resolved& resolved) {
  ridge::StringSink sink;
  ridge::exports::write_analysis_document(resolved, {}, sink);
  ridge::exports::write_analysis_csv(resolved, {.top = 5}, sink);
  ridge::exports::write_analysis_csv(resolved, {.table = ridge::exports::AnalysisTables::kModules},
                                     sink);
  ridge::exports::write_analysis_text(resolved, {}, sink);
  ridge::exports::write_analysis_markdown(resolved, {}, sink);
  for (const ridge::analysis::Convention& convention : ridge::analysis::conventions()) {
    const auto count = ridge::analysis::count_by(convention, resolved);
    ridge::exports::write_analysis_text(resolved, {.convention = &count}, sink);
  }
  for (ridge::graph::NodeId n = 0; n < resolved.model().nodes().size() && n < 20; ++n)
    ridge::exports::write_text(ridge::exports::node_facts(resolved, n), sink);
  check(!sink.text().empty());
}

/// Checks that every node has a status: the counts add up.
void check_coverage(const Resolved& resolved) {
  const ridge::analysis::Totals& t = resolved.totals();
  check(t.counted + t.zero + t.unknown == t.nodes);
  check(t.params >= 0 && t.weight_bytes >= 0);
}

/// Checks that a model has no differences from itself.
void check_difference(const Resolved& resolved) {
  const ridge::compare::Diff diff = ridge::compare::diff(resolved, resolved);
  check(diff.counts[0] == resolved.totals().nodes);
  ridge::StringSink sink;
  ridge::exports::write_diff_document(diff, {resolved, resolved}, ridge::exports::DiffRows::kAll,
                                      sink);
  ridge::exports::write_diff_text(diff, {resolved, resolved}, {}, sink);
}

/// Checks that a cache only reduces traffic, and never below the compulsory part.
void check_traffic(const Resolved& resolved) {
  for (const ridge::analysis::Fuse fuse :
       {ridge::analysis::Fuse::kNone, ridge::analysis::Fuse::kEpilogue,
        ridge::analysis::Fuse::kRuntime}) {
    const auto moved = ridge::analysis::traffic(resolved, {4096, fuse});
    if (!moved.ok()) continue;
    check(moved->totals.least <= moved->totals.expected);
    check(moved->totals.expected <= moved->totals.most);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Result<ridge::onnx::Document> document =
      ridge::onnx::read_bytes(bytes, "fuzz", {.memory = std::int64_t{64} << 20});
  if (!document.ok()) return 0;
  Result<ridge::graph::Model> built = ridge::graph::Model::build(
      std::make_shared<const ridge::onnx::Document>(std::move(document).value()),
      {.nodes = 100'000, .expanded = 10'000});
  if (!built.ok()) return 0;
  const auto model = std::make_shared<const ridge::graph::Model>(std::move(built).value());
  for (const FreeSizes free : {FreeSizes::kSymbolic, FreeSizes::kAsk}) {
    Bindings bindings;
    bindings.free = free;
    const Result<Resolved> resolved = ridge::analysis::resolve(model, bindings);
    if (!resolved.ok()) {
      check(!resolved.error().text().empty());
      continue;
    }
    check_coverage(*resolved);
    write_all(*resolved);
    check_difference(*resolved);
    check_traffic(*resolved);
  }
  return 0;
}
