// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a model: reading from memory and through the windows of a file must agree on
// the error or the model. A model that was read and can be written must survive a round trip:
// reading the output and writing it again gives the same bytes.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "check.h"
#include "onnx/reader.h"
#include "onnx/writer.h"

namespace {

using ridge::Result;
using ridge::onnx::Document;
using ridge::onnx::Limits;

constexpr Limits kLimits{.memory = std::int64_t{256} << 20};

/// File in memory with a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("model", MFD_CLOEXEC)) {
    if (fd_ < 0 || ::write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      std::abort();
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(fd_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

using ridge::fuzz::check;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Result<Document> memory = ridge::onnx::read_bytes(bytes, "fuzz", kLimits);
  {
    const MemoryFile file(bytes);
    const Result<Document> windows = ridge::onnx::read_file(file.path(), kLimits);
    check(memory.ok() == windows.ok());
    if (!memory.ok()) {
      check(memory.error().code() == windows.error().code());
      check(!memory.error().text().empty());
      return 0;
    }
    const Result<std::string> a = write_bytes(*memory), b = write_bytes(*windows);
    check(a.ok() == b.ok());
    if (!a.ok()) return 0;
    check(*a == *b);
  }
  const std::string once = write_bytes(*memory).value();
  const Result<Document> again = ridge::onnx::read_bytes(once, "written", kLimits);
  check(again.ok());
  check(write_bytes(*again).value() == once);
  return 0;
}
