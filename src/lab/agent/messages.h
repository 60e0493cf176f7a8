// SPDX-License-Identifier: Apache-2.0
// Messages between `ridge submit` and `ridge agent`. Each is the payload of a frame (frame.h).
//
//   submit: Job, then FilePart for every file that the agent asked for; the next Job after the
//           answer to this one; Run, Stop
//   agent:  Facts; Wanted and Plan, or Fault, to a Job; Alive, Progress, StorePart, Done to a Run
//
// Plain data; describe.h describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "store/experiment.h"

namespace ridge::lab {

struct Kind {
  enum Value : std::uint32_t {
    kJob = 1,
    kFilePart,
    kRun,
    kStop,
    kFacts = 100,
    kWanted,
    kPlan,
    kAlive,
    kProgress,
    kStorePart,
    kDone,
    kFault,
  };
};

/// A file that a job needs.
struct JobFile {
  std::string path;  ///< relative, below the folder of the job (base/relative_path.h)
  std::string sha256;
  std::int64_t bytes = 0;

  bool operator==(const JobFile&) const = default;
};

/// A request of a verb (docs/submit.md) and its files.
struct Job {
  std::uint32_t id = 0;
  std::string verb;
  std::string request;    ///< text of the request's file
  bool is_json = false;   ///< else TOML
  bool is_known = false;  ///< its points are known from before: an empty plan will do
  std::vector<JobFile> files;
};

struct FilePart {
  std::string sha256, bytes;
  bool last = false;
};

using LeaseId = std::uint64_t;

struct Run {
  LeaseId lease = 0;
  std::uint32_t job = 0;
  std::string key;
};

struct Stop {
  LeaseId lease = 0;
};

inline constexpr std::size_t kMostModels = 1000;

/// Facts of a host: what it is and has.
struct Facts {
  std::string machine;       ///< ridge.machine/1 without roofs: host and fitness
  std::string architecture;  ///< "x86_64"
  std::optional<std::int64_t> memory_available;
  std::vector<store::AgentRuntime> runtimes;
  std::vector<std::string> devices;       ///< "cpu", "gpu"
  std::vector<store::AgentModel> models;  ///< models of its registry, at most kMostModels
  std::int64_t time_s = 0;  ///< by its clock as it tells them, seconds since 1970 (UTC)
};

struct Wanted {
  std::vector<std::string> sha256;
};

struct PlannedPoint {
  std::string key;        ///< in the request, the same on every machine (session/point_choice.h)
  std::string store_key;  ///< key of its result in a store, as this machine measures it
  std::string label, model, runtime;
};

struct Plan {
  std::uint32_t job = 0;
  std::vector<PlannedPoint> points;
};

struct Alive {
  LeaseId lease = 0;  ///< 0: none
};

struct ProgressLine {
  LeaseId lease = 0;
  std::string text;
};

/// Bytes of the run database of a lease, in their order.
struct StorePart {
  LeaseId lease = 0;
  std::string bytes;
};

struct Done {
  LeaseId lease = 0;
  int status = 0;            ///< exit status of ridge; 128 + signal
  std::int64_t wall_ns = 0;  ///< from its start to its end, by the agent's monotonic clock
  std::string words;         ///< the end of what it printed
};

struct Fault {
  LeaseId lease = 0;  ///< 0: of the job
  std::uint32_t job = 0;
  std::optional<Error> error;
};

}  // namespace ridge::lab
