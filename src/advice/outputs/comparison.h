// SPDX-License-Identifier: Apache-2.0
// Compares the outputs of a model with a changed model's: at the bound sizes, at two further sizes
// of each free size, and for usual and unusual inputs.
//
//   const OutputDifference d = TRY(compare_widely(before, after, Expected::kSame));
//   d.differs_usually          // "by 0.44 of the largest element of 'y', seeded, batch=2"; "" none
//   d.differs_unusually        // "by ..., some NaN, batch=1"
//   d.not_compared             // "output 'text': the runtime gives no elements of its type"
//
// Rounding: what the type of an output explains, or more where the model itself differs by more
// between two optimization levels of the runtime, for the same inputs (seeded weights let
// activations grow). The second level is loaded only where a difference asks for it.
//
// Sizes that the model itself refuses are none; a copy that refuses a size at which the model runs
// differs there. Errors: the runtime's. Thread rule: one thread. Cost: two sessions, and two
// more if sizes are free; about 15 runs of each at the bound sizes, and 7 at each further size.
#pragma once

#include "advice/outputs/difference.h"
#include "advice/record/advice.h"
#include "base/result.h"
#include "measure/request.h"

namespace ridge::advice {

inline constexpr std::uint64_t kOutputRuns = 10;

/// Effect of a change on the outputs.
enum class Expected {
  kSame,         ///< nothing but rounding
  kSameIfBound,  ///< kSame, of a model that takes the bound sizes alone
  kOther,        ///< they differ, such as the outputs of an int8 copy
};

/// Difference of the outputs that both have, over kOutputRuns seeded inputs of the bound sizes.
/// Errors: RIDGE-WB-0090 (input class) if there are none.
Result<OutputDifference> compare_outputs(const measure::Column& before,
                                         const measure::Column& after);

/// Also at further sizes and for other inputs. Errors: as compare_outputs().
Result<OutputDifference> compare_widely(const measure::Column& before, const measure::Column& after,
                                        Expected expected);

}  // namespace ridge::advice
