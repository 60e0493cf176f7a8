// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/load_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "ipc/process.h"
#include "record/binary.h"
#include "sharing/record/describe_messages.h"
#include "sharing/run/line.h"

namespace ridge::sharing {
namespace {

using ipc::Descriptor;

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr Nanos kForEver{std::numeric_limits<std::int64_t>::max()};

Error file_changed(const LoadFile& file) {
  return input_error("RIDGE-SHARE-0030", "the file was changed while it was loaded")
      .hint("load it again once nothing writes it")
      .in_file(file.path);
}

Error no_memory(const LoadFile& file, int error_number) {
  return environment_error("RIDGE-SHARE-0031",
                           fmt::format("no memory for {} bytes: {}", file.version.bytes,
                                       std::generic_category().message(error_number)))
      .hint("choose a smaller --memory, or a machine with more memory")
      .in_file(file.path);
}

std::int64_t nanos_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

Error cannot_look(const std::string& path, int error_number) {
  return environment_error("RIDGE-SHARE-0032",
                           fmt::format("the file cannot be looked at: {}",
                                       std::generic_category().message(error_number)))
      .in_file(path);
}

FileVersion version_in(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .bytes = status.st_size,
          .modified_ns = nanos_of(status.st_mtim),
          .changed_ns = nanos_of(status.st_ctim)};
}

Result<void> write_all(const LoadFile& file, int memory, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(memory, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return no_memory(file, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

/// Copies the file into memory; its SHA-256.
Result<std::string> copy(const LoadFile& file, const File& from, int memory) {
  std::vector<char> piece(kPieceBytes);
  Sha256 hash;
  for (std::int64_t at = 0; at < file.version.bytes;) {
    const auto size =
        static_cast<std::size_t>(std::min<std::int64_t>(kPieceBytes, file.version.bytes - at));
    const std::span<char> part(piece.data(), size);
    if (!from.read_at(at, std::as_writable_bytes(part)).ok()) return file_changed(file);
    hash.add({part.data(), size});
    TRY(write_all(file, memory, {part.data(), size}));
    at += static_cast<std::int64_t>(size);
  }
  return hash.hex();
}

/// Only what nobody else wants of processors and disks.
void become_idle() {
  constexpr int kOfProcess = 1, kIdleClass = 3, kClassShift = 13;
  sched_param none{};
  ::sched_setscheduler(0, SCHED_IDLE, &none);
  ::syscall(SYS_ioprio_set, kOfProcess, 0, kIdleClass << kClassShift);
}

void answer(Line& line, const LoadFile& file) {
  Result<SealedFile> sealed = read_sealed(file);
  if (sealed.ok()) {
    std::vector<Descriptor> files;
    files.push_back(std::move(sealed->memory));
    line.send(LoadKind::kFileLoaded, record::to_binary(sealed->facts), std::move(files));
  } else {
    line.send(LoadKind::kLoadFailed, record::to_binary(Failure{0, sealed.error()}));
  }
}

}  // namespace

Result<FileVersion> version_of(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return cannot_look(path, errno);
  return version_in(status);
}

Result<FileVersion> version_at(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return cannot_look(path, errno);
  return version_in(status);
}

Result<SealedFile> read_sealed(const LoadFile& file) {
  const File from = TRY(File::open(file.path));
  if (TRY(version_of(from.descriptor(), file.path)) != file.version) return file_changed(file);
  SealedFile out;
  Descriptor memory(::memfd_create("ridge-share", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.is_open() || ::ftruncate(memory.get(), file.version.bytes) != 0)
    return no_memory(file, errno);
  out.facts.bytes = Bytes{file.version.bytes};
  out.facts.sha256 = TRY(copy(file, from, memory.get()));
  if (TRY(version_of(from.descriptor(), file.path)) != file.version) return file_changed(file);
  if (::fcntl(memory.get(), F_ADD_SEALS,
              F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return no_memory(file, errno);
  // Opened anew, so that a mapping for writing is refused by its mode too; the seals are enough.
  out.memory = Descriptor(
      ::open(fmt::format("/proc/self/fd/{}", memory.get()).c_str(), O_RDONLY | O_CLOEXEC));
  if (!out.memory.is_open()) out.memory = std::move(memory);
  return out;
}

int load_main() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  Line line(Descriptor(ipc::kChannelDescriptor), {});
  // The parent may have ended before the signal was asked for: then the line is closed.
  const auto frame = receive_frame(line, kForEver);
  if (!frame || frame->kind != LoadKind::kLoadFile) return 1;
  const auto file = record::from_binary<LoadFile>(frame->payload);
  if (!file) return 1;
  if (file->idle) become_idle();
  answer(line, *file);
  while (line.state() == Line::State::kOpen && line.has_queued()) wait_for(line, kForEver);
  return line.has_queued() ? 1 : 0;
}

}  // namespace ridge::sharing
