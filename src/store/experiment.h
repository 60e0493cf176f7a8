// SPDX-License-Identifier: Apache-2.0
// Experiments: trials that were asked for together, and the agents that measure them. Plain data.
//
// Results are no part of an experiment: a point has the keys of its result, one for each machine
// that may measure it, and is measured once the store has a run or an evaluation of one of them,
// whoever kept it and when. So results that come late, twice or by a merge need nothing of this.
//
// The clock of the program that asked gives all times; clocks of agents do not matter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"

namespace ridge::store {

using ExperimentId = std::int64_t;

enum class ExperimentState : std::uint8_t { kRunning, kDone, kStopped };

/// A request as it was asked.
struct AskedRequest {
  std::string path, verb, text;
};

/// Recognized by its name, its requests and how they are spread: the same again goes on with it.
struct Experiment {
  std::string name;
  std::string spread;  ///< each, any: value of --hosts
  std::string lab;     ///< description of the machines, as named
  ExperimentState state = ExperimentState::kRunning;
  std::int64_t started_s = 0;  ///< first, seconds since 1970 (UTC)
  std::int64_t last_s = 0;     ///< last sign of life of the program that asks
  std::optional<std::int64_t> ended_s;
  std::string ridge_version;
  std::vector<AskedRequest> requests;
};

/// A machine that may measure a point.
struct PointPlace {
  std::string machine;    ///< name of its agent
  std::string key;        ///< key of the result in a store; "": the machine has not told it yet
  bool measured = false;  ///< it measured the point for this experiment
};

/// A point as it was planned.
struct PlannedPoint {
  std::string name;   ///< it has no other in its experiment
  std::string label;  ///< model, sizes and threads, runtime
  std::string error;  ///< why it failed last; "": it did not
  std::vector<PointPlace> places;
};

enum class PointState : std::uint8_t { kWaiting, kMeasured, kFailed };

/// A point, and what the store has of it.
struct ExperimentPoint {
  std::int64_t point = 0;  ///< from 1
  std::string label;
  PointState state = PointState::kWaiting;
  std::vector<std::string> machines;   ///< machines that may measure it
  std::optional<std::string> machine;  ///< whose result it is
  std::optional<std::int64_t> run, evaluation, generation;
  std::string error;
};

enum class AgentState : std::uint8_t { kConnecting, kIdle, kMeasuring, kUnfit, kGone, kEnded };

struct AgentRuntime {
  std::string name;                    ///< as --runtimes names it
  std::string title;                   ///< "ONNX Runtime"
  std::optional<std::string> version;  ///< nullopt: it cannot be opened
};

/// "ONNX Runtime 1.31.1, OpenVINO 2026.4.1": those that can be opened.
std::string runtimes_text(const std::vector<AgentRuntime>& runtimes);

struct AgentModel {
  std::string model;                  ///< as requests name it
  std::string sha256;                 ///< "": it came with none, as a network of the zoo
  std::optional<std::int64_t> bytes;  ///< size of its file
};

/// Somebody who measures points: a host, a partition of Slurm, or one of its nodes.
struct Agent {
  std::string name;           ///< in its experiment: host, partition, partition/node
  std::string machine;        ///< host, processor, number of processors; "" where it did not say
  std::string ridge_version;  ///< "" where it did not say
  AgentState state = AgentState::kConnecting;
  std::string doing;        ///< label of the point that it measures
  std::string reason;       ///< why it is unfit or gone
  std::int64_t done = 0;    ///< points that it measured
  std::int64_t last_s = 0;  ///< its last sign of life; 0: none yet
  std::vector<AgentRuntime> runtimes;
  std::vector<AgentModel> models;
};

/// An agent and its experiment.
struct AgentRow {
  ExperimentId experiment = 0;
  Agent agent;
};

struct PointCounts {
  std::int64_t points = 0, measured = 0, failed = 0, waiting = 0;
};

/// An experiment without its requests, for lists.
struct ExperimentHead : Experiment {};

struct ExperimentRow {
  ExperimentId id = 0;
  ExperimentHead head;
  PointCounts counts;
};

/// An experiment, whole.
struct ExperimentReport {
  ExperimentRow row;
  std::vector<AskedRequest> requests;
  std::vector<ExperimentPoint> points;
  std::vector<Agent> agents;
};

/// End of a planned point.
struct PointNews {
  std::int64_t point = 0;  ///< from 1
  std::string error;       ///< "": it did not fail
  PointPlace place;        ///< place that measured it, if one did
};

/// News of an experiment that goes on.
struct ExperimentNews {
  ExperimentState state = ExperimentState::kRunning;
  std::int64_t last_s = 0;
  std::optional<std::int64_t> ended_s;
  std::vector<Agent> agents;  ///< each in place of the one of its name
  std::vector<PointNews> points;
};

}  // namespace ridge::store

namespace ridge {

template <>
struct Words<store::ExperimentState> {
  using S = store::ExperimentState;
  static constexpr std::array list{
      Word{S::kRunning, "running", "its command runs, or was killed: see last_s"},
      Word{S::kDone, "done", "each point was tried"},
      Word{S::kStopped, "stopped", "it was interrupted, or machines were lost: points wait"}};
};

template <>
struct Words<store::PointState> {
  using S = store::PointState;
  static constexpr std::array list{Word{S::kWaiting, "waiting", "the store has no result of it"},
                                   Word{S::kMeasured, "measured", "the store has its result"},
                                   Word{S::kFailed, "failed", "see error"}};
};

template <>
struct Words<store::AgentState> {
  using S = store::AgentState;
  static constexpr std::array list{
      Word{S::kConnecting, "connecting", "it has not said yet what it is and has"},
      Word{S::kIdle, "idle", "it waits for a point"},
      Word{S::kMeasuring, "measuring", "see doing"},
      Word{S::kUnfit, "unfit", "it fits no point: see reason"},
      Word{S::kGone, "gone", "it does not answer, or no longer: see reason"},
      Word{S::kEnded, "ended", "the command that it worked for has ended"}};
};

}  // namespace ridge
