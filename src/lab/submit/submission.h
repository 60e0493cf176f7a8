// SPDX-License-Identifier: Apache-2.0
// What became of a submission: the document ridge.submission/1. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "lab/submit/ledger.h"
#include "record/describe.h"

namespace ridge {
namespace lab {

enum class MachineState : std::uint8_t { kReady, kUnfit, kGone };

struct SubmittedPoint {
  std::string point;
  TaskState state = TaskState::kWaiting;
  std::optional<std::string> machine;  ///< name of who measures or measured it
  std::vector<std::string> machines;   ///< names of those that may measure it
  std::optional<std::int64_t> wall_ns, dispatch_ns;
  std::string reason;
};

struct SubmittedMachine {
  std::string name;
  MachineState state = MachineState::kReady;
  std::int64_t done = 0;
  std::vector<std::string> reasons;
};

struct Submission {
  std::vector<SubmittedMachine> machines;
  std::vector<SubmittedPoint> points;
};

}  // namespace lab

template <>
struct Words<lab::TaskState> {
  using State = lab::TaskState;
  static constexpr std::array list{Word{State::kWaiting, "waiting", "not measured"},
                                   Word{State::kLeased, "leased", "a machine was at it"},
                                   Word{State::kHeld, "held", "the store had it"},
                                   Word{State::kDone, "done", "measured now"},
                                   Word{State::kFailed, "failed", "see reason"}};
};

template <>
struct Words<lab::MachineState> {
  using State = lab::MachineState;
  static constexpr std::array list{
      Word{State::kReady, "ready", "it takes points"},
      Word{State::kUnfit, "unfit", "it fits no point; see reasons"},
      Word{State::kGone, "gone", "it does not answer, or no longer; see reasons"}};
};

template <>
struct record::Describe<lab::SubmittedPoint> {
  using T = lab::SubmittedPoint;
  static constexpr std::array fields{
      field<&T::point>("point", "model, sizes and threads, runtime"),
      field<&T::state>("state",
                       "waiting: not measured; leased: a machine was at it; held: the store had "
                       "it; done: measured now; failed: see reason"),
      field<&T::machine>("machine", "that measured it; null of others"),
      field<&T::machines>("machines", "that may measure it"),
      field<&T::wall_ns>("wall_ns", "time of its ridge there, by that machine's monotonic clock"),
      field<&T::dispatch_ns>("dispatch_ns",
                             "time from handing it out to its result in the store, beyond "
                             "wall_ns"),
      field<&T::reason>("reason", "why it failed", zero_is_null())};
};

template <>
struct record::Describe<lab::SubmittedMachine> {
  using T = lab::SubmittedMachine;
  static constexpr std::array fields{
      field<&T::name>("name", "as in the description of the laboratory"),
      field<&T::state>("state",
                       "ready: it takes points; unfit: it fits none; gone: it does not answer"),
      field<&T::done>("done", "points that it measured now"),
      field<&T::reasons>("reasons", "what it does not fit, or why it is gone")};
};

template <>
struct record::Describe<lab::Submission> {
  using T = lab::Submission;
  static constexpr std::string_view schema = "ridge.submission/1";
  static constexpr std::string_view text =
      "What became of a submission: `ridge submit REQUEST --on LAB --format json`. The results "
      "are in the store.";
  static constexpr std::array fields{
      field<&T::machines>("machines", "in the order of the description", item_lines()),
      field<&T::points>("points", "in the order in which machines listed them", item_lines())};
};

}  // namespace ridge
