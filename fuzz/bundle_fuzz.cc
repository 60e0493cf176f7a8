// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a bundle: it is refused with a message, or all of it is read, and what is
// unpacked lies below its folder.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/temporary_folder.h"
#include "check.h"
#include "lab/bundle/bundle.h"

namespace {

using ridge::fuzz::check;

/// The bytes as a file, without a disk.
class Memory {
 public:
  Memory(const std::uint8_t* data, std::size_t size) : fd_(::memfd_create("bundle", MFD_CLOEXEC)) {
    check(::write(fd_, data, size) == static_cast<ssize_t>(size));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { ::close(fd_); }
  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  int fd_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Memory file(data, size);
  const auto archive = ridge::lab::Archive::open(file.path());
  if (!archive.ok()) return check(!archive.error().text().empty()), 0;
  const bool whole = archive->check().ok();
  for (const auto& entry : archive->entries()) {
    const auto content = archive->read(entry.name, 1 << 20);
    if (whole && entry.size <= 1 << 20) check(content.ok());
  }
  const auto bundle = ridge::lab::Bundle::open(file.path());
  if (!bundle.ok()) return check(!bundle.error().text().empty()), 0;
  const auto folder = ridge::TemporaryFolder::make();
  check(folder.ok());
  const auto files = bundle->unpack_files(folder->path());
  check(files.ok() || !files.error().text().empty());
  return 0;
}
