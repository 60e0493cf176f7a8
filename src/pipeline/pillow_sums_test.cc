// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pillow_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ridge::pipeline {
namespace {

std::uint8_t pillow_definition(const std::uint8_t* from, std::size_t stride,
                               std::span<const std::int32_t> weights) {
  std::int64_t sum = 1 << 21;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += std::int64_t{from[i * stride]} * weights[i];
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> 22, 0, 255));
}

// Taps of every filter, over buffers without a byte to spare.
TEST(PillowSums, EqualTheirDefinition) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const int inputs = 1 + static_cast<int>(random() % 50);
    const int outputs = 1 + static_cast<int>(random() % 50);
    const auto filter = static_cast<PillowFilter>(1 + random() % 5);
    const PillowTaps taps = pillow_taps(inputs, outputs, filter);
    const std::size_t channels = 1 + random() % 4, elements = 1 + random() % 40;
    const auto noise = [&](std::size_t count) {
      std::vector<std::uint8_t> values(static_cast<std::size_t>(inputs) * count);
      for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(random());
      return values;
    };
    const auto row = noise(channels), rows = noise(elements);
    std::vector<std::uint8_t> line(static_cast<std::size_t>(outputs) * channels);
    sum_pixels(row.data(), row.data() + row.size(), taps, static_cast<int>(channels), line.data());
    for (std::size_t x = 0; x < taps.first.size(); ++x) {
      const auto first = static_cast<std::size_t>(taps.first[x]);
      for (std::size_t c = 0; c < channels; ++c)
        EXPECT_EQ(line[x * channels + c],
                  pillow_definition(row.data() + first * channels + c, channels, taps.weights(x)));
      std::vector<std::uint8_t> sums(elements);
      sum_rows(rows.data(), elements, taps, x, sums.data());
      for (std::size_t i = 0; i < elements; ++i)
        EXPECT_EQ(sums[i],
                  pillow_definition(rows.data() + first * elements + i, elements, taps.weights(x)));
    }
  }
}

}  // namespace
}  // namespace ridge::pipeline
