// SPDX-License-Identifier: Apache-2.0
// Importable formats: one row each, sorted by name (formats.cc); each reader has its own file.
//
//   const Format* format = detect(content);
//   Recorded recorded = TRY(format->read(source));
//
// A reader must accept arbitrary bytes: it never trusts a length, runs in time and memory linear in
// the file, drops what it cannot read and reports that in notes, and fails (input class) if nothing
// is left. Errors: RIDGE-IMP-....
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "import/recorded.h"

namespace ridge::imports {

class NameIndex;

/// A file to import.
struct Source {
  std::string_view path;     ///< for formats that are opened by path (SQLite)
  std::string_view content;  ///< whole content of a text format; else the first bytes
  /// Contents of further files of the same recording: the other ranks of a distributed run.
  std::span<const std::string> further = {};
  std::string_view layer_info;  ///< trtexec's --exportLayerInfo; "": not given
  std::string_view layer_info_path;
  std::string_view times;  ///< trtexec's --exportTimes; "": not given
  std::string_view times_path;
  std::string_view exec_graph;  ///< OpenVINO's execution graph, XML; "": not given
  std::string_view exec_graph_path;
  std::string_view runs;  ///< choice of runs (run_choice.h); "": all
  /// Names of the model, so that spans named after nodes become layers; nullptr: no model given.
  const NameIndex* names = nullptr;
};

struct Format {
  std::string_view name;     ///< value of --from
  std::string_view file;     ///< description of the file
  std::string_view written;  ///< program and flags that write it
  bool text = true;          ///< false: opened by path
  bool (*matches)(std::string_view beginning);
  Result<Recorded> (*read)(const Source& source);
};

std::span<const Format> formats();
/// Returns nullptr for an unknown name.
const Format* find_format(std::string_view name);
/// Detects the format by the first bytes of a file; nullptr if none matches.
const Format* detect(std::string_view beginning);
/// True for JSON that ridge wrote: its member "schema" begins with "ridge.".
bool is_own_document(std::string_view beginning);

/// True for lines that benchmark_app -pc prints, in all its versions.
bool is_printed_counters(std::string_view beginning);

/// Number of leading bytes of a file that detect examines.
inline constexpr std::size_t kBeginning = 64 << 10;

Result<Recorded> read_ort_profile(const Source& source);
Result<Recorded> read_openvino_counters(const Source& source);
Result<Recorded> read_trtexec_profile(const Source& source);
Result<Recorded> read_kineto(const Source& source);
Result<Recorded> read_nsight(const Source& source);

}  // namespace ridge::imports
