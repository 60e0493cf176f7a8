// SPDX-License-Identifier: Apache-2.0
// Measures the result of a bundle again, and judges what came out against what was sealed.
//
//   const ReplayedRun replayed = TRY(replay_run(bundle, environment));
//   replayed.judged.verdict, replayed.judged.why   // kDifferent, {"latency +12.1 % [9.0, 15.3]"}
//
// The files are unpacked, and measured with the options, sizes and seeds of the result
// (session/run_key.h; the lock of an evaluation), a run in at least compare::kProcesses processes,
// with the library that is found here.
//
// Judged is of a run its latency, as `ridge compare` does for runs measured apart
// (compare/comparison.h): a difference that is no larger than the drift of the machine's reference
// kernels is none that is shown. Of an evaluation it is the answers (any that changed is a
// difference), the median latency and the rate (compare/evaluation_comparison.h), of which a change
// of the machine is part. Another machine, another version of the runtime, or too few runs make the
// two not comparable: then nothing is judged, and `why` says so. So does it where this machine is
// less fit for measurements than it was then, with the check that failed (machine/fitness.h).
//
// Errors: as the bundle, the model and measuring; for an evaluation also as its lock
// (evaluation/repeat/lock.h): one that had a library of its own is not repeated. Thread rule:
// one thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/words.h"
#include "evaluation/run/recorder.h"
#include "lab/bundle/bundle.h"
#include "machine/fitness.h"
#include "profile/profile.h"
#include "session/environment.h"

namespace ridge::lab {

enum class ReplayVerdict : std::uint8_t { kNoDifference, kDifferent, kNotComparable };

}  // namespace ridge::lab

namespace ridge {

template <>
struct Words<lab::ReplayVerdict> {
  using V = lab::ReplayVerdict;
  static constexpr std::array list{Word{V::kNoDifference, "no difference shown"},
                                   Word{V::kDifferent, "different"},
                                   Word{V::kNotComparable, "not comparable"}};
};

}  // namespace ridge

namespace ridge::lab {

struct Replay {
  ReplayVerdict verdict = ReplayVerdict::kNoDifference;
  std::vector<std::string> why;  ///< figures, then what differs between then and now
};

struct ReplayedRun {
  Replay judged;
  profile::Profile now;
  std::string key;  ///< key of the run of now (session/run_key.h)
};

Result<ReplayedRun> replay_run(const Bundle& bundle, const session::Environment& environment);
/// `store`: takes the evaluation of now; may be null.
Result<Replay> replay_evaluation(const Bundle& bundle, store::Store* store,
                                 const session::Environment& environment);

/// Judges two runs of one model, or two evaluations of one runtime.
Result<Replay> judge(profile::Profile sealed, profile::Profile now);
Result<Replay> judge(evaluation::Evaluation sealed, evaluation::Evaluation now);

/// The checks that fail now and did not fail then, as sentences. `then`: as stored with a run.
std::vector<std::string> less_fit(std::string_view then, const std::vector<machine::Check>& now);

}  // namespace ridge::lab
