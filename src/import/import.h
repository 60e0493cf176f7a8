// A recording that another program made, as a Profile.
//
//   Result<imports::Imported> in = imports::import_file("ort.json", {.model = {{.model = model}}});
//
// The format is what the file's first bytes say (formats.h), or `from`. subject.kind is "imported",
// subject.runtime what executed. With a model layers are joined to its nodes (join.h); without one
// they stand alone. Cost: linear in the file, which is held in memory where it is text.
// Errors (input class): what no format matches, a recording of which nearly no layer matches the
// model, and those of the readers; environment: the file cannot be opened.
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

/// The model that a recording is of. Sizes that `bindings` leaves free are those of the recording
/// (sizes.h), else `defaults`.
struct ImportModel {
  std::shared_ptr<const graph::Model> model;
  analysis::Bindings bindings = {};
  std::map<std::string, std::int64_t> defaults = {};  ///< sizes that a zoo network assumes
};

struct ImportOptions {
  std::optional<ImportModel> model;
  std::string from;  ///< name of a format; "": by content
  /// Files of the other ranks of a distributed run, of the same format (kineto).
  std::vector<std::string> further = {};
  std::string layer_info;       ///< path of trtexec's --exportLayerInfo; "": none
  std::string times;            ///< path of trtexec's --exportTimes
  std::string exec_graph;       ///< path of OpenVINO's execution graph
  std::string optimised_model;  ///< path of what ONNX Runtime's session optimised
  /// Whether a recording may match next to no node of the model.
  enum class Unmatched : std::uint8_t { kRefused, kAllowed };
  Unmatched unmatched = Unmatched::kRefused;
};

struct Imported {
  profile::Profile profile;
  std::vector<std::string> warnings;  ///< of sizes that were assumed, of little that matches
};

/// Less than this part of the time in layers of nodes is a recording of another model: some names
/// and types are in every network. Less than kLittleMatched is worth a warning.
inline constexpr double kLeastMatched = 0.2, kLittleMatched = 0.5;

/// Whether a file begins like a text that another program recorded; false where it cannot be
/// opened.
bool is_recorded_text(const std::string& path);

Result<Imported> import_file(const std::string& path, const ImportOptions& options);

}  // namespace ridge::imports
