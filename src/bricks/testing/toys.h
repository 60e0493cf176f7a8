// SPDX-License-Identifier: Apache-2.0
// Small graphs with an identity of their own: whether two are the same piece is decided by trying
// all assignments of their nodes, without the code under test.
//
//   Toy a = ToyMaker(1).toy(), b = a;    // toy_maker.h
//   b.nodes[2].op = kSigmoid;
//   same_piece(a, b)             // false
//   Network n = network_of(a, dress)   // the whole graph is one piece; `dress`: names and order
//
// All tensors are [1,4,size,size], or [1,2,size,size] after a Split.
#pragma once

#include <random>

#include "bricks/testing.h"

namespace ridge::bricks::testing {

/// Tensor that a node reads or a toy returns: a port of the toy, a constant, or a result of a node.
struct Ref {
  enum Kind : std::uint8_t { kPort, kConstant, kResult } kind = kPort;
  int at = 0, output = 0;
  auto operator<=>(const Ref&) const = default;
};

struct ToyPort {
  bool flag = false;     ///< bool scalar
  bool half = false;     ///< 2 channels
  bool blocked = false;  ///< layout
  auto operator<=>(const ToyPort&) const = default;
};

struct ToyConstant {
  std::vector<std::int64_t> dims;
  char kind = 'w';  ///< w: weight; i: int64, f: floating, b: bool elements
  std::vector<std::int64_t> elements;
  auto operator<=>(const ToyConstant&) const = default;
};

/// An attribute as it stands in a sketch: "alpha=0.5f".
struct ToyNode {
  std::string op;
  std::vector<Ref> inputs;  ///< an If has its condition, then what its bodies read
  std::set<std::string> attributes;
  std::string then = {}, otherwise = {};  ///< operators of the bodies of an If
  int outputs = 1;
};

struct Toy {
  int size = 4;
  int opset = 17;
  bool wide = false;  ///< double instead of float
  std::vector<ToyPort> ports;
  std::vector<ToyConstant> constants;
  std::vector<ToyNode> nodes;  ///< each reads earlier ones
  std::set<Ref> results;       ///< returned; a superset of what no node reads
  std::set<Ref> blocked;       ///< results that leave in blocks of channels
};

/// Facts that must not matter: names, order, weights' elements, defaults that are written out.
struct Dress {
  std::uint32_t seed = 0;  ///< 0: plain names, order of the toy
  bool defaults = false;
};

inline bool exchangeable(const std::string& op) { return op == "Add" || op == "Mul"; }
/// First opset with the version of an operator that `opset` has (ONNX's Changelog, 13 to 17).
inline int version_of(const std::string& op, int opset) {
  if (op == "LeakyRelu") return opset >= 16 ? 16 : 6;
  if (op == "Where") return opset >= 16 ? 16 : 9;
  if (op == "If") return opset >= 16 ? 16 : 13;
  if (op == "Add" || op == "Sub" || op == "Mul" || op == "Div") return opset >= 14 ? 14 : 13;
  if (op == "Relu" || op == "Reshape") return opset >= 14 ? 14 : 13;
  return 0;  // the same from 13 to 17
}

/// Attributes that the operator has without being told; "" for none.
inline std::string default_attributes(const ToyNode& n, int size, int opset) {
  if (n.op == "Conv")
    return n.attributes.contains("pads=[2,2,2,2]") ? "strides=[1,1] auto_pad='NOTSET'"
                                                   : "kernel_shape=[3,3] dilations=[1,1]";
  if (n.op == "Softmax") return n.attributes.empty() ? (size % 8 == 0 ? "axis=3" : "axis=-1") : "";
  if (n.op == "LeakyRelu") return n.attributes.empty() ? "alpha=0.01f" : "";
  if (n.op == "Elu") return n.attributes.empty() ? "alpha=1.0f" : "";
  if (n.op == "Reshape" && opset >= 14) return "allowzero=0";
  return "";
}

/// Text of a toy under a dress.
class Dresser {
 public:
  Dresser(const Toy& toy, Dress dress) : toy_(toy), dress_(dress), random_(dress.seed + 1) {}

  std::shared_ptr<onnx::Document> document() {
    name_all();
    auto document = graph::Sketch::document(text());
    set_constants(*document);
    set_types(*document);
    document->model.opsets = document->arena.copy(std::vector<onnx::OperatorSet>{{"", toy_.opset}});
    return document;
  }
  /// Tensors stored in blocks of channels.
  std::set<std::string> blocked() const {
    std::set<std::string> out;
    for (std::size_t i = 0; i < toy_.ports.size(); ++i)
      if (toy_.ports[i].blocked) out.insert(port_[i]);
    for (const Ref& r : toy_.blocked) out.insert(name(r));
    return out;
  }

 private:
  std::string fresh(const char* prefix, std::size_t at) {
    if (dress_.seed == 0) return fmt::format("{}{}", prefix, at);
    // Some names come from the copy, from bricks, or from a runtime.
    constexpr const char* kOthers[] = {"n", "t", "in", "c", "r", "w", "x", "Conv_", "out", "h"};
    for (;;) {
      std::string out = fmt::format("{}{}{}", kOthers[random_() % 10], random_() % 90,
                                    random_() % 3 == 0 ? ".0" : "");
      if (taken_.insert(out).second) return out;
    }
  }

  void name_all() {
    for (std::size_t i = 0; i < toy_.ports.size(); ++i) port_.push_back(fresh("x", i));
    for (std::size_t i = 0; i < toy_.constants.size(); ++i) constant_.push_back(fresh("w", i));
    for (std::size_t i = 0; i < toy_.nodes.size(); ++i) {
      result_.emplace_back();
      for (int k = 0; k < toy_.nodes[i].outputs; ++k)
        result_.back().push_back(fresh("t", 10 * i + static_cast<std::size_t>(k)));
    }
  }

  const std::string& name(const Ref& r) const {
    const auto at = static_cast<std::size_t>(r.at);
    if (r.kind == Ref::kPort) return port_[at];
    if (r.kind == Ref::kConstant) return constant_[at];
    return result_[at][static_cast<std::size_t>(r.output)];
  }

  std::string node(std::size_t at, std::string& bodies) {
    const ToyNode& n = toy_.nodes[at];
    std::vector<std::string> inputs, attributes(n.attributes.begin(), n.attributes.end());
    for (const Ref& r : n.inputs) inputs.push_back(name(r));
    if (dress_.seed != 0 && exchangeable(n.op) && random_() % 2 == 0)
      std::swap(inputs[0], inputs[1]);
    if (dress_.defaults)
      if (std::string extra = default_attributes(n, toy_.size, toy_.opset); !extra.empty())
        attributes.push_back(std::move(extra));
    if (dress_.seed != 0) std::shuffle(attributes.begin(), attributes.end(), random_);
    if (n.op == "If") {
      attributes = {fmt::format("then_branch=graph:yes{}", at),
                    fmt::format("else_branch=graph:no{}", at)};
      const std::string yes = fresh("yes", at), no = fresh("no", at);
      bodies +=
          fmt::format("graph yes{0}\n {1}({2}) -> {3}\n output {3}\n", at, n.then, inputs[1], yes);
      bodies += fmt::format("graph no{0}\n {1}({2}) -> {3}\n output {3}\n", at, n.otherwise,
                            inputs[2], no);
      inputs.resize(1);
    }
    const std::string label = dress_.seed == 0       ? fmt::format("n{}: ", at)
                              : dress_.seed % 3 == 0 ? ""
                                                     : fmt::format("m{}: ", random_() % 5);
    return fmt::format("{}{}({}) {{{}}} -> {}\n", label, n.op, fmt::join(inputs, ", "),
                       fmt::join(attributes, " "), fmt::join(result_[at], ", "));
  }

  std::string text() {
    std::vector<std::size_t> order(toy_.nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<std::string> inputs, outputs, constants;
    for (std::size_t i = 0; i < toy_.ports.size(); ++i)
      inputs.push_back(toy_.ports[i].flag
                           ? port_[i] + ":bool[]"
                           : fmt::format("{}[1,{},{},{}]", port_[i], toy_.ports[i].half ? 2 : 4,
                                         toy_.size, toy_.size));
    for (const Ref& r : toy_.results) outputs.push_back(name(r));
    for (std::size_t i = 0; i < toy_.constants.size(); ++i)
      constants.push_back(
          fmt::format("{}[{}]", constant_[i], fmt::join(toy_.constants[i].dims, ",")));
    if (dress_.seed != 0) {
      std::shuffle(order.begin(), order.end(), random_);
      std::shuffle(inputs.begin(), inputs.end(), random_);
      std::shuffle(outputs.begin(), outputs.end(), random_);
      std::shuffle(constants.begin(), constants.end(), random_);
    }
    std::string bodies, out = "graph main\n";
    if (!inputs.empty()) out += fmt::format("input {}\n", fmt::join(inputs, " "));
    if (!constants.empty()) out += fmt::format("constant {}\n", fmt::join(constants, " "));
    for (const std::size_t i : order) out += node(i, bodies);
    return out + fmt::format("output {}\n", fmt::join(outputs, " ")) + bodies;
  }

  onnx::DataType floating() const {
    return toy_.wide ? onnx::DataType::kDouble : onnx::DataType::kFloat;
  }

  void set_constants(onnx::Document& document) {
    std::vector<onnx::Tensor> all(document.model.graph.initializers.begin(),
                                  document.model.graph.initializers.end());
    for (onnx::Tensor& t : all) {
      const auto at = std::ranges::find(constant_, std::string_view(t.name)) - constant_.begin();
      const ToyConstant& c = toy_.constants[static_cast<std::size_t>(at)];
      t.type = floating();
      if (dress_.seed != 0) t.recipe.seed = random_();
      if (c.kind != 'w') set_elements(document.arena, t, c);
    }
    document.model.graph.initializers = document.arena.copy(all);
  }

  void set_elements(Arena& arena, onnx::Tensor& t, const ToyConstant& c) {
    t.storage = onnx::Storage::kInline;
    const auto store = [&]<typename T>(onnx::DataType type, T) {
      t.type = type;
      const std::span<T> elements = arena.array<T>(c.elements.size());
      for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<T>(c.elements[i]);
      t.bytes = std::as_bytes(std::span<const T>(elements));
    };
    if (c.kind == 'i')
      store(onnx::DataType::kInt64, std::int64_t{});
    else if (c.kind == 'b')
      store(onnx::DataType::kBool, std::uint8_t{});
    else if (toy_.wide)
      store(onnx::DataType::kDouble, double{});
    else
      store(onnx::DataType::kFloat, float{});
  }

  void set_types(onnx::Document& document) {
    std::vector<onnx::ValueInfo> inputs(document.model.graph.inputs.begin(),
                                        document.model.graph.inputs.end());
    for (onnx::ValueInfo& input : inputs)
      if (input.type.elem_type == onnx::DataType::kFloat) input.type.elem_type = floating();
    document.model.graph.inputs = document.arena.copy(inputs);
    std::vector<onnx::ValueInfo> outputs;
    for (const onnx::ValueInfo& output : document.model.graph.outputs)
      outputs.push_back({output.name, {}});
    document.model.graph.outputs = document.arena.copy(outputs);
  }

  const Toy& toy_;
  Dress dress_;
  std::minstd_rand random_;
  std::set<std::string> taken_;
  std::vector<std::string> port_, constant_;
  std::vector<std::vector<std::string>> result_;
};

inline Network network_of(const Toy& toy, Dress dress = {}) {
  Dresser dresser(toy, dress);
  const analysis::Resolved r = resolved_document(dresser.document());
  return crafted(r, {.blocked = dresser.blocked()});
}

/// Text that shows a toy in messages.
inline std::string text_of(const Toy& toy) {
  std::string out =
      fmt::format("size {} opset {} {}\n", toy.size, toy.opset, toy.wide ? "double" : "float");
  const auto shown = [&](const Ref& r) {
    return r.kind == Ref::kPort
               ? fmt::format("x{}{}", r.at,
                             toy.ports[static_cast<std::size_t>(r.at)].blocked ? "/b" : "")
           : r.kind == Ref::kConstant
               ? fmt::format("w{}[{}]={}", r.at,
                             fmt::join(toy.constants[static_cast<std::size_t>(r.at)].dims, ","),
                             fmt::join(toy.constants[static_cast<std::size_t>(r.at)].elements, ","))
               : fmt::format("t{}.{}{}", r.at, r.output, toy.blocked.contains(r) ? "/b" : "");
  };
  const auto list = [&](const auto& refs) {
    std::string text;
    for (const Ref& r : refs) text += (text.empty() ? "" : ", ") + shown(r);
    return text;
  };
  for (std::size_t i = 0; i < toy.nodes.size(); ++i)
    out += fmt::format("  t{} = {}({}) {{{}}} {} {}\n", i, toy.nodes[i].op,
                       list(toy.nodes[i].inputs), fmt::join(toy.nodes[i].attributes, " "),
                       toy.nodes[i].then, toy.nodes[i].otherwise);
  return out + "  returns " + list(toy.results);
}

/// Decides by trying all assignments of nodes whether two toys are the same piece: operators,
/// attributes but alpha, edges but the order of exchangeable operands, ports, elements of masks,
/// and which edges share a port or weight. Bounds of Clip and shapes of Reshape do not count.
class Assignment {
 public:
  Assignment(const Toy& a, const Toy& b) : a_(a), b_(b) {}

  bool found() {
    if (a_.size != b_.size || a_.wide != b_.wide || a_.nodes.size() != b_.nodes.size() ||
        a_.results.size() != b_.results.size() || a_.blocked.size() != b_.blocked.size())
      return false;
    node_.assign(a_.nodes.size(), -1);
    used_.assign(b_.nodes.size(), false);
    return place(0);
  }

 private:
  /// Assigns the nodes of `a_` from `at` on.
  bool place(std::size_t at) {
    if (at == a_.nodes.size()) return same_results();
    for (std::size_t to = 0; to < b_.nodes.size(); ++to) {
      if (used_[to] || !same_node(a_.nodes[at], b_.nodes[to])) continue;
      const auto ports = port_, ports_back = port_back_;
      const auto constants = constant_, constants_back = constant_back_;
      node_[at] = static_cast<int>(to);
      used_[to] = true;
      std::vector<Ref> inputs = b_.nodes[to].inputs;
      for (int order = 0; order < (exchangeable(a_.nodes[at].op) ? 2 : 1); ++order) {
        if (order == 1) std::swap(inputs[0], inputs[1]);
        if (same_inputs(a_.nodes[at], inputs) && place(at + 1)) return true;
        port_ = ports, port_back_ = ports_back;
        constant_ = constants, constant_back_ = constants_back;
      }
      used_[to] = false;
    }
    return false;
  }

  bool same_node(const ToyNode& a, const ToyNode& b) const {
    const bool scaled = a.op == "LeakyRelu" || a.op == "Elu";
    return a.op == b.op && (scaled || a.attributes == b.attributes) && a.then == b.then &&
           a.otherwise == b.otherwise && a.inputs.size() == b.inputs.size() &&
           (a.op != "If" ||  // only inside bodies do versions count
            (version_of(a.then, a_.opset) == version_of(b.then, b_.opset) &&
             version_of(a.otherwise, a_.opset) == version_of(b.otherwise, b_.opset)));
  }

  static bool join(std::map<int, int>& there, std::map<int, int>& back, int a, int b) {
    return there.emplace(a, b).first->second == b && back.emplace(b, a).first->second == a;
  }

  bool same_inputs(const ToyNode& node, const std::vector<Ref>& b) {
    const std::vector<Ref>& a = node.inputs;
    const std::size_t count = node.op == "Clip" || node.op == "Reshape" ? 1 : a.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (a[i].kind != b[i].kind || a[i].output != b[i].output) return false;
      const auto from = static_cast<std::size_t>(a[i].at), to = static_cast<std::size_t>(b[i].at);
      if (a[i].kind == Ref::kResult && node_[from] != b[i].at) return false;
      if (a[i].kind == Ref::kPort &&
          (a_.ports[from] != b_.ports[to] || !join(port_, port_back_, a[i].at, b[i].at)))
        return false;
      if (a[i].kind == Ref::kConstant &&
          (a_.constants[from] != b_.constants[to] ||
           (a_.constants[from].kind == 'w' && !join(constant_, constant_back_, a[i].at, b[i].at))))
        return false;
    }
    return true;
  }

  bool same_results() const {
    return std::ranges::all_of(a_.results, [&](Ref r) {
      Ref there = r;
      there.at = node_[static_cast<std::size_t>(r.at)];
      return b_.results.contains(there) && a_.blocked.contains(r) == b_.blocked.contains(there);
    });
  }

  const Toy &a_, &b_;
  std::vector<int> node_;  // by node of `a_`
  std::vector<bool> used_;
  std::map<int, int> port_, port_back_, constant_, constant_back_;
};

inline bool same_piece(const Toy& a, const Toy& b) { return Assignment(a, b).found(); }

}  // namespace ridge::bricks::testing
