// SPDX-License-Identifier: Apache-2.0
// Models attributed in a real runtime and formatted as text, for the tests of this folder.
//
//   const auto run = Attributed::of("graph main\n input x[1,16,8,8]\n …", Optimization::kAll);
//   run->layers()      == "Conv{conv absorbed:bn add relu} ReorderOutput{}"
//   run->without()     == "shape folded, copy merged(conv)"
//
// Without an installed ONNX Runtime `of` returns nullptr; tests then skip (RUN_OR_SKIP).
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/testing.h"
#include "attribution/attributor.h"
#include "attribution/conservation.h"
#include "measure/input_specs.h"
#include "onnx/weights.h"
#include "runtime/paths.h"
#include "runtime/runtime.h"

namespace ridge::attribution::testing {

using runtime::Optimization;

template <typename T>
T must(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().text());
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

inline bool runtime_installed() { return runtime::find_plugin("ort").ok(); }

inline runtime::Options options(Optimization level) {
  runtime::Options o;
  o.optimization = level;
  o.folders = runtime::library_folders(*runtime::known_runtime("ort"), {});
  return o;
}

inline std::vector<runtime::Weight> weights_of(const Canonical& copy) {
  onnx::WeightLocator locator(*copy.document);
  std::vector<runtime::Weight> out;
  for (const WeightSource& w : copy.weights)
    out.push_back(must(runtime::weight_of(locator, w.name, *w.tensor)));
  return out;
}

/// Where the nodes of a model are, summed up.
struct Coverage {
  std::int64_t nodes = 0, placed = 0, without_layer = 0, unplaced = 0;
  std::int64_t macs = 0;           ///< MACs of the model; unknown ones count as 0
  std::int64_t macs_executed = 0;  ///< MACs of nodes that a layer executes
  /// Number of nodes that a layer executes or absorbs, by profile::Evidence.
  std::array<std::int64_t, static_cast<std::size_t>(profile::Evidence::kGuess) + 1> by_evidence =
      {};
};

/// Throws unless every node is in exactly one place.
inline Coverage coverage(const analysis::Resolved& resolved, const Attribution& a) {
  must(check_conservation(resolved, a));
  const auto macs_of = [&](graph::NodeId n) {
    const ops::Dim macs = resolved.counts(n).macs;
    return macs.known() ? macs.value() : 0;
  };
  Coverage c{.nodes = std::ssize(resolved.model().nodes()),
             .without_layer = std::ssize(a.without_layer),
             .unplaced = std::ssize(a.unplaced)};
  c.placed = c.nodes - c.without_layer - c.unplaced;
  for (graph::NodeId n = 0; n < resolved.model().nodes().size(); ++n) c.macs += macs_of(n);
  for (const Layer& layer : a.layers)
    for (const profile::Member& m : layer.members) {
      if (m.role == profile::Role::kExecutes) c.macs_executed += macs_of(m.node);
      if (m.role != profile::Role::kPart) ++c.by_evidence[static_cast<std::size_t>(m.evidence)];
    }
  return c;
}

/// A model, its copy, the graph that one session optimized, and the attribution.
class Attributed {
 public:
  struct Wish {
    Optimization level = Optimization::kAll;
    bool profile = false;  ///< events of one run
    bool facts = false;    ///< the runtime's data on each kernel's memory
    runtime::Dump dump = runtime::Dump::kStructure;
    CanonicalOptions copy = {};
  };

  static std::shared_ptr<Attributed> of(std::string_view text, Optimization level) {
    return of(analysis::testing::resolved(text), {.level = level});
  }

  static std::shared_ptr<Attributed> of(analysis::Resolved resolved, const Wish& wish) {
    if (!runtime_installed()) return nullptr;
    auto a = std::make_shared<Attributed>(std::move(resolved));
    a->copy = must(canonicalise(a->resolved, wish.copy));
    a->load(wish);
    std::optional<OptimizedGraph> reference;
    if (needs_reference(a->copy, a->graph)) reference = a->reference(wish);
    a->attribution =
        must(attribute(a->resolved, a->copy, a->graph, reference ? &*reference : nullptr));
    a->coverage = testing::coverage(a->resolved, a->attribution);
    return a;
  }

  explicit Attributed(analysis::Resolved r) : resolved(std::move(r)) {}

  /// Formats layers as "Conv{conv absorbed:bn relu} 2*HardSwish{swish}": number of kernels if it is
  /// not 1, operator, members with their roles.
  std::string layers() const {
    std::string out;
    for (const Layer& l : attribution.layers) {
      if (!out.empty()) out += ' ';
      if (l.kernels.size() > 1) out += fmt::format("{}*", l.kernels.size());
      out += l.type + '{';
      std::string members;
      for (const profile::Member& m : l.members) {
        if (!members.empty()) members += ' ';
        if (m.role != profile::Role::kExecutes)
          members += fmt::format("{}:", profile::name(m.role));
        members += name(m.node);
      }
      out += members + '}';
    }
    return out;
  }

  /// Formats nodes without layers as "shape folded, b merged(a)"; omits Constant nodes.
  std::string without() const {
    std::string out;
    for (const profile::WithoutLayer& w : attribution.without_layer) {
      if (resolved.model().node(w.node).op_type == "Constant") continue;
      if (!out.empty()) out += ", ";
      out += fmt::format("{} {}", name(w.node), profile::name(w.why));
      if (w.with) out += fmt::format("({})", name(*w.with));
    }
    return out;
  }

  /// Returns the evidence of a node's membership in the layer that executes or absorbs it; "" if
  /// there is none.
  std::string evidence(std::string_view node) const {
    for (const Layer& l : attribution.layers)
      for (const profile::Member& m : l.members)
        if (m.role != profile::Role::kPart && name(m.node) == node)
          return std::string(profile::name(m.evidence));
    return "";
  }

  std::string name(graph::NodeId n) const { return std::string(resolved.model().node(n).name); }

  analysis::Resolved resolved;
  Canonical copy;
  std::string dump;
  OptimizedGraph graph;
  Attribution attribution;
  Coverage coverage;
  std::optional<runtime::Measurement> measurement;
  std::vector<runtime::KernelFacts> facts;

 private:
  void load(const Wish& wish) {
    runtime::Options how = options(wish.level);
    // With prepacking, the kernel data would lack the packed weights.
    if (wish.facts) how.entries = {{"session.disable_prepacking", "1"}};
    runtime::Runtime runtime = must(runtime::Runtime::spawn(how));
    const std::vector<runtime::Weight> weights = weights_of(copy);
    runtime::Loaded loaded =
        must(runtime.load({.model = copy.bytes, .weights = weights, .dump = wish.dump}));
    dump = std::move(loaded.graph.model);
    graph = must(read_optimized(dump));
    if (!wish.profile && !wish.facts) return;
    const auto inputs =
        must(runtime::Inputs::make(must(measure::input_specs(resolved, copy, {}, 1))));
    must(runtime.set_inputs(loaded.session, inputs));
    if (wish.facts) facts = must(runtime.kernel_facts(loaded.session));
    if (!wish.profile) return;
    measurement =
        must(runtime.measure(loaded.session, {.warmup_runs = 0, .min_rounds = 1, .max_rounds = 1}));
    size_tensors(graph, events());
  }

  OptimizedGraph reference(Wish wish) const {
    runtime::Runtime runtime = must(runtime::Runtime::spawn(options(Optimization::kExtended)));
    const std::vector<runtime::Weight> weights = weights_of(copy);
    return must(read_optimized(
        must(runtime.load({.model = copy.bytes, .weights = weights, .dump = wish.dump}))
            .graph.model));
  }

 public:
  /// Events of the first profiled run, in order.
  std::vector<KernelEvent> events() const {
    std::vector<KernelEvent> out;
    if (!measurement || measurement->profiled.empty()) return out;
    for (const runtime::KernelEvent& e : measurement->profiled[0].events) {
      const runtime::KernelInfo& k = measurement->kernels[e.kernel];
      out.push_back({k.name, k.type, k.output_shapes});
    }
    return out;
  }
};

#define RUN_OR_SKIP(variable, ...)                                                  \
  const auto variable = ::ridge::attribution::testing::Attributed::of(__VA_ARGS__); \
  if (variable == nullptr) GTEST_SKIP() << "no ONNX Runtime installed"

}  // namespace ridge::attribution::testing
