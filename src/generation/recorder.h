// SPDX-License-Identifier: Apache-2.0
// Keeps the generations of a request in a store, and finds those that it has already.
//
//   const GenerationRecorder recorder(keeping, environment);
//   if (auto before = TRY(recorder.stored(key, point))) ...        // not generated again
//   TRY(recorder.keep(generation, point, key));                    // as soon as it is
//
// One that was cut short, or whose runtime ended, is kept without its key, so that it is generated
// again. Errors: the store's; input class, RIDGE-WB-0396, for a document of several points. Borrows
// what it is made from. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generation/keeping.h"
#include "generation/key.h"
#include "generation/token_generation.h"
#include "session/environment.h"
#include "session/point_choice.h"
#include "store/store.h"

namespace ridge::generation {

class GenerationRecorder {
 public:
  GenerationRecorder(const GenerationKeeping& keeping, const session::Environment& environment)
      : keeping_(keeping), environment_(environment) {}

  /// Id of the generation that the store has; nullopt also where its points are to be repeated.
  /// `key`: with what the runtime says of itself.
  Result<std::optional<store::EvaluationId>> find(const GenerationKey& key) const;
  /// Generation of find().
  Result<std::optional<GeneratedPoint>> stored(const GenerationKey& key,
                                               const session::Point& point) const;
  /// Stores a point with the facts of its generation; `key` as in find(). What cannot be stored is
  /// TokenGeneration::store_error.
  void keep(TokenGeneration& of, GeneratedPoint& point, const GenerationKey& key) const;

 private:
  const GenerationKeeping& keeping_;
  const session::Environment& environment_;
};

/// The points that are wanted, in the order of the request.
struct ChosenPoints {
  std::vector<session::Point> points;
  std::vector<GenerationKey> keys;  ///< key of each point
};
/// Errors: those of keys and of session::select_points().
Result<ChosenPoints> choose_points(const TokenGenerationRequest& request,
                                   const session::Workbench& bench,
                                   const GenerationKeeping& keeping);

/// Opens the runtime of the point and completes the key by what it says of itself. Reads its
/// library. Cost: about 50 ms.
Result<void> open_runtime(const session::Workbench& bench, const session::Point& point,
                          GenerationKey& key);

}  // namespace ridge::generation
