// SPDX-License-Identifier: Apache-2.0
// The key of a run: all that it depends on, as JSON. Runs with equal keys are repetitions of one
// measurement (Workbench::key). Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "session/measure_spec.h"

namespace ridge::session {

struct RunKey {
  std::string graph;
  std::map<std::string, std::int64_t> sizes;
  std::vector<std::vector<std::optional<std::int64_t>>> inputs;
  std::string runtime, version;
  std::map<std::string, std::string> options;
  WeightSource weights = WeightSource::kSeeded;
  std::map<std::string, std::string> files;
  std::string host, ridge;
};

std::string text_of(const RunKey& key);
/// Key of the run's point in any request (point_choice.h): of all in `key` but the machine, its
/// processors, and the versions of runtime and ridge.
std::string point_key(RunKey key);
/// Errors: input class, as record/json_read.h.
Result<RunKey> read_run_key(std::string_view text);

/// The spec that measures a stored run again at its point, with as many processes and about as
/// long. `point`: its key, which names the files of its inputs. Which library and plug-in it had is
/// no matter of a run that may be somebody else's: the spec has none. Errors (input class,
/// RIDGE-WB-0392): it was not measured by ridge, or in a runtime that this ridge does not come
/// with.
Result<MeasureSpec> spec_of_run(const profile::Profile& run, std::string_view point);

}  // namespace ridge::session
