// SPDX-License-Identifier: Apache-2.0
#include "machine/system_files.h"
#include "base/list.h"
#include "base/number.h"
#include "base/trim.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

namespace ridge::machine {
namespace {

constexpr std::size_t kLongestFile = std::size_t{1} << 20;
constexpr int kMaxCpus = 65'536;

std::optional<std::string> read_live(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  std::string out;
  char buffer[4096];
  ssize_t n = 0;
  while (out.size() < kLongestFile && (n = ::read(fd, buffer, sizeof(buffer))) > 0) {
    out.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(fd);
  if (n < 0) return std::nullopt;
  while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
  return out;
}

std::vector<std::string> list_live(const std::string& path) {
  std::vector<std::string> out;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (folder == nullptr) return out;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

SystemFiles live_files() { return {read_live, list_live}; }

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> out;
  for (const std::string_view part : items(trimmed(text))) {
    const std::size_t dash = part.find('-');
    const auto first = whole_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole_number(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= kMaxCpus) return std::nullopt;
    for (std::int64_t cpu = *first; cpu <= *last; ++cpu) out.push_back(static_cast<int>(cpu));
    if (out.size() > static_cast<std::size_t>(kMaxCpus)) return std::nullopt;
  }
  return out;
}

std::optional<std::int64_t> parse_size(std::string_view text) {
  text = trimmed(text);
  int shift = 0;
  if (text.ends_with('K')) shift = 10;
  if (text.ends_with('M')) shift = 20;
  if (text.ends_with('G')) shift = 30;
  if (shift > 0) text.remove_suffix(1);
  const auto count = whole_number(text);
  if (!count || *count < 0 || *count > (INT64_MAX >> shift)) return std::nullopt;
  return *count << shift;
}

std::optional<std::string> field(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with(key)) continue;
    std::string_view rest = line.substr(key.size());
    if (rest.empty() || (rest[0] != ':' && rest[0] != ' ' && rest[0] != '\t')) continue;
    rest = trimmed(rest);
    if (rest.starts_with(':')) rest = trimmed(rest.substr(1));
    return std::string(rest);
  }
  return std::nullopt;
}

std::optional<std::int64_t> read_integer(const SystemFiles& files, const std::string& path) {
  const auto text = files.read(path);
  return text ? whole_number(trimmed(*text)) : std::nullopt;
}

}  // namespace ridge::machine
