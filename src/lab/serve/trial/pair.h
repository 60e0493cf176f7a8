// SPDX-License-Identifier: Apache-2.0
// One model in one runtime on the sample of a try: a process of ridge eval, and what it shows.
//
//   const TriedPair pair = try_pair(setup, {"digits", "ort"}, place, stop);
//   if (pair.error) ...
//
// Whatever fails is the pair's error. The process is ended when it takes longer than kLongestPair,
// or when it is asked to stop. Thread rule: any thread. Cost: loading the model, and a second.
#pragma once

#include <stop_token>
#include <string>

#include "base/units.h"
#include "lab/serve/trial/request.h"

namespace ridge::lab::serve {

inline constexpr std::int64_t kLongestPairSeconds = 60;

struct PairNames {
  std::string model, runtime;
};

struct TrialPlace {
  std::string folder;    ///< own folder: files of the pair are written there
  std::string sample;    ///< sample as --data takes it
  std::string registry;  ///< its folder; "": none
};

TriedPair try_pair(SampleKind kind, const PairNames& names, const TrialPlace& place,
                   const std::stop_token& stop);

}  // namespace ridge::lab::serve
