// SPDX-License-Identifier: Apache-2.0
// A client's request to try models: names of models and runtimes, and the bytes of a sample.
//
//   const TrialSetup setup = TRY(read_trial_request(body, registry));
//   setup.models;      // {"digits@1.0.0"}
//   setup.bytes;       // a PNG, a JPEG or a .npy file, by its first bytes, or a text
//
// Nothing else can be stated: unknown keys are refused, and no name is a path. Errors: input class,
// RIDGE-REC-0001 to 0009, RIDGE-SERVE-0031, 0032, 0050, 0051 and 0056. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/serve/trial/records.h"

namespace ridge::lab::serve {

/// Bytes of a request; a third less of a sample.
inline constexpr std::size_t kTrialRequestBytes = std::size_t{16} << 20;

/// Bytes of a text.
inline constexpr std::size_t kLongestText = std::size_t{1} << 20;

struct TrialSetup {
  std::vector<std::string> models;
  std::vector<std::string> runtimes;  ///< "": the manifest's, or the one of ridge eval
  SampleKind kind = SampleKind::kPicture;
  std::string name;
  std::string bytes;
  std::string ending;  ///< ending of its file: ".png"
};

/// `registry`: its folder; "": none.
Result<TrialSetup> read_trial_request(std::string_view body, const std::string& registry);

}  // namespace ridge::lab::serve
