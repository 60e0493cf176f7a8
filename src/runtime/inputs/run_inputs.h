// SPDX-License-Identifier: Apache-2.0
// Inputs of a decoder's run: token ids, and what follows from the number of tokens, such as their
// places, masks and lengths.
//
//   RunInput mask{"attention_mask", DataType::kInt64, RunMeaning::kMask, {kBatchAxis, kKeysAxis}};
//   const RunArray a = TRY(array_of(mask, {.ids = ids, .tokens = 1, .cache = 7, .seen = 7}));
//   a.dims == {1, 8}; a.elements: eight ones
//
// Masks let each token see all tokens before it and itself: 1 (true) for what it sees, in floats 0,
// and the lowest number of the type for the rest. Errors: input class, RIDGE-RT-0063, for an
// element type that its meaning cannot have. Thread rule: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/words.h"
#include "onnx/data_type.h"

namespace ridge::runtime {

enum class RunMeaning : std::uint8_t {
  kGiven,       ///< the elements that the user gave, in every run
  kIds,         ///< token ids
  kEmbeddings,  ///< a row of seeded numbers for each id, in place of an embedding model
  kPlaces,      ///< place of each token, the first of a request at 0
  kMask,        ///< the keys that each token sees
  kZeros,
  kOnes,
  kCount,        ///< 0, 1, 2, ...
  kHasCache,     ///< whether tokens came before
  kCacheLength,  ///< tokens before
  kLastPlace,    ///< tokens before and the run's tokens, less one
  kTotalLength,  ///< tokens before and the run's tokens
};

/// Axes whose size differs from run to run, in place of a size.
inline constexpr std::int64_t kBatchAxis = -1, kTokensAxis = -2;
inline constexpr std::int64_t kKeysAxis = -3;  ///< places in the cache and the run's places

struct RunInput {
  std::string name;
  onnx::DataType type = onnx::DataType::kInt64;
  RunMeaning means = RunMeaning::kIds;
  std::vector<std::int64_t> dims;
  /// True for a mask whose newest token is last and whose empty places come first.
  bool newest_last = false;
  std::string elements = {};  ///< kGiven
};

/// A run in the life of a request.
struct RunState {
  std::span<const std::int64_t> ids;  ///< ids of all sequences, one after the other
  std::int64_t batch = 1, tokens = 1;
  std::int64_t cache = 0;  ///< places in the cache that the run finds
  std::int64_t seen = 0;   ///< tokens of the request before; a window has fewer places
  std::uint64_t seed = 1;
};

struct RunArray {
  std::vector<std::int64_t> dims;
  std::vector<std::byte> elements;
};

Result<RunArray> array_of(const RunInput& input, const RunState& state);

/// Bytes of an array; 0 for a type that is unknown.
std::int64_t array_bytes(onnx::DataType type, std::span<const std::int64_t> dims);

}  // namespace ridge::runtime

namespace ridge {

template <>
struct Words<runtime::RunMeaning> {
  using E = runtime::RunMeaning;
  static constexpr std::array list{Word{E::kGiven, "as given"},
                                   Word{E::kIds, "ids"},
                                   Word{E::kEmbeddings, "a seeded row for each id"},
                                   Word{E::kPlaces, "places of the tokens"},
                                   Word{E::kMask, "the tokens so far"},
                                   Word{E::kZeros, "0"},
                                   Word{E::kOnes, "1"},
                                   Word{E::kCount, "0, 1, 2, ..."},
                                   Word{E::kHasCache, "whether tokens came before"},
                                   Word{E::kCacheLength, "tokens before"},
                                   Word{E::kLastPlace, "place of the last token"},
                                   Word{E::kTotalLength, "tokens so far"}};
};

}  // namespace ridge
