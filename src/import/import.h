// SPDX-License-Identifier: Apache-2.0
// Import of a recording made by another program, as a Profile.
//
//   Result<imports::Imported> in = imports::import_file("ort.json", {.model = {{.model = model}}});
//
// The format is detected from the file's first bytes (formats.h) or given as `from`. subject.kind
// is "imported", subject.runtime the runtime that executed the model. With a model, layers are
// joined to its nodes (join.h); without one, layers have no nodes. Cost: linear in the file; text
// files are read into memory. Errors (input class): a file of no known format, a recording of which
// almost no layer matches the model, and errors of the readers; environment: the file cannot be
// opened.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "profile/profile.h"

namespace ridge::imports {

/// Model that was recorded. Sizes not set in `bindings` are taken from the recording (sizes.h),
/// else from `defaults`.
struct ImportModel {
  std::shared_ptr<const graph::Model> model;
  analysis::Bindings bindings = {};
  std::map<std::string, std::int64_t> defaults = {};  ///< default sizes of a zoo network
};

struct ImportOptions {
  std::optional<ImportModel> model;
  std::string from;  ///< name of a format; "": detect
  /// Files of the other ranks of a distributed run, of the same format (kineto).
  std::vector<std::string> further = {};
  std::string layer_info;       ///< path of trtexec's --exportLayerInfo; "": none
  std::string times;            ///< path of trtexec's --exportTimes
  std::string exec_graph;       ///< path of OpenVINO's execution graph
  std::string optimized_model;  ///< path of the model that ONNX Runtime's session optimized
  std::string runs;             ///< choice of its runs (run_choice.h); "": all
  /// Handling of a recording that matches almost no node of the model.
  enum class Unmatched : std::uint8_t { kRefused, kAllowed };
  Unmatched unmatched = Unmatched::kRefused;
};

struct Imported {
  profile::Profile profile;
  std::vector<std::string> warnings;  ///< assumed sizes, poor match with the model
};

/// Minimum share of the recorded time in layers that match nodes. Below kMinMatched the recording
/// is taken to be of another model, because some names and types occur in every network; below
/// kLittleMatched there is a warning.
inline constexpr double kMinMatched = 0.2, kLittleMatched = 0.5;

/// True if the file begins like a known recording in a text format; false if it cannot be opened.
bool is_recorded_text(const std::string& path);

Result<Imported> import_file(const std::string& path, const ImportOptions& options);

}  // namespace ridge::imports
