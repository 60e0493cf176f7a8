// The formats that can be imported: one row each, sorted by name (formats.cc), a reader each in its
// own file.
//
//   const Format* format = detect(content);
//   Recorded recorded = TRY(format->read(source));
//
// A reader takes what a foreign program wrote and anything else: it never trusts a length, runs in
// time and memory linear in the file, drops what it cannot read and says so in notes, and fails
// (input class) where nothing is left. Errors: RIDGE-IMP-....
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
  std::string_view path;     ///< for what is opened by its path (SQLite)
  std::string_view content;  ///< of a text format, whole; else its first bytes
  /// Of further files of the same recording: the other ranks of a distributed run.
  std::span<const std::string> further = {};
  std::string_view layer_info;  ///< trtexec's --exportLayerInfo; "" where none was given
  std::string_view layer_info_path;
  std::string_view times;  ///< trtexec's --exportTimes; "" where none was given
  std::string_view times_path;
  std::string_view exec_graph;  ///< OpenVINO's execution graph, XML; "" where none was given
  std::string_view exec_graph_path;
  /// Of the model, so that spans called like nodes become layers; nullptr where none was given.
  const NameIndex* names = nullptr;
};

struct Format {
  std::string_view name;     ///< of --from
  std::string_view file;     ///< what it is
  std::string_view written;  ///< by what, with the flags
  bool text = true;          ///< false: opened by path
  bool (*matches)(std::string_view beginning);
  Result<Recorded> (*read)(const Source& source);
};

std::span<const Format> formats();
/// nullptr where there is none of that name.
const Format* find_format(std::string_view name);
/// By the first bytes of a file; nullptr where none matches.
const Format* detect(std::string_view beginning);

/// As many bytes of a file's beginning as detect looks at.
inline constexpr std::size_t kBeginning = 64 << 10;

Result<Recorded> read_ort_profile(const Source& source);
Result<Recorded> read_openvino_counters(const Source& source);
Result<Recorded> read_trtexec_profile(const Source& source);
Result<Recorded> read_kineto(const Source& source);
Result<Recorded> read_nsight(const Source& source);

}  // namespace ridge::imports
