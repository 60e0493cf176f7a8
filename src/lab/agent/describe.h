// SPDX-License-Identifier: Apache-2.0
// Descriptions of the messages (record/binary.h). A change of any is a new kProtocol (frame.h).
#pragma once

#include <array>

#include "lab/agent/messages.h"
#include "record/binary.h"
#include "record/describe.h"
#include "runtime/messages.h"
#include "store/describe_experiment.h"

namespace ridge {

template <>
struct record::Describe<lab::JobFile> {
  using T = lab::JobFile;
  static constexpr auto fields = members<&T::path, &T::sha256, &T::bytes>();
};

template <>
struct record::Describe<lab::Job> {
  using T = lab::Job;
  static constexpr auto fields =
      members<&T::id, &T::verb, &T::request, &T::is_json, &T::is_known, &T::files>();
};

template <>
struct record::Describe<lab::FilePart> {
  using T = lab::FilePart;
  static constexpr auto fields = members<&T::sha256, &T::bytes, &T::last>();
};

template <>
struct record::Describe<lab::Run> {
  using T = lab::Run;
  static constexpr auto fields = members<&T::lease, &T::job, &T::key>();
};

template <>
struct record::Describe<lab::Stop> {
  using T = lab::Stop;
  static constexpr auto fields = members<&T::lease>();
};

template <>
struct record::Describe<lab::Facts> {
  using T = lab::Facts;
  static constexpr auto fields = members<&T::machine, &T::architecture, &T::memory_available,
                                         &T::runtimes, &T::devices, &T::models, &T::time_s>();
};

template <>
struct record::Describe<lab::Wanted> {
  using T = lab::Wanted;
  static constexpr auto fields = members<&T::sha256>();
};

template <>
struct record::Describe<lab::PlannedPoint> {
  using T = lab::PlannedPoint;
  static constexpr auto fields =
      members<&T::key, &T::store_key, &T::label, &T::model, &T::runtime>();
};

template <>
struct record::Describe<lab::Plan> {
  using T = lab::Plan;
  static constexpr auto fields = members<&T::job, &T::points>();
};

template <>
struct record::Describe<lab::Alive> {
  using T = lab::Alive;
  static constexpr auto fields = members<&T::lease>();
};

template <>
struct record::Describe<lab::ProgressLine> {
  using T = lab::ProgressLine;
  static constexpr auto fields = members<&T::lease, &T::text>();
};

template <>
struct record::Describe<lab::StorePart> {
  using T = lab::StorePart;
  static constexpr auto fields = members<&T::lease, &T::bytes>();
};

template <>
struct record::Describe<lab::Done> {
  using T = lab::Done;
  static constexpr auto fields = members<&T::lease, &T::status, &T::wall_ns, &T::words>();
};

template <>
struct record::Describe<lab::Fault> {
  using T = lab::Fault;
  static constexpr std::array fields{member<&T::lease>(), member<&T::error, runtime::ErrorCodec>()};
};

}  // namespace ridge
