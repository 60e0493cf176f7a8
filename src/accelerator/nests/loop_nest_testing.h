// SPDX-License-Identifier: Apache-2.0
// Reference loop nest of an operator: multiplies one by one and records the distinct elements of
// each operand; and the distinct elements that a layer's products access. For tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "accelerator/lowering.h"
#include "accelerator/scalesim/window_addresses.h"
#include "analysis/testing.h"

namespace ridge::accelerator::testing {

inline constexpr int kRounds = 1000;

class Pick {
 public:
  explicit Pick(std::uint32_t seed) : random_(seed) {}
  int operator()(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random_);
  }

 private:
  std::mt19937 random_;
};

/// Multiply-accumulates and distinct elements of both factors and of the result.
struct Seen {
  std::int64_t macs = 0, ifmap = 0, filter = 0, ofmap = 0;

  bool operator==(const Seen&) const = default;
  Seen operator+(const Seen& s) const {
    return {macs + s.macs, ifmap + s.ifmap, filter + s.filter, ofmap + s.ofmap};
  }
};
inline std::ostream& operator<<(std::ostream& out, const Seen& s) {
  return out << fmt::format("{} MACs of {}, {}, {}", s.macs, s.ifmap, s.filter, s.ofmap);
}

inline constexpr std::uint64_t kBase = 64;

/// Address of an element from its indices, each below 64.
inline std::uint64_t at(std::initializer_list<int> indices) {
  std::uint64_t out = 1;
  for (const int i : indices) out = out * kBase + static_cast<std::uint64_t>(i);
  return out;
}

class Definition {
 public:
  void multiply(std::uint64_t a, std::uint64_t b, std::uint64_t to) {
    ++macs_;
    a_.insert(a);
    b_.insert(b);
    to_.insert(to);
  }
  Seen seen() const {
    const auto size = [](const auto& set) { return static_cast<std::int64_t>(set.size()); };
    return {macs_, size(a_), size(b_), size(to_)};
  }

 private:
  std::int64_t macs_ = 0;
  std::unordered_set<std::uint64_t> a_, b_, to_;
};

/// Distinct elements that the products of a layer access.
inline Seen seen_by(const std::vector<Gemm>& gemms) {
  Seen out;
  for (const Gemm& g : gemms) {
    const WindowAddresses addresses(g.window);
    std::unordered_set<std::int64_t> read;
    for (std::int64_t m = 0; m < g.m; ++m)
      for (std::int64_t k = 0; k < g.k; ++k) read.insert(addresses.at(m, k));
    read.erase(-1);
    const auto distinct = static_cast<std::int64_t>(read.size());
    EXPECT_LE(distinct, g.window.elements());
    out.macs += g.macs();
    out.ifmap += distinct * g.count;
    out.filter += g.k * g.n * g.count;
    out.ofmap += g.m * g.n * g.count;
  }
  return out;
}

/// Model that consists of one node, in the newest opset.
inline analysis::Resolved resolved_node(const std::string& inputs, const std::string& node) {
  const auto document = graph::Sketch::document(
      fmt::format("graph main\n{}\nlayer: {} -> made\noutput made", inputs, node));
  std::vector<onnx::OperatorSet> opsets(document->model.opsets.begin(),
                                        document->model.opsets.end());
  opsets[0].version = 27;
  document->model.opsets = document->arena.copy(opsets);
  auto model = graph::Model::build(document);
  if (!model.ok()) throw std::runtime_error(node + ": " + model.error().text());
  auto r = analysis::resolve(std::make_shared<const graph::Model>(std::move(model).value()), {});
  if (!r.ok()) throw std::runtime_error(node + ": " + r.error().text());
  return std::move(r).value();
}

/// Only layer of such a model.
inline Layer layer_of(const std::string& inputs, const std::string& node) {
  Lowered l = lower(resolved_node(inputs, node));
  if (l.layers.size() != 1) throw std::runtime_error(node + ": no layer");
  EXPECT_EQ(l.layers[0].reason, "") << node;
  return std::move(l.layers[0]);
}

inline void expect(const Layer& layer, const Definition& nest, const std::string& what) {
  ASSERT_EQ(seen_by(layer.gemms), nest.seen()) << what;
}

/// Calls visit with all index vectors below `sizes`.
template <typename Visit>
void each(const std::vector<int>& sizes, Visit&& visit) {
  std::vector<int> i(sizes.size(), 0);
  for (;;) {
    visit(i);
    std::size_t axis = sizes.size();
    while (axis > 0 && ++i[axis - 1] == sizes[axis - 1]) i[--axis] = 0;
    if (axis == 0) return;
  }
}

/// Address in a tensor of any rank.
inline std::uint64_t flat(std::initializer_list<int> first, const std::vector<int>& rest) {
  std::uint64_t out = at(first);
  for (const int i : rest) out = out * kBase + static_cast<std::uint64_t>(i);
  return out;
}

}  // namespace ridge::accelerator::testing
