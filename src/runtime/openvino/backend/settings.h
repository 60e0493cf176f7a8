// SPDX-License-Identifier: Apache-2.0
// Settings of every session of an opened OpenVINO, and conversion of its exceptions to errors.
//
// OpenVINO's own messages are kept; for a failed check only the finding, without the location in
// its source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <openvino/openvino.hpp>
#include <openvino/runtime/exception.hpp>

#include "base/result.h"
#include "runtime/abi.h"
#include "runtime/openvino/outcomes.h"

namespace ridge::openvino {

struct Settings {
  std::uint32_t threads = 1;
  std::vector<std::uint32_t> cpus;  ///< processors shared by the threads; empty: any
  ov::AnyMap properties;            ///< properties of compiled models, including the user's own
  ov::AnyMap own;                   ///< only the user's own
  bool copied = false;              ///< this process is a copy by fork of the one that opened it
};

/// Usage errors: more than one thread, or options that may start some (RIDGE-OV-0032). OpenVINO's
/// threads cannot be held back, and a copy of the process has none of them; with one thread, which
/// is the caller's, none is missed.
Result<void> check_quiet(const Settings& settings);

/// Usage errors: an option that this plug-in does not support.
Result<Settings> read_settings(const RidgeOpenOptions& options);

/// Usage errors: a user option that OpenVINO does not have, or a value that it rejects.
Result<void> check_options(ov::Core& core, const Settings& settings);

/// Restricts the threads that OpenVINO will start to the processors in the settings.
Result<void> pin(const Settings& settings);

/// Path of the loaded library.
std::string library_path();

/// Activity during which OpenVINO threw; determines the error class.
enum class Phase { kSetUp, kOptions, kLoad, kInputs, kRun };

/// Converts the exception being handled to an error.
Error caught(Phase phase);

/// Runs `body`, which may throw, and returns its result.
template <typename Body>
auto guarded(Phase phase, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    return caught(phase);
  }
}

}  // namespace ridge::openvino
