// SPDX-License-Identifier: Apache-2.0
#include "machine/processor_claims.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ridge::machine {
namespace {

/// Part of a file's name: a home folder may be shared by machines.
std::string machine_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "machine";
  std::string out = name.data();
  for (char& c : out)
    if (c == '/') c = '_';
  return out;
}

}  // namespace

ProcessorClaims::ProcessorClaims(std::string folder)
    : folder_(std::move(folder)), machine_(machine_name()) {
  std::error_code ignored;  // without the folder there are no claims
  if (!folder_.empty()) std::filesystem::create_directories(folder_ + "/processors", ignored);
}

ProcessorClaims::~ProcessorClaims() {
  while (!held_.empty()) release(held_.begin()->first);
}

ProcessorClaims::Taken ProcessorClaims::take(int cpu) {
  if (held_.contains(cpu)) return Taken::kBefore;
  int descriptor = -1;
  if (!folder_.empty())
    descriptor = ::open(fmt::format("{}/processors/{}-{}", folder_, machine_, cpu).c_str(),
                        O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const bool busy = errno == EWOULDBLOCK;
    ::close(descriptor);
    if (busy) return Taken::kByAnother;
    descriptor = -1;
  }
  held_[cpu] = descriptor;
  return Taken::kNow;
}

void ProcessorClaims::release(int cpu) {
  const auto at = held_.find(cpu);
  if (at->second >= 0) ::close(at->second);
  held_.erase(at);
}

std::optional<std::vector<int>> ProcessorClaims::claim(const std::vector<int>& order,
                                                       std::size_t count) {
  std::vector<int> out, fresh;
  for (const int cpu : order) {
    if (out.size() == count) break;
    const Taken taken = take(cpu);
    if (taken == Taken::kByAnother) continue;
    if (taken == Taken::kNow) fresh.push_back(cpu);
    out.push_back(cpu);
  }
  if (out.size() == count) return out;
  for (const int cpu : fresh) release(cpu);
  return std::nullopt;
}

}  // namespace ridge::machine
