// SPDX-License-Identifier: Apache-2.0
// Facts of a measurement by which a grid has rows and columns.
//
//   const auto keys = TRY(read_keys("model,batch", "--rows"));
//   name_of(facts, keys)                      // "resnet50.onnx, 4"
//
// Facts are texts of untrusted stores; "?" where a measurement does not say. Thread rule: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/words.h"

namespace ridge::lab {

enum class Key : std::uint8_t {
  kModel,
  kHost,
  kRuntime,
  kVersion,
  kPrecision,
  kBatch,
  kThreads,
  kSizes,
  kScenario
};

}  // namespace ridge::lab

namespace ridge {

template <>
struct Words<lab::Key> {
  using Key = lab::Key;
  static constexpr std::array list{
      Word{Key::kModel, "model", "path, or zoo:NAME"},
      Word{Key::kHost, "host", "name of the machine"},
      Word{Key::kRuntime, "runtime", "as it names itself"},
      Word{Key::kVersion, "version", "of the runtime"},
      Word{Key::kPrecision, "precision", "element type of the layers that take most of the time"},
      Word{Key::kBatch, "batch", "items of one run of the model"},
      Word{Key::kThreads, "threads", "of the runtime"},
      Word{Key::kSizes, "sizes", "free sizes as bound, without the batch"},
      Word{Key::kScenario, "scenario", "of an evaluation; profile for runs one after the other"}};
};

namespace lab {

/// Text where nothing was measured, or a fact is not known.
inline constexpr std::string_view kNotKnown = "?";
/// The scenario of runs that no load generator issued.
inline constexpr std::string_view kProfileScenario = "profile";

/// By Key.
using KeyFacts = std::array<std::string, Words<Key>::list.size()>;

inline std::string& fact(KeyFacts& facts, Key key) { return facts[static_cast<std::size_t>(key)]; }
inline const std::string& fact(const KeyFacts& facts, Key key) {
  return facts[static_cast<std::size_t>(key)];
}

/// Keys in a list: "model,batch". Errors: usage class, RIDGE-GRID-0001, for a word that is none or
/// that stands there twice. `flag` is named in the message.
Result<std::vector<Key>> read_keys(std::string_view list, std::string_view flag);

/// The facts of these keys, in their order.
std::vector<std::string> values_of(const KeyFacts& facts, const std::vector<Key>& keys);
/// The values of a row or column as its name: "resnet50.onnx, 4".
std::string name_of(const std::vector<std::string>& values);
/// Order of rows: numbers by value and before texts, "?" last.
bool values_before(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace lab
}  // namespace ridge
