// SPDX-License-Identifier: Apache-2.0
// Compares the work of recurrent cells besides their products with loops that count one by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

struct Cell {
  std::string name;
  int gates, mixing;                  ///< FLOPs of a hidden element to combine state and gates
  std::vector<int> uses;              ///< number of uses of each activation
  std::vector<std::string> defaults;  ///< for one direction
};
// Equations of the operators' documentation: f * C + i * c and o * h; r * H and (1 - z) * h + z *
// H.
const std::vector<Cell> kCells = {{"LSTM", 4, 4, {3, 1, 1}, {"Sigmoid", "Tanh", "Tanh"}},
                                  {"GRU", 3, 5, {2, 1}, {"Sigmoid", "Tanh"}},
                                  {"RNN", 1, 0, {1}, {"Tanh"}}};

struct Operations {
  long flops = 0, special = 0;
};
const std::map<std::string, Operations> kCosts = {{"Sigmoid", {0, 1}},
                                                  {"Tanh", {0, 1}},
                                                  {"Relu", {1, 0}},
                                                  {"HardSigmoid", {4, 0}},
                                                  {"Softplus", {1, 2}}};

/// Operations by enumeration. `names`: activations of every direction, one after the other.
Operations counted_work(const Cell& cell, const std::vector<std::string>& names, int directions,
                        int elements) {
  Operations out;
  for (int d = 0; d < directions; ++d)
    for (int element = 0; element < elements; ++element) {
      out.flops += cell.mixing + cell.gates;  // the recurrent part is added to the input's part
      for (std::size_t a = 0; a < cell.uses.size(); ++a)
        for (int use = 0; use < cell.uses[a]; ++use) {
          const Operations& one =
              kCosts.at(names[static_cast<std::size_t>(d) * cell.uses.size() + a]);
          out.flops += one.flops;
          out.special += one.special;
        }
    }
  return out;
}

TEST(Recurrent, EachDirectionHasItsOwnActivations) {
  std::mt19937 random(5);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  std::vector<std::string> all;
  for (const auto& [name, cost] : kCosts) all.push_back(name);
  for (int round = 0; round < 60; ++round) {
    const Cell& cell = kCells[static_cast<std::size_t>(round) % 3];
    const int steps = pick(1, 4), batch = pick(1, 3), in = pick(1, 4), hidden = pick(1, 4);
    const int directions = pick(1, 2);
    std::vector<std::string> names;
    for (int i = 0; i < directions * static_cast<int>(cell.uses.size()); ++i)
      names.push_back(all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size()) - 1))]);
    const std::string node = fmt::format(
        "{}(f32[{},{},{}], f32[{},{},{}], f32[{},{},{}]) hidden_size={} direction=\"{}\"",
        cell.name, steps, batch, in, directions, cell.gates * hidden, in, directions,
        cell.gates * hidden, hidden, hidden, directions == 2 ? "bidirectional" : "reverse");
    const int elements = steps * batch * hidden;
    const long macs = long{directions} * elements * cell.gates * (in + hidden);
    const Operations given = counted_work(cell, names, directions, elements);
    const auto text = [&](const Operations& o) {
      return fmt::format("macs {}{}{}", macs, o.flops > 0 ? fmt::format(" flops {}", o.flops) : "",
                         o.special > 0 ? fmt::format(" special {}", o.special) : "");
    };
    EXPECT_EQ(
        testing::work(fmt::format("{} activations=[\"{}\"]", node, fmt::join(names, "\",\""))),
        text(given));
    std::vector<std::string> defaults = cell.defaults;
    defaults.insert(defaults.end(), cell.defaults.begin(), cell.defaults.end());
    EXPECT_EQ(testing::work(node), text(counted_work(cell, defaults, directions, elements)));
  }
}

TEST(Recurrent, AnActivationThatIsNotKnownCountsAsUnknown) {
  EXPECT_EQ(testing::work("RNN(f32[1,1,2], f32[1,3,2], f32[1,3,3]) hidden_size=3 "
                          "activations=[\"Wiggle\"]"),
            "macs 15 flops ? special ?");
}

// Two sequences of 5 steps; hidden 3, input 2. Constant lengths 5 and 1 are 6 steps, not 10.
TEST(Recurrent, ConstantLengthsSayHowManyStepsRun) {
  const auto cell = [](const char* op, int gates, const char* lengths) {
    return testing::macs_of(
        fmt::format("{0}(f32[5,2,2], f32[1,{1},2], f32[1,{1},3], _, i32[2]{2}) "
                    "hidden_size=3",
                    op, 3 * gates, lengths));
  };
  for (const auto& [op, gates] : {std::pair{"LSTM", 4}, {"GRU", 3}, {"RNN", 1}}) {
    EXPECT_EQ(cell(op, gates, "={5,1}"), 6 * gates * 3 * (2 + 3)) << op;
    EXPECT_EQ(cell(op, gates, ""), 10 * gates * 3 * (2 + 3)) << op;
    EXPECT_EQ(cell(op, gates, "={9,-1}"), 5 * gates * 3 * (2 + 3)) << op;
  }
}

}  // namespace
}  // namespace ridge::ops
