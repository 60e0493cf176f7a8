// A recording that another program made, as a Profile.
//
//   Result<profile::Profile> p = imports::import_file("ort.json", {.resolved = &resolved});
//
// The format is what the file's first bytes say (formats.h), or `from`. subject.kind is "imported",
// subject.runtime what executed. With a model layers are joined to its nodes (join.h); without one
// they stand alone. Cost: linear in the file, which is held in memory where it is text.
// Errors (input class): what no format matches, and those of the readers; environment: the file
// cannot be opened.
#pragma once

#include <string>

#include "analysis/resolved.h"
#include "base/result.h"
#include "profile/profile.h"

namespace ridge::imports {

struct ImportOptions {
  const analysis::Resolved* resolved = nullptr;  ///< the model it is a recording of
  std::string from;                              ///< name of a format; "": by content
  std::string layer_info;                        ///< path of trtexec's --exportLayerInfo; "": none
};

/// Whether a file begins like a text that another program recorded; false where it cannot be
/// opened.
bool is_recorded_text(const std::string& path);

Result<profile::Profile> import_file(const std::string& path, const ImportOptions& options);

}  // namespace ridge::imports
