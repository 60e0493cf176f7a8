// SPDX-License-Identifier: Apache-2.0
// Random toys, and random changes of them.
//
//   ToyMaker maker(1);
//   const Toy a = maker.toy(), b = maker.changed(a);
//   network_of(a, maker.dress());
#pragma once

#include <random>

#include "bricks/testing/toys.h"

namespace ridge::bricks::testing {

/// Makes random toys and changes them.
class ToyMaker {
 public:
  explicit ToyMaker(std::uint32_t seed) : random_(seed) {}

  Toy toy(int max_nodes = 7) {
    Toy t;
    t.opset = 13 + below(5);
    t.wide = below(6) == 0;
    t.size = below(3) == 0 ? 8 : 4;
    const int nodes = 1 + below(max_nodes);
    for (int i = 0; i < nodes; ++i) add_node(t);
    finish(t);
    return t;
  }

  /// Another dress.
  Dress dress() {
    return {.seed = 1 + static_cast<std::uint32_t>(random_() % 1'000'000),
            .defaults = below(2) == 0};
  }

  /// Changes one thing, which may lead to the same piece.
  Toy changed(const Toy& from) {
    for (;;) {
      Toy t = from;
      if (change(t)) return t;
    }
  }

  static bool is_half(const Toy& t, const Ref& r) {
    if (r.kind == Ref::kPort) return t.ports[static_cast<std::size_t>(r.at)].half;
    return r.kind == Ref::kResult && half_result(t, static_cast<std::size_t>(r.at));
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <typename T>
  T& one_of(std::vector<T>& items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }

  static bool half_result(const Toy& t, std::size_t node) {
    const ToyNode& n = t.nodes[node];
    if (n.op == "Split") return true;
    if (n.op == "Concat") return false;
    const std::size_t input = n.op == "If" || n.op == "Where" ? 1 : 0;
    return is_half(t, n.inputs[input]);
  }

  /// A tensor that nodes before `before` compute, or a port, old or new.
  Ref tensor(Toy& t, bool half, int before) {
    std::vector<Ref> known;
    for (int i = 0; i < std::ssize(t.ports); ++i)
      if (!t.ports[static_cast<std::size_t>(i)].flag) known.push_back({Ref::kPort, i, 0});
    for (int i = 0; i < before; ++i)
      for (int k = 0; k < t.nodes[static_cast<std::size_t>(i)].outputs; ++k)
        known.push_back({Ref::kResult, i, k});
    std::erase_if(known, [&](const Ref& r) { return is_half(t, r) != half; });
    if (known.empty() || below(4) == 0) {
      t.ports.push_back({.half = half, .blocked = below(5) == 0});
      return {Ref::kPort, static_cast<int>(t.ports.size()) - 1, 0};
    }
    return one_of(known);
  }

  /// A constant with these facts, old or new.
  Ref constant(Toy& t, const ToyConstant& c) {
    std::vector<Ref> known;
    for (int i = 0; i < std::ssize(t.constants); ++i)
      if (t.constants[static_cast<std::size_t>(i)] == c) known.push_back({Ref::kConstant, i, 0});
    if (!known.empty() && below(2) == 0) return one_of(known);
    t.constants.push_back(c);
    return {Ref::kConstant, static_cast<int>(t.constants.size()) - 1, 0};
  }

  std::string pick(std::initializer_list<const char*> all) {
    return all.begin()[below(static_cast<int>(all.size()))];
  }

  void add_node(Toy& t) {
    const int at = static_cast<int>(t.nodes.size());
    const bool half = below(4) == 0;
    const std::int64_t channels = half ? 2 : 4;
    ToyNode n;
    n.op = pick({"Relu",   "Sigmoid", "LeakyRelu", "Elu",       "Softmax", "Add",    "Add",
                 "Sub",    "Mul",     "Div",       "Conv",      "Conv",    "MatMul", "Split",
                 "Concat", "Clip",    "Reshape",   "Transpose", "Where",   "If"});
    if (n.op == "If") {
      t.ports.push_back({.flag = true});
      const Ref flag = {Ref::kPort, static_cast<int>(t.ports.size()) - 1, 0};
      n.inputs = {flag, tensor(t, half, at), tensor(t, half, at)};
      n.then = pick({"Relu", "Sigmoid", "Neg"});
      n.otherwise = pick({"Relu", "Sigmoid", "Neg"});
    } else if (n.op == "Where") {
      n.inputs = {constant(t, mask(t)), tensor(t, half, at), tensor(t, half, at)};
    } else if (n.op == "Split") {
      n.inputs = {tensor(t, false, at)};
      n.attributes = {"axis=1"};
      n.outputs = 2;
    } else if (n.op == "Concat") {
      n.inputs = {tensor(t, true, at), tensor(t, true, at)};
      n.attributes = {"axis=1"};
    } else {
      n.inputs = {tensor(t, half, at)};
      add_operands(t, n, half, channels, at);
    }
    t.nodes.push_back(std::move(n));
  }

  ToyConstant mask(const Toy& t) {
    ToyConstant c{.dims = {t.size}, .kind = 'b', .elements = {}};
    for (int i = 0; i < t.size; ++i) c.elements.push_back(below(2));
    return c;
  }

  void add_operands(Toy& t, ToyNode& n, bool half, std::int64_t channels, int at) {
    if (n.op == "LeakyRelu" || n.op == "Elu") {
      if (below(2) == 0) n.attributes = {pick({"alpha=0.5f", "alpha=0.25f"})};
    } else if (n.op == "Softmax") {
      if (below(2) == 0) n.attributes = {"axis=1"};
    } else if (n.op == "Transpose") {
      n.attributes = {"perm=[0,1,3,2]"};
    } else if (n.op == "Add" || n.op == "Sub" || n.op == "Mul" || n.op == "Div") {
      n.inputs.push_back(below(3) == 0 ? constant(t, {.dims = {channels, 1, 1}, .elements = {}})
                                       : tensor(t, half, at));
      if (below(3) == 0) std::swap(n.inputs[0], n.inputs[1]);
      if (n.inputs[0].kind == Ref::kConstant) std::swap(n.inputs[0], n.inputs[1]);
    } else if (n.op == "MatMul") {
      n.inputs.push_back(constant(t, {.dims = {t.size, t.size}, .elements = {}}));
    } else if (n.op == "Conv") {
      const bool dilated = below(3) == 0, grouped = below(3) == 0;
      n.inputs.push_back(constant(
          t, {.dims = {channels, grouped ? channels / 2 : channels, 3, 3}, .elements = {}}));
      n.attributes = {dilated ? "pads=[2,2,2,2]" : "pads=[1,1,1,1]"};
      if (dilated) n.attributes.insert("dilations=[2,2]");
      if (grouped) n.attributes.insert("group=2");
    } else if (n.op == "Clip") {
      n.inputs.push_back(constant(t, {.dims = {}, .kind = 'f', .elements = {-below(3)}}));
      n.inputs.push_back(constant(t, {.dims = {}, .kind = 'f', .elements = {1 + below(3)}}));
    } else if (n.op == "Reshape") {
      n.inputs.push_back(
          constant(t, {.dims = {4},
                       .kind = 'i',
                       .elements = {below(2), channels, t.size, below(2) == 0 ? -1 : t.size}}));
    }
  }

  /// Sets the results and drops ports and constants that nothing reads.
  void finish(Toy& t) {
    std::set<Ref> read;
    for (const ToyNode& n : t.nodes) read.insert(n.inputs.begin(), n.inputs.end());
    std::erase_if(t.results, [&](const Ref& r) { return !exists(t, r); });
    for (int i = 0; i < std::ssize(t.nodes); ++i)
      for (int k = 0; k < t.nodes[static_cast<std::size_t>(i)].outputs; ++k) {
        const Ref r{Ref::kResult, i, k};
        const bool dead = !read.contains(r);
        if (dead || (!finished_ && below(6) == 0)) t.results.insert(r);
        if (t.results.contains(r) && !finished_ && below(5) == 0) t.blocked.insert(r);
      }
    std::erase_if(t.blocked, [&](const Ref& r) { return !t.results.contains(r); });
    drop_unread(t.ports, t, Ref::kPort, read);
    drop_unread(t.constants, t, Ref::kConstant, read);
  }

  static bool exists(const Toy& t, const Ref& r) {
    return r.at < std::ssize(t.nodes) && r.output < t.nodes[static_cast<std::size_t>(r.at)].outputs;
  }

  template <typename T>
  static void drop_unread(std::vector<T>& items, Toy& t, Ref::Kind kind,
                          const std::set<Ref>& read) {
    std::vector<T> kept;
    std::map<int, int> number;
    for (int i = 0; i < std::ssize(items); ++i)
      if (read.contains({kind, i, 0})) {
        number[i] = static_cast<int>(kept.size());
        kept.push_back(items[static_cast<std::size_t>(i)]);
      }
    for (ToyNode& n : t.nodes)
      for (Ref& r : n.inputs)
        if (r.kind == kind) r.at = number.at(r.at);
    items = std::move(kept);
  }

  /// Returns false if the change does not apply.
  bool change(Toy& t) {
    finished_ = true;
    const bool done = change_one(t);
    if (done) finish(t);
    finished_ = false;
    return done;
  }

  bool change_one(Toy& t) {
    ToyNode& n = one_of(t.nodes);
    switch (below(12)) {
      case 0:
        return change_operator(n);
      case 1:
        return change_attribute(n);
      case 2:
        return change_edge(t, n);
      case 3:
        t.size = 12 - t.size;
        for (ToyConstant& c : t.constants)
          if (c.kind == 'i' || c.kind == 'b' || c.dims.size() == 2) return false;
        return true;
      case 4:
        t.wide = !t.wide;
        return true;
      case 5:
        return change_element(t);
      case 6:
        return share(t, n);
      case 7:
        return change_port(t);
      case 8:
        return exchange(t, n);
      case 9:
        t.opset = 13 + below(5);
        return true;
      case 10:
        return change_result(t);
      default:
        return change_body(n);
    }
  }

  bool change_operator(ToyNode& n) {
    for (const std::vector<const char*>& like :
         {std::vector<const char*>{"Relu", "Sigmoid", "Neg", "LeakyRelu", "Elu", "Softmax"},
          {"Add", "Sub", "Mul", "Div"}})
      if (std::ranges::find(like, n.op) != like.end() && n.attributes.empty()) {
        n.op = like[static_cast<std::size_t>(below(static_cast<int>(like.size())))];
        return true;
      }
    return false;
  }

  bool change_attribute(ToyNode& n) {
    if (n.op == "LeakyRelu" || n.op == "Elu")
      n.attributes = {pick({"alpha=0.5f", "alpha=0.25f", "alpha=0.125f"})};
    else if (n.op == "Softmax")
      n.attributes =
          n.attributes.empty() ? std::set<std::string>{"axis=1"} : std::set<std::string>{};
    else if (n.op == "Transpose")
      n.attributes = {n.attributes.contains("perm=[0,1,3,2]") ? "perm=[0,1,2,3]"
                                                              : "perm=[0,1,3,2]"};
    else if (n.op == "Conv" && n.attributes.contains("pads=[1,1,1,1]"))
      n.attributes.erase("pads=[1,1,1,1]"), n.attributes.insert("pads=[0,1,2,1]");
    else
      return false;
    return true;
  }

  bool change_edge(Toy& t, ToyNode& n) {
    const auto at = static_cast<int>(&n - t.nodes.data());
    const auto input = static_cast<std::size_t>(below(static_cast<int>(n.inputs.size())));
    const Ref before = n.inputs[input];
    if (before.kind == Ref::kConstant ||
        (before.kind == Ref::kPort && t.ports[static_cast<std::size_t>(before.at)].flag))
      return false;
    const Ref other = tensor(t, is_half(t, before), at);  // may add a port
    n.inputs[input] = other;
    return other != before;
  }

  bool change_element(Toy& t) {
    if (t.constants.empty()) return false;
    ToyConstant& c = one_of(t.constants);
    if (c.kind == 'f') c.elements[0] += c.elements[0] > 0 ? 1 : -1;
    if (c.kind == 'b') c.elements[0] = 1 - c.elements[0];
    if (c.kind == 'i') c.elements[0] = 1 - c.elements[0];
    return c.kind != 'w';
  }

  /// Lets a node share a constant with another one, or gives it its own.
  bool share(Toy& t, ToyNode& n) {
    for (Ref& r : n.inputs) {
      if (r.kind != Ref::kConstant) continue;
      const ToyConstant& own = t.constants[static_cast<std::size_t>(r.at)];
      for (int i = 0; i < std::ssize(t.constants); ++i)
        if (i != r.at && t.constants[static_cast<std::size_t>(i)] == own && below(2) == 0) {
          r.at = i;
          return true;
        }
      t.constants.push_back(ToyConstant(own));
      r.at = static_cast<int>(t.constants.size()) - 1;
      return true;
    }
    return false;
  }

  bool change_port(Toy& t) {
    if (t.ports.empty()) return false;
    ToyPort& p = one_of(t.ports);
    p.blocked = !p.blocked;
    return !p.flag;
  }

  bool exchange(Toy& t, ToyNode& n) {
    if (n.op == "If" || n.op == "Where") {
      if (is_half(t, n.inputs[1]) != is_half(t, n.inputs[2])) return false;
      std::swap(n.inputs[1], n.inputs[2]);
      return true;
    }
    if (n.inputs.size() != 2 || n.inputs[1].kind == Ref::kConstant) return false;
    std::swap(n.inputs[0], n.inputs[1]);
    return true;
  }

  bool change_result(Toy& t) {
    const int at = below(static_cast<int>(t.nodes.size()));
    const Ref r{Ref::kResult, at, below(t.nodes[static_cast<std::size_t>(at)].outputs)};
    if (below(2) == 0 && t.results.contains(r)) {
      if (t.blocked.erase(r) == 0) t.blocked.insert(r);
      return true;
    }
    if (t.results.erase(r) == 0) t.results.insert(r);
    return true;
  }

  bool change_body(ToyNode& n) {
    if (n.op != "If") return false;
    if (below(2) == 0)
      std::swap(n.then, n.otherwise);
    else
      n.then = pick({"Relu", "Sigmoid", "Neg"});
    return true;
  }

  std::mt19937 random_;
  bool finished_ = false;
};

}  // namespace ridge::bricks::testing
