// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "base/list.h"
#include "base/number.h"
#include "base/system_file.h"

namespace ridge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "ridge-";
constexpr std::string_view kRandom = "XXXXXX";

/// State and start of a process as /proc/PID/stat has them (proc(5)).
struct ProcessFacts {
  char state = '?';
  std::string start;  ///< clock ticks after the boot
};

std::optional<ProcessFacts> facts_of(std::string_view process) {
  const Result<std::string> text = read_system_file(fmt::format("/proc/{}/stat", process), 4096);
  // "pid (name) state ...": the name may contain parentheses and blanks.
  const std::size_t name_end = text.ok() ? text->rfind(") ") : std::string::npos;
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split(std::string_view(*text).substr(name_end + 2), " ");
  constexpr std::size_t kStart = 19;  // the 22nd field of all
  if (fields.size() <= kStart || fields[0].empty()) return std::nullopt;
  return ProcessFacts{fields[0][0], std::string(fields[kStart])};
}

/// Eight digits that tell hosts and process namespaces apart, whose process numbers mean other
/// processes: containers and hosts may share a folder for temporary files.
std::string place_of_processes() {
  std::array<char, 256> host{}, space{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  if (::readlink("/proc/self/ns/pid", space.data(), space.size() - 1) < 0) space[0] = '\0';
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : fmt::format("{} {}", host.data(), space.data()))
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:08x}", hash);
}

/// "PID-START-PLACE-" of this process; empty if the system does not tell.
std::string own_mark() {
  const auto facts = facts_of("self");
  return facts ? fmt::format("{}-{}-{}-", ::getpid(), facts->start, place_of_processes()) : "";
}

bool runs(const std::string& process, std::string_view start) {
  if (const auto facts = facts_of(process))
    return facts->start == start && facts->state != 'Z' && facts->state != 'X';
  const auto number = whole_number<std::int32_t>(process);
  return number && (::kill(*number, 0) == 0 || errno != ESRCH);
}

/// True for the name of a folder whose process was one of `place` and does not run.
bool is_abandoned(std::string_view name, std::string_view place) {
  if (!name.starts_with(kPrefix)) return false;
  const auto parts = split(name.substr(kPrefix.size()), "-");
  if (parts.size() != 4 || parts[3].size() != kRandom.size()) return false;
  const auto process = whole_number<std::int32_t>(parts[0]);
  if (!process || *process <= 0 || parts[2] != place) return false;
  return !runs(std::string(parts[0]), parts[1]);
}

bool is_own_folder(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid();
}

/// Once in a process for each folder: what others leave later is left to later processes.
void remove_abandoned_once(const std::string& below) {
  static std::mutex mutex;
  static std::set<std::string> done;
  const std::lock_guard<std::mutex> hold(mutex);
  if (done.insert(below).second) remove_abandoned_folders(below);
}

}  // namespace

Result<std::string> temporary_root() {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  if (!failed) return folder.string();
  return environment_error("RIDGE-IO-0008",
                           "there is no folder for temporary files: " + failed.message())
      .hint("TMPDIR names it; let it name a folder that you may write to: TMPDIR=/var/tmp");
}

Result<std::string> new_temporary_file(std::string_view what, std::string_view ending) {
  const std::string folder = TRY(temporary_root());
  std::string path = fmt::format("{}/{}{}-{}{}", folder, kPrefix, what, kRandom, ending);
  const int file = ::mkstemps(path.data(), static_cast<int>(ending.size()));
  if (file < 0)
    return environment_error("RIDGE-IO-0009", "cannot create a file in the temporary folder: " +
                                                  std::generic_category().message(errno))
        .hint("free some space there, or name another folder: TMPDIR=/var/tmp")
        .in_file(folder);
  ::close(file);
  return path;
}

void remove_abandoned_folders(const std::string& below) {
  const std::string place = place_of_processes();
  std::vector<std::string> found;
  std::error_code failed;
  for (fs::directory_iterator it(below, failed), end; !failed && it != end; it.increment(failed))
    if (is_abandoned(it->path().filename().string(), place)) found.push_back(it->path().string());
  for (const std::string& path : found)
    if (is_own_folder(path)) fs::remove_all(path, failed);
}

Result<TemporaryFolder> TemporaryFolder::make(const std::string& below) {
  remove_abandoned_once(below);
  std::string path = fmt::format("{}/{}{}{}", below, kPrefix, own_mark(), kRandom);
  if (::mkdtemp(path.data()) == nullptr) {
    return environment_error("RIDGE-RT-0006", "cannot make a temporary folder: " +
                                                  std::generic_category().message(errno))
        .hint("free some space there, or name another folder: TMPDIR=/var/tmp")
        .in_file(below);
  }
  return TemporaryFolder(std::move(path));
}

Result<TemporaryFolder> TemporaryFolder::make() { return make(TRY(temporary_root())); }

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace ridge
