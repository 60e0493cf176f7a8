// SPDX-License-Identifier: Apache-2.0
// Spans of a recording with format-specific data that the timeline does not store.
//
// Ownership: Spans refers to its parts. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "import/names.h"
#include "import/recorded.h"
#include "profile/timeline.h"

namespace ridge::imports {

inline constexpr std::uint32_t kNoProcess = 0xffffffffU;

struct SpanFacts {
  /// Equal for an operation and the spans it launched, for traces without correlation ids; 0: none.
  std::uint64_t external = 0;
  /// Index into Spans::processes; kNoProcess: the process of the launching call.
  std::uint32_t process = 0;
  /// Texts of the timeline; 0: not recorded.
  profile::TextId shapes = 0;  ///< "[[1, 3, 8, 8], [], [4, 3, 1, 1]]"
  profile::TextId module = 0;
  /// Python function, which calls operations; becomes a layer only if a node has its name.
  bool python = false;
};

struct Spans {
  profile::Timeline& timeline;
  const std::vector<SpanFacts>& facts;  ///< by span
  /// Names of the processes: "rank 1", "process 4711".
  const std::vector<std::string>& processes;
  const NameIndex* names = nullptr;
  Naming naming = Naming::kPlain;
  std::string_view choice = {};  ///< choice of runs (run_choice.h); "": all
};

/// True for spans of the host; device spans have a queue or are kernels.
bool on_host(const profile::Span& span);

}  // namespace ridge::imports
