// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace ridge::runtime {
namespace {

bool has_room(const std::string& folder, std::size_t size) {
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0 || status.f_type != TMPFS_MAGIC) return false;
  const auto block = static_cast<std::size_t>(status.f_bsize);
  // Compares blocks, not bytes: a product of untrusted numbers could overflow.
  return status.f_bavail > status.f_blocks / 4 &&
         size / block < status.f_bavail - status.f_blocks / 4;
}

}  // namespace

std::optional<MemoryFile> MemoryFile::make(const std::string& folder, std::size_t size) {
  if (folder.empty() || size == 0 || !has_room(folder, size)) return std::nullopt;
  std::string path = folder + "/weight-XXXXXX";
  const ipc::Descriptor descriptor(::mkostemp(path.data(), O_CLOEXEC));
  if (!descriptor.is_open()) return std::nullopt;
  MemoryFile file(std::move(path));
  // Allocates now: a missing page later would raise SIGBUS.
  if (::posix_fallocate(descriptor.get(), 0, static_cast<off_t>(size)) != 0) return std::nullopt;
  Result<ipc::Mapping> mapping =
      ipc::Mapping::map(descriptor.get(), size, ipc::Mapping::Access::kReadWrite);
  if (!mapping) return std::nullopt;
  file.mapping_ = std::move(*mapping);
  return file;
}

MemoryFile::~MemoryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace ridge::runtime
