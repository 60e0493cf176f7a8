// SPDX-License-Identifier: Apache-2.0
// Reading user.conf, mlperf.conf and audit.config as LoadGen 6.0.17 does
// (TestSettings::FromConfig):
//
//   resnet50.Server.target_qps = 250        # model.scenario.key = value
//   *.*.min_duration = 60000                # milliseconds
//
//   LoadgenSettings s;                       // s.scenario says which keys apply
//   TRY(read_loadgen_config(user_conf, "resnet50", ConfigKind::kUser, s));
//
// Of several lines for a key the first of model.scenario, *.scenario, model.*, *.* counts; of equal
// ones the last. Times are milliseconds (become nanoseconds where a setting says so), percentiles
// percent. As in LoadGen, words are separated by white space, so `a.b.c=1` is no line of it, and of
// several values the last counts; unlike it, a value must fit (LoadGen reads the duration 6e5 as
// 6), '#' ends a line anywhere, and a key of another form is an error. Keys that LoadGen does not
// know are ignored, but listed: they are most likely misspelled. Seeds are read from mlperf.conf
// and audit.config alone.
//
// Bounded: 1 MiB, lines of 4 KiB, 100,000 entries. Errors: input class, RIDGE-SCEN-0040, with the
// line; `settings` is unchanged then. Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scenario/loadgen_settings.h"

namespace ridge::scenario {

enum class ConfigKind : std::uint8_t {
  kMlperf,  ///< mlperf.conf: the seeds as well
  kUser,    ///< user.conf, and audit.config: no seed but the accuracy log's
};

struct ConfigNotes {
  std::vector<std::string> unknown;  ///< keys that apply to the model and scenario, with their line
};

/// Sets what the text says for this model and settings.scenario. Settings of other scenarios (the
/// server's rate in a single-stream test) are read too, as LoadGen does.
Result<ConfigNotes> read_loadgen_config(std::string_view text, std::string_view model,
                                        ConfigKind kind, LoadgenSettings& settings);

}  // namespace ridge::scenario
