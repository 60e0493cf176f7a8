// SPDX-License-Identifier: Apache-2.0
// Arbitrary location, offset and length of external data, in a folder with links to a secret: all
// data that is read comes from files that may be read. Input: location, offset and length,
// separated by line ends.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "check.h"
#include "onnx/external_file.h"
#include "onnx/reader.h"
#include "onnx/testing.h"
#include "onnx/weights.h"

namespace {

namespace fs = std::filesystem;
namespace onnx = ridge::onnx;
using onnx::testing::field;
using onnx::testing::wire;

using ridge::fuzz::check;

/// Folder with outside/secret and outside/stored (all 'w'), and model/ with m.onnx, w.bin (all
/// 'w'), sub/w.bin, links to the secret and a hard link to the stored file, which may be read:
/// whoever made it put that file into the folder.
class Folder {
 public:
  Folder() {
    fs::create_directories(root_.path("outside"));
    fs::create_directories(root_.path("model/sub"));
    root_.make("outside/secret", std::string(4096, 's'));
    root_.make("model/w.bin", std::string(4096, 'w'));
    root_.make("model/sub/w.bin", std::string(100, 'w'));
    fs::create_symlink("../outside/secret", root_.path("model/l"));
    fs::create_directory_symlink("../outside", root_.path("model/d"));
    fs::create_directory_symlink("/", root_.path("model/r"));
    fs::create_directory_symlink("..", root_.path("model/sub/u"));
    root_.make("outside/stored", std::string(4096, 'w'));
    fs::create_hard_link(root_.path("outside/stored"), root_.path("model/h"));
    check(::mkfifo(root_.path("model/p").c_str(), 0600) == 0);
  }
  std::string path(const std::string& name) const { return root_.path(name); }
  std::string make(const std::string& bytes) const { return root_.make("model/m.onnx", bytes); }

 private:
  onnx::testing::TemporaryFolder root_;
};

std::string cut_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string line(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string entry(const std::string& key, const std::string& value) {
  return value.empty() ? "" : field(13, field(1, key) + field(2, value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string location = cut_line(text), offset = cut_line(text), length = cut_line(text);

  const std::string tensor = wire("dims: 2 data_type: 1 data_location: 1", "tensor") +
                             entry("location", location) + entry("offset", offset) +
                             entry("length", length);
  const std::string path = folder.make(wire("ir_version: 8") + field(7, field(5, tensor)) +
                                       wire("opset_import { version: 17 }"));
  const auto document = onnx::read_file(path);
  if (!document.ok()) return 0;
  check(onnx::check_location(location).ok());
  const onnx::Tensor& weight = document->model.graph.initializers[0];
  const auto loaded = onnx::load(*document, weight, 64);
  if (loaded.ok() && weight.external) {
    check(loaded->size() == 8);
    for (const std::byte b : *loaded) check(b == std::byte{'w'});
  }
  const auto outcome = [&](onnx::Resolution resolution) {
    const auto file = onnx::open_beneath(folder.path("model"), location, nullptr, resolution);
    return file.ok() ? std::string() : file.error().code();
  };
  check(outcome(onnx::Resolution::kAuto) == outcome(onnx::Resolution::kByComponent));
  return 0;
}
