// SPDX-License-Identifier: Apache-2.0
// Processors that measurements hold, so that two at once do not share one.
//
//   ProcessorClaims claims(cache_folder);
//   const auto held = claims.claim({0, 1, 2, 3}, 2);     // {1, 2} while another process holds 0
//   if (!held) ...                                      // too few are free now
//
// A claim is a flock on a file per machine and processor in FOLDER/processors; the kernel releases
// it when the process ends, however it ends. It binds only programs that ask, and only those with
// the same folder: containers and users with folders of their own do not see each other's. Where
// the folder cannot be written, every processor counts as free.
// Ownership: claims last as long as the object. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridge::machine {

class ProcessorClaims {
 public:
  /// `folder`: empty for no claims at all.
  explicit ProcessorClaims(std::string folder);
  ProcessorClaims(const ProcessorClaims&) = delete;
  ProcessorClaims& operator=(const ProcessorClaims&) = delete;
  ~ProcessorClaims();

  /// Claims the first `count` processors of `order` that no other process holds, and returns them
  /// in that order; those that this object holds already count as free. nullopt, with nothing new
  /// claimed, if there are fewer.
  std::optional<std::vector<int>> claim(const std::vector<int>& order, std::size_t count);

  const std::string& folder() const { return folder_; }

 private:
  enum class Taken : std::uint8_t { kNow, kBefore, kByAnother };
  Taken take(int cpu);
  void release(int cpu);

  std::string folder_, machine_;
  std::map<int, int> held_;  // processor to descriptor; -1: its file cannot be locked
};

}  // namespace ridge::machine
