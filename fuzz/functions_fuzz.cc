// SPDX-License-Identifier: Apache-2.0
// Functions that call each other as the input describes, also from bodies and with forwarded
// attributes: recursive ones are rejected, others expand to the number of nodes that an independent
// count of the calls gives, and never beyond the budget.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "check.h"
#include "graph/model.h"

namespace {

namespace graph = ridge::graph;
namespace onnx = ridge::onnx;
using ridge::fuzz::Bytes;
using ridge::fuzz::check;

constexpr unsigned kMaxFunctions = 12;
constexpr int kCallDepth = 10;
constexpr graph::BuildLimits kLimits{.nodes = 100'000, .expanded = 5'000, .call_depth = kCallDepth};

/// Node of a function; the Steps of a function are its nodes, in order.
struct Step {
  enum Kind { kOperator, kCall, kIf, kReference } kind = kOperator;
  unsigned callee = 0;
};
using Steps = std::vector<Step>;

Steps read_steps(Bytes& in, unsigned functions) {
  Steps steps(in.below(6));
  for (Step& s : steps) {
    s.kind = static_cast<Step::Kind>(in.below(4));
    s.callee = in.below(functions);
  }
  return steps;
}

class Author {
 public:
  explicit Author(onnx::Document& document) : arena_(document.arena) {}

  /// Chain of nodes from x to y: one per step, then an Identity.
  std::span<const onnx::Node> nodes(const Steps& steps, bool in_function) {
    std::vector<onnx::Node> nodes;
    for (std::size_t i = 0; i <= steps.size(); ++i) {
      const bool last = i == steps.size();
      nodes.push_back(last ? node("Identity") : node_of(steps[i], in_function));
      nodes.back().inputs = names({i == 0 ? "x" : fmt::format("t{}", i - 1)});
      nodes.back().outputs = names({last ? "y" : fmt::format("t{}", i)});
    }
    return arena_.copy(nodes);
  }

  template <typename Name = ridge::Text>
  std::span<const Name> names(const std::vector<std::string>& texts) {
    std::vector<Name> all;
    for (const std::string& t : texts) all.push_back(arena_.copy(t));
    return arena_.copy(all);
  }
  std::string_view name(const std::string& text) { return arena_.copy(text); }

 private:
  static onnx::Node node(std::string_view op) {
    onnx::Node n;
    n.op_type = op;
    return n;
  }

  onnx::Node call(unsigned callee) {
    onnx::Node n = node(name(fmt::format("f{}", callee)));
    n.domain = "local";
    return n;
  }

  onnx::Node node_of(const Step& step, bool in_function) {
    switch (step.kind) {
      case Step::kCall:
        return call(step.callee);
      case Step::kIf:
        return branch(step.callee);
      case Step::kReference:
        return refer(step, in_function);
      case Step::kOperator:
        break;
    }
    return node("Relu");
  }

  /// If node whose only branch is a call.
  onnx::Node branch(unsigned callee) {
    onnx::Node inner = call(callee);
    inner.inputs = names({"x"});
    inner.outputs = names({"r"});
    onnx::Graph body;
    body.nodes = arena_.copy(std::vector{inner});
    onnx::Attribute a;
    a.name = "then_branch";
    a.type = onnx::AttributeType::kGraph;
    a.g = arena_.make(body);
    onnx::Node n = node("If");
    n.attributes = arena_.copy(std::vector{a});
    return n;
  }

  /// Call that forwards an attribute of its caller, or outside a function a constant one.
  onnx::Node refer(const Step& step, bool in_function) {
    onnx::Attribute a;
    a.name = "k";
    a.type = onnx::AttributeType::kInt;
    a.i = step.callee;
    if (in_function) a.ref_attr_name = "k";
    onnx::Node n = call(step.callee);
    n.attributes = arena_.copy(std::vector{a});
    return n;
  }

  ridge::Arena& arena_;
};

/// Reference count of the nodes that a list of steps expands to, by recursion over the calls, and
/// of the longest chain of calls (Size::calls); nullopt where a function is recursive.
class Oracle {
 public:
  explicit Oracle(const std::vector<Steps>& functions)
      : functions_(functions), known_(functions.size()), open_(functions.size()) {}

  struct Size {
    double nodes = 0;
    int calls = 0;
  };
  std::optional<Size> of(const Steps& steps) {
    Size size{static_cast<double>(steps.size()) + 1, 0};
    for (const Step& s : steps) {
      if (s.kind == Step::kOperator) continue;
      const std::optional<Size> callee = of_function(s.callee);
      if (!callee) return std::nullopt;
      size.nodes += callee->nodes + (s.kind == Step::kIf ? 1 : 0);
      size.calls = std::max(size.calls, callee->calls + 1);
    }
    return size;
  }
  std::optional<Size> of_function(unsigned f) {
    if (known_[f]) return known_[f];
    if (open_[f]) return std::nullopt;
    open_[f] = true;
    known_[f] = of(functions_[f]);
    open_[f] = false;
    return known_[f];
  }

 private:
  const std::vector<Steps>& functions_;
  std::vector<std::optional<Size>> known_;
  std::vector<bool> open_;
};

std::shared_ptr<onnx::Document> document(const std::vector<Steps>& functions, const Steps& main) {
  auto doc = std::make_shared<onnx::Document>();
  Author author(*doc);
  doc->path = "fuzz";
  doc->model.ir_version = 8;
  doc->model.opsets = doc->arena.copy(std::vector<onnx::OperatorSet>{{"", 17}, {"local", 1}});
  onnx::ValueInfo x, y;
  x.name = "x", y.name = "y";
  doc->model.graph.nodes = author.nodes(main, false);
  doc->model.graph.inputs = doc->arena.copy(std::vector{x});
  doc->model.graph.outputs = doc->arena.copy(std::vector{y});
  std::vector<onnx::Function> all;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    onnx::Function f;
    f.domain = "local";
    f.name = author.name(fmt::format("f{}", i));
    f.inputs = author.names<std::string_view>({"x"});
    f.outputs = author.names<std::string_view>({"y"});
    f.nodes = author.nodes(functions[i], true);
    all.push_back(f);
  }
  doc->model.functions = doc->arena.copy(all);
  return doc;
}

/// Expected error code of building; "" where it must succeed; "?" where either limit may be reached
/// first.
std::string expected_code(const std::vector<Steps>& functions, const Steps& main) {
  Oracle oracle(functions);
  for (unsigned f = 0; f < functions.size(); ++f)
    if (!oracle.of_function(f)) return "RIDGE-GRAPH-0005";
  const Oracle::Size size = *oracle.of(main);
  const bool deep = size.calls > kCallDepth;
  const double expanded = size.nodes - static_cast<double>(main.size()) - 1;
  // Lists of names count towards the budget as well.
  if (expanded > 0.5 * static_cast<double>(kLimits.expanded)) return "?";
  return deep ? "RIDGE-GRAPH-0006" : "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(std::string_view(reinterpret_cast<const char*>(data), size));
  std::vector<Steps> functions(1 + in.below(kMaxFunctions));
  const auto count = static_cast<unsigned>(functions.size());
  for (Steps& f : functions) f = read_steps(in, count);
  const Steps main = read_steps(in, count);

  ridge::Result<graph::Model> built = graph::Model::build(document(functions, main), kLimits);
  const std::string expected = expected_code(functions, main);
  if (!built.ok()) {
    check(expected == "?" || expected == built.error().code());
    check(!built.error().text().empty());
    return 0;
  }
  check(expected == "?" || expected.empty());
  Oracle oracle(functions);
  check(static_cast<double>(built->nodes().size()) == oracle.of(main)->nodes);
  for (graph::NodeId n = 0; n < built->nodes().size(); ++n)
    check(built->node(n).parent == graph::kNone || built->node(n).parent < n);
  ridge::analysis::Bindings bindings;
  bindings.free = ridge::analysis::FreeSizes::kSymbolic;
  const auto resolved =
      ridge::analysis::resolve(std::make_shared<const graph::Model>(std::move(*built)), bindings);
  if (resolved.ok()) check(resolved->totals().nodes >= 0);
  return 0;
}
