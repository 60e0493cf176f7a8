// SPDX-License-Identifier: Apache-2.0
// Settings of a test by LoadGen's rules: those of an evaluation, then what the configuration files
// say, as LoadGen reads them.
//
//   MlperfRequest request{.logs = "out", .user_conf = "user.conf"};
//   const MlperfSettings s = TRY(mlperf_settings(request, {"zoo:resnet50", scenario, bound}));
//   s.settings.server_target_qps, s.notes
//
// Names in the files are those of MLPerf's models: that of zoo:NAME, or of the file without its
// ending. Without --mlperf-conf the seeds are those of LoadGen 6.0's mlperf.conf, and nothing else
// of it applies. Later files go before earlier ones: mlperf.conf, user.conf, the audit.
//
// Errors: usage class, RIDGE-WB-0130: a load that LoadGen does not have; input class,
// RIDGE-WB-0131: a setting that is not carried out here; those of the files. Thread rule: pure but
// for reading.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash/hashed_text.h"
#include "base/result.h"
#include "evaluation/record/mlperf.h"
#include "scenario/evaluation.h"
#include "scenario/loadgen_settings.h"

namespace ridge::evaluation {

/// Subject of a test: the load that flags describe.
struct MlperfSubject {
  std::string model;
  scenario::Scenario scenario;
  std::optional<scenario::LatencyBound> bound;
  bool load = true;  ///< false: accuracy mode
};

struct MlperfSettings {
  scenario::LoadgenSettings settings;
  FileHashes hashes;               ///< hashes of the files' bytes that were parsed
  std::vector<std::string> notes;  ///< keys that LoadGen does not know
};

/// Reads each configuration file once.
Result<MlperfSettings> mlperf_settings(const MlperfRequest& request, const MlperfSubject& subject);

/// The settings of the audit's own run, by MLPerf's audit.config; of `samples` that are loaded.
scenario::LoadgenSettings audited(const scenario::LoadgenSettings& settings, Audit audit,
                                  std::uint64_t samples);

}  // namespace ridge::evaluation
