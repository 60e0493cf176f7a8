// SPDX-License-Identifier: Apache-2.0
#include "base/file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"

namespace ridge {
namespace {

Error cannot_write(const std::string& path, int error_number) {
  return environment_error("RIDGE-IO-0006",
                           "cannot write it: " + std::generic_category().message(error_number))
      .in_file(path);
}

int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

/// Creates an empty file with a unique name beside `path`, with the default permissions (0666 less
/// the umask), and stores its name in `name`. Returns the descriptor; -1 with errno set on failure.
int create_beside(const std::string& path, std::string& name) {
  static std::atomic<unsigned> serial = 0;
  for (;;) {
    name = fmt::format("{}.{}-{}.tmp", path, ::getpid(), serial++);
    const int fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
}

/// Resolves the symbolic links of `path`, so that a link is kept and its target replaced; returns
/// `path` itself if nothing exists there.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? std::string(real.get()) : path;
}

/// Syncs a file or folder. File systems without fsync answer EINVAL. Returns errno, or 0.
int sync(int fd) {
  while (::fsync(fd) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == EROFS ? 0 : errno;
  }
  return 0;
}

/// Syncs the folder of `path`, so that a name in it survives a power failure. A folder that may not
/// be read cannot be synced, which is no error. Returns errno, or 0.
int sync_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return 0;
  const int failure = sync(fd);
  ::close(fd);
  return failure;
}

}  // namespace

/// Descriptor and temporary file: closed and deleted by the destructor unless committed.
struct FileWriter::State {
  int fd = -1;
  Durability durability = Durability::kSynced;
  std::string path;       ///< as given by the caller, for messages
  std::string target;     ///< path that the temporary file is renamed to; empty: written in place
  std::string temporary;  ///< empty: written in place, or renamed already

  ~State() {
    if (fd >= 0) ::close(fd);
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }
};

FileWriter::FileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter& FileWriter::operator=(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

Result<FileWriter> FileWriter::create(const std::string& path, Durability durability) {
  auto state = std::make_unique<State>();
  state->durability = durability;
  state->path = path;
  // The system calls would use only the part of the path before the zero byte.
  if (path.find('\0') != std::string::npos) return cannot_write(path, EINVAL);
  struct stat present {};
  const bool exists = ::stat(path.c_str(), &present) == 0;
  if (exists && S_ISDIR(present.st_mode)) return cannot_write(path, EISDIR);
  if (exists && !S_ISREG(present.st_mode)) {
    state->fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (state->fd < 0) return cannot_write(path, errno);
    return FileWriter(std::move(state));
  }
  state->target = resolved(path);
  std::string name;
  state->fd = create_beside(state->target, name);
  if (state->fd < 0) return cannot_write(path, errno);
  state->temporary = std::move(name);
  if (exists && ::fchmod(state->fd, present.st_mode & 0777U) != 0) return cannot_write(path, errno);
  return FileWriter(std::move(state));
}

Result<void> FileWriter::write(std::string_view bytes) {
  if (const int failure = write_all(state_->fd, bytes); failure != 0) {
    return cannot_write(state_->path, failure);
  }
  return {};
}

Result<void> FileWriter::commit() {
  if (in_place()) {
    const bool closed = ::close(std::exchange(state_->fd, -1)) == 0;
    return closed ? Result<void>() : cannot_write(state_->path, errno);
  }
  const bool synced = state_->durability == Durability::kSynced;
  if (const int failure = synced ? sync(state_->fd) : 0; failure != 0) {
    return cannot_write(state_->path, failure);
  }
  // The descriptor stays open until the file is in place, for read_back().
  if (std::rename(state_->temporary.c_str(), state_->target.c_str()) != 0) {
    return cannot_write(state_->path, errno);
  }
  state_->temporary.clear();
  const int failure = synced ? sync_folder(state_->target) : 0;
  const bool closed = ::close(std::exchange(state_->fd, -1)) == 0;
  if (!closed || failure != 0) return cannot_write(state_->path, closed ? failure : errno);
  return {};
}

bool FileWriter::in_place() const { return state_->target.empty(); }

std::string FileWriter::read_back(std::size_t bytes) const {
  std::string out(in_place() || state_->fd < 0 ? 0 : bytes, '\0');
  for (std::size_t done = 0; done < out.size();) {
    const ssize_t n =
        ::pread(state_->fd, out.data() + done, out.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return "";
    done += static_cast<std::size_t>(n);
  }
  return out;
}

Result<void> sync_file_system(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = fd >= 0 && ::syncfs(fd) == 0;
  const int failure = errno;
  if (fd >= 0) ::close(fd);
  return synced ? Result<void>() : cannot_write(folder, failure);
}

Result<void> check_writable(const std::string& path) {
  struct stat present {};
  const bool exists = ::stat(path.c_str(), &present) == 0;
  if (exists && !S_ISREG(present.st_mode) && !S_ISDIR(present.st_mode)) return {};
  TRY(FileWriter::create(path));
  return {};
}

Result<void> make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return {};
  const int why = errno;
  struct stat status {};
  if (why == EEXIST && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return {};
  return environment_error("RIDGE-IO-0015", "cannot create the folder")
      .evidence(std::strerror(why))
      .hint(why == EEXIST ? "a file has this name; name a folder"
                          : "the folder above it must exist and be writable")
      .in_file(path);
}

Result<void> check_writable_folder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::path folder = fs::absolute(path, failed).lexically_normal();
  while (!failed && !fs::exists(folder, failed) && folder.has_relative_path())
    folder = folder.parent_path();
  if (failed) return cannot_write(path, failed.value());
  if (!fs::is_directory(folder, failed))
    return cannot_write(path, ENOTDIR)
        .hint(folder == fs::absolute(path).lexically_normal()
                  ? "a file has this name; name a folder"
                  : "a file has the name of a folder above it");
  std::string name;
  const int fd = create_beside((folder / "ridge").string(), name);
  if (fd < 0) return cannot_write(path, errno);
  ::close(fd);
  ::unlink(name.c_str());
  return {};
}

Result<void> write_file(const std::string& path, std::string_view content) {
  FileWriter out = TRY(FileWriter::create(path));
  TRY(out.write(content));
  return out.commit();
}

}  // namespace ridge
