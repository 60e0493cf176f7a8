// SPDX-License-Identifier: Apache-2.0
// Tests by LoadGen's rules: what is asked, and what they say of an evaluation. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "scenario/loadgen_logs.h"

namespace ridge::evaluation {

/// Compliance tests of MLPerf, which are a second run after the first.
enum class Audit : std::uint8_t {
  kNone,
  kTest01,  ///< outputs under load equal accuracy mode's
  kTest04,  ///< one sample again and again is not faster
};

struct MlperfRequest {
  std::string logs;                    ///< folder of the logs; "": no such test
  std::string mlperf_conf, user_conf;  ///< files; "": none
  Audit audit = Audit::kNone;
  double queries_per_s = 0;           ///< expected, where the scenario has no rate; 0: LoadGen's
  std::uint64_t max_duration_ms = 0;  ///< 0: none

  bool asked() const { return !logs.empty(); }
};

/// Outputs logged under load, and how many of them differ from the outputs in accuracy mode.
struct LoggedOutputs {
  std::uint64_t compared = 0, different = 0;
};

struct AuditVerdict {
  Audit audit = Audit::kTest01;
  bool passed = false;
  LoggedOutputs outputs;
  bool in_ns = false;  ///< the figures are latencies, else samples per second
  double first = 0, second = 0, tolerance = 0.1;
  std::vector<std::string> reasons;  ///< for not passing

  std::vector<std::string> sentences() const;
};

struct MlperfFigures {
  std::string folder;                ///< folder of the logs
  std::optional<bool> valid;         ///< none: accuracy mode, which has no verdict
  std::vector<std::string> reasons;  ///< for not being valid
  std::optional<AuditVerdict> audit;
  std::vector<std::string> notes;  ///< sentences: keys of the configuration that nobody knows

  /// Sentences for readers.
  std::vector<std::string> sentences() const;
};

/// Why LoadGen's rules are not met; empty if they are.
std::vector<std::string> reasons_of(const scenario::LoadgenResult& result,
                                    const scenario::LoadgenTest& test);

}  // namespace ridge::evaluation

namespace ridge {

template <>
struct Words<evaluation::Audit> {
  using Audit = evaluation::Audit;
  static constexpr std::array list{
      Word{Audit::kNone, "none"},
      Word{Audit::kTest01, "test01", "outputs under load are those of accuracy mode"},
      Word{Audit::kTest04, "test04", "one sample again and again is not faster"}};
};

}  // namespace ridge
