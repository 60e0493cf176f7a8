// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a recording in any of the formats, joined to a small model: the result can be
// printed and read back. The first byte selects the format and whether there is a model. A trtexec
// profile is followed by a NUL and its layer information, then by another NUL and its times;
// OpenVINO's counters are followed by a NUL and their execution graph.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "analysis/resolved.h"
#include "base/sink.h"
#include "base/temporary_folder.h"
#include "check.h"
#include "export/profile/table.h"
#include "graph/sketch.h"
#include "import/formats.h"
#include "import/gzip.h"
#include "import/join.h"
#include "import/names.h"
#include "import/sizes.h"
#include "profile/json.h"
#include "profile/read.h"

namespace {

using ridge::fuzz::check;

constexpr std::size_t kLongestText = 1 << 20;
namespace imports = ridge::imports;

const ridge::analysis::Resolved& model() {
  static const ridge::analysis::Resolved resolved = [] {
    auto built = std::make_shared<const ridge::graph::Model>(
        ridge::graph::Model::build(
            ridge::graph::Sketch::document("graph main\n  input x[1,3,8,8]\n"
                                           "  constant w[4,3,1,1] v[4,4,1,1]\n"
                                           "  conv1: Conv(x, w) -> c1\n  relu1: Relu(c1) -> r1\n"
                                           "  conv2: Conv(r1, v) -> c2\n  add: Add(c2, r1) -> y\n"
                                           "  output y\n"))
            .value());
    return ridge::analysis::resolve(built, {}).value();
  }();
  return resolved;
}

/// Symbolic variant: a model with free sizes.
const ridge::analysis::Resolved& free_model() {
  static const ridge::analysis::Resolved resolved = [] {
    auto built = std::make_shared<const ridge::graph::Model>(
        ridge::graph::Model::build(
            ridge::graph::Sketch::document(
                "graph main\n  input x[batch,3,?,width]\n  constant w[4,3,1,1]\n"
                "  conv1: Conv(x, w) -> c1\n  relu1: Relu(c1) -> y\n  output y\n"))
            .value());
    return ridge::analysis::resolve(built, {.free = ridge::analysis::FreeSizes::kSymbolic}).value();
  }();
  return resolved;
}

/// File in a private folder, deleted with the object: SQLite opens by path and looks for files
/// beside it.
class OwnFile {
 public:
  void write(std::string_view bytes) const {
    check(static_cast<bool>(std::ofstream(path_, std::ios::binary) << bytes << std::flush));
    for (const char* beside : {"-wal", "-shm", "-journal"}) ::unlink((path_ + beside).c_str());
  }
  const std::string& path() const { return path_; }

 private:
  ridge::TemporaryFolder folder_ =
      ridge::TemporaryFolder::make(std::filesystem::temp_directory_path().string()).value();
  std::string path_ = folder_.path() + "/recording";
};

const OwnFile& own_file() {
  static const OwnFile file;
  // SQLite opens an empty file as a database without tables, which is not a recording.
  static const bool opens = [] {
    file.write("");
    const auto recorded = imports::find_format("nsight")->read({.path = file.path()});
    return !recorded.ok() && recorded.error().code() == "RIDGE-IMP-0052";
  }();
  check(opens);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ridge::fuzz::Bytes bytes({reinterpret_cast<const char*>(data), size});
  const unsigned choice = bytes.next();
  const auto formats = imports::formats();
  const imports::Format& format = formats[choice % formats.size()];
  const bool joined = choice / formats.size() % 2 == 0;
  std::string_view content = bytes.rest();
  const auto behind_nul = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::string_view behind = text.substr(std::min(end + 1, text.size()));
    text = text.substr(0, end);
    return behind;
  };
  std::string_view layer_info, times, exec_graph;
  if (format.name == "trtexec") {
    layer_info = behind_nul(content);
    times = behind_nul(layer_info);
  } else if (format.name == "openvino") {
    exec_graph = behind_nul(content);
  }
  std::string unpacked;
  if (imports::is_gzip(content)) {
    auto text = imports::gunzip(content);
    if (!text.ok()) return 0;
    // A trace of several megabytes would exceed the time limit of an input.
    unpacked = std::move(text->text).substr(0, kLongestText);
    content = unpacked;
  }
  (void)imports::detect(content.substr(0, imports::kBeginning));

  const OwnFile& file = own_file();
  if (!format.text) file.write(content);
  const imports::NameIndex names(model().model());
  auto recorded = format.read({.path = file.path(),
                               .content = content,
                               .layer_info = layer_info,
                               .times = times,
                               .exec_graph = exec_graph,
                               .names = joined ? &names : nullptr});
  if (!recorded.ok()) return 0;
  check(!recorded->layers.empty());
  std::vector<std::string> notes;
  const imports::NameIndex free_names(free_model().model());
  const auto sizes = imports::recorded_sizes(*recorded, free_model(), free_names);
  for (const auto& [name, found] : sizes.sizes) check(found >= 0);
  (void)imports::with_recorded(sizes, free_model().model(), {}, notes);
  const ridge::profile::Profile p =
      imports::join(std::move(*recorded), joined ? &model() : nullptr, joined ? &names : nullptr);
  for (const ridge::profile::Layer& layer : p.layers) check(layer.corrected_ns >= 0);
  (void)ridge::exports::profile_text(p, 0);
  ridge::StringSink sink;
  ridge::profile::write_json(p, sink);
  check(ridge::profile::read_profiles(sink.text()).ok());
  return 0;
}
