// A folder of its own in which commands run as a user types them: the program, those of examples/
// and the scripts of examples/ci are on the PATH, small models lie about.
//
//   Workplace place;
//   const Outcome o = place.run("ridge analyze plain.onnx --format json");
//   EXPECT_EQ(o.status, 0) << o.err;
//
// Every tests/models/NAME.txt (the language of graph/sketch.h) is there as NAME.onnx, and every run
// of tests/runs/ (run.json, spans.json: of before.onnx, the times written by hand). The folder goes
// with the object; running a command costs a shell. The program is $RIDGE_PROGRAM, the tree
// $RIDGE_SOURCE, as CTest sets them; by hand, in the clone: build/ridge and the current folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::tests {

struct Outcome {
  int status = 0;  ///< 128 + the signal where one ended it, as shells say it
  std::string out, err;
  std::int64_t peak_bytes = 0;  ///< resident memory of the largest process, at its largest
};

class Workplace {
 public:
  Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace();

  const std::filesystem::path& folder() const { return folder_; }
  /// Several lines are one script; it stops at the first that fails. A process that computes for
  /// longer than `cpu_seconds` (0: any time) is killed.
  Outcome run(std::string_view script, int cpu_seconds = 0) const;

 private:
  std::filesystem::path folder_;
};

/// The build found a runtime's library; what starts one is skipped elsewhere.
bool has_runtime();
/// The same of the second runtime, where a text mentions it.
bool lacks_openvino(std::string_view text);
/// The clone that the tests belong to.
std::filesystem::path source_tree();
std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, std::string_view text);
/// Files below `folder` whose name ends so, sorted.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            std::string_view ending);
/// Without the line ends.
std::vector<std::string> lines_of(std::string_view text);

}  // namespace ridge::tests
