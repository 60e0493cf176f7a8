// A recording of any bytes in any of the formats, joined to a small model: what comes out can be
// printed and read back. The first byte picks the format and whether there is a model; behind a
// NUL a trtexec profile has its layer information.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/resolved.h"
#include "base/sink.h"
#include "check.h"
#include "export/profile_table.h"
#include "graph/sketch.h"
#include "import/formats.h"
#include "import/join.h"
#include "import/names.h"
#include "profile/json.h"
#include "profile/read.h"

namespace {

using ridge::fuzz::check;
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

/// A file in memory, for formats that are opened by path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("import", 0)) {
    check(file_ >= 0);
    check(::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ridge::fuzz::Bytes bytes({reinterpret_cast<const char*>(data), size});
  const unsigned choice = bytes.next();
  const auto formats = imports::formats();
  const imports::Format& format = formats[choice % formats.size()];
  const bool joined = choice / formats.size() % 2 == 0;
  std::string_view content = bytes.rest(), layer_info;
  if (const std::size_t end = content.find('\0');
      format.name == "trtexec" && end != std::string_view::npos) {
    layer_info = content.substr(end + 1);
    content = content.substr(0, end);
  }
  (void)imports::detect(content.substr(0, imports::kBeginning));

  const MemoryFile file(format.text ? "" : content);
  const imports::NameIndex names(model().model());
  auto recorded = format.read({.path = file.path(),
                               .content = content,
                               .layer_info = layer_info,
                               .names = joined ? &names : nullptr});
  if (!recorded.ok()) return 0;
  check(!recorded->layers.empty());
  const ridge::profile::Profile p =
      imports::join(std::move(*recorded), joined ? &model() : nullptr);
  for (const ridge::profile::Layer& layer : p.layers) check(layer.corrected_ns >= 0);
  (void)ridge::exports::profile_text(p, 0);
  ridge::StringSink sink;
  ridge::profile::write_json(p, sink);
  check(ridge::profile::read_profiles(sink.text()).ok());
  return 0;
}
