// What every session of an opened OpenVINO gets, and its exceptions as errors.
//
// OpenVINO's own words are kept; where it checked something, only what it found wrong, without the
// place in its source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <openvino/openvino.hpp>
#include <openvino/runtime/exception.hpp>

#include "base/result.h"
#include "runtime/abi.h"
#include "runtime/abi_error.h"

namespace ridge::openvino {

/// Codes that the C interface turns into outcomes of their own.
inline constexpr char kOutOfMemory[] = "RIDGE-OV-0030";
inline constexpr char kCancelled[] = "RIDGE-OV-0031";
inline constexpr runtime::OutcomeCodes kOutcomes{kOutOfMemory, kCancelled};

struct Settings {
  std::uint32_t threads = 1;
  std::vector<std::uint32_t> cpus;  ///< empty, or processors that the threads share
  ov::AnyMap properties;            ///< of compiled models, the user's own included
  ov::AnyMap own;                   ///< the user's own alone
};

/// Usage errors: an option that this plug-in does not have.
Result<Settings> read_settings(const RidgeOpenOptions& options);

/// Usage errors: an option of the user's own that OpenVINO does not have, or a value that it does
/// not take.
Result<void> check_options(ov::Core& core, const Settings& settings);

/// Lets the threads that OpenVINO will start run on the processors of the settings alone.
Result<void> pin(const Settings& settings);

/// The path of the library that is in use.
std::string library_path();

/// What was being done when OpenVINO threw: decides who has to act.
enum class Phase { kSetUp, kOptions, kLoad, kInputs, kRun };

/// The exception being handled, as an error.
Error caught(Phase phase);

/// Runs `body`, which may throw, and gives what it gives.
template <typename Body>
auto guarded(Phase phase, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    return caught(phase);
  }
}

}  // namespace ridge::openvino
