// SPDX-License-Identifier: Apache-2.0
// Temporary folder in which commands run as a user would type them: the program, those of examples/
// and the scripts of examples/ci are on the PATH, and there are small models.
//
//   Workplace place;
//   const Outcome o = place.run("ridge analyze plain.onnx --format json");
//   EXPECT_EQ(o.status, 0) << o.err;
//
// It has every tests/models/NAME.txt (the language of graph/sketch.h) as NAME.onnx, and every run
// of tests/runs/ (run.json and spans.json are of before.onnx, with handwritten times). The folder
// is deleted with the object; each command starts a shell. The program is $RIDGE_PROGRAM, the
// source tree $RIDGE_SOURCE, as CTest sets them; the defaults are build/ridge and the current
// folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::tests {

struct Outcome {
  int status = 0;  ///< 128 + the signal if one ended it, as in shells
  std::string out, err;
  std::int64_t peak_bytes = 0;  ///< peak resident memory of the largest process
};

class Workplace {
 public:
  Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace();

  const std::filesystem::path& folder() const { return folder_; }
  /// Runs a script, which stops at the first command that fails. A process that uses more CPU time
  /// than `cpu_seconds` (0: no limit) is killed.
  Outcome run(std::string_view script, int cpu_seconds = 0) const;

 private:
  std::filesystem::path folder_;
};

/// True if the build has ONNX Runtime's library; tests that start a runtime are skipped otherwise.
bool has_runtime();
/// True if a text mentions OpenVINO and the build lacks its plug-in.
bool lacks_openvino(std::string_view text);
/// Python with the packages of scripts/fetch_python_clients.sh; RIDGE_PYTHON_CLIENTS names another
/// folder than the one in the cache. The file may be missing.
std::filesystem::path python_of_clients();
/// Root of the source tree.
std::filesystem::path source_tree();
/// The program `ridge`.
std::filesystem::path program();
bool has(std::string_view text, std::string_view part);
std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, std::string_view text);
/// Files below `folder` whose path ends with `ending`, sorted.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            std::string_view ending);
/// Lines of a text, without line ends.
std::vector<std::string> lines_of(std::string_view text);

}  // namespace ridge::tests
