// SPDX-License-Identifier: Apache-2.0
// What the API takes and answers beside the documents of the verbs. Plain data; describe.h has the
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "record/type.h"
#include "store/list_rows.h"

namespace ridge::lab::serve {

/// Query of the lists of runs and evaluations.
struct ListQuery {
  std::string model, runtime, host;
  std::vector<std::uint32_t> threads;
  std::optional<std::int64_t> experiment, since_s, before_s;
  store::Window window;
};

/// Query of a comparison.
struct CompareQuery {
  std::vector<std::int64_t> runs;
};

/// Query of a grid of what was measured.
struct GridQuery {
  std::string rows = "model", columns = "host", base;
};

struct RunPage {
  std::int64_t total = 0, offset = 0;
  std::vector<store::RunRow> runs;
};

struct EvaluationPage {
  std::int64_t total = 0, offset = 0;
  std::vector<store::EvaluationRow> evaluations;
};

struct HostPage {
  std::vector<store::HostRow> hosts;
};

/// An entry of the registry, by name: never with a path.
struct ServedModel {
  std::string model;  ///< "digits@1.0.0"
  std::string sha256;
  std::int64_t bytes = 0;
};

struct ModelPage {
  std::vector<ServedModel> models;
};

enum class JobState : std::uint8_t { kRunning, kDone, kFailed, kCanceled };

/// A measurement that a client started.
struct Job {
  std::int64_t id = 0;
  std::string verb;
  record::Json request;  ///< as it was sent
  JobState state = JobState::kRunning;
  std::int64_t started_s = 0;
  std::optional<std::int64_t> ended_s, status;
  std::string said;  ///< last lines that it printed
};

struct JobPage {
  std::vector<Job> jobs;
};

struct ErrorDocument {
  std::string code, message, where, evidence, hint;
};

}  // namespace ridge::lab::serve

namespace ridge {

template <>
struct Words<lab::serve::JobState> {
  using S = lab::serve::JobState;
  static constexpr std::array list{Word(S::kRunning, "running", "it measures"),
                                   Word(S::kDone, "done", "it ran to its end"),
                                   Word(S::kFailed, "failed", "its last lines have the reason"),
                                   Word(S::kCanceled, "canceled", "it was interrupted")};
};

}  // namespace ridge
