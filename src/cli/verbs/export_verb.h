// SPDX-License-Identifier: Apache-2.0
// ridge export: writes a measured or imported run in the formats of other programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ExportOptions {
  std::string run = {};     ///< source for session::load_profiles
  std::string format = {};  ///< name in export/formats/formats.h; empty: by the output's ending
  std::string output = {};  ///< a file; empty: standard output
  std::string model = {};   ///< empty: the model path in the run
  std::string metric = "time";
  std::size_t point = 0;  ///< run of the source, from 1; 0: the only one
  bool list = false;
};

/// Prints the document, or the list of formats; returns the exit status.
int export_run(const ExportOptions& options, Console& console);

inline constexpr std::string_view kExportExamples =
    "ridge export run.json --to perfetto --output run.pftrace      # for ui.perfetto.dev\n"
    "ridge export run.json --to pprof --output run.pb.gz           # flame graph: modules, "
    "operators\n"
    "ridge export run.json --to netron --model model.onnx --output annotated.onnx\n"
    "ridge export --list                                           # all formats, and their "
    "readers\n";

Run setup_export(Flags& flags);

}  // namespace ridge::cli
