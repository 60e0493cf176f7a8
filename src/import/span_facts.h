// Spans of a recording with what their format says of them beside the timeline.
//
// Ownership: Spans refers to its parts. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "import/names.h"
#include "import/recorded.h"
#include "profile/timeline.h"

namespace ridge::imports {

inline constexpr std::uint32_t kNoProcess = 0xffffffffU;

struct SpanFacts {
  /// Equal on an operation and what it launched where correlation ids are missing; 0: none.
  std::uint64_t external = 0;
  /// Position in Spans::processes; kNoProcess: that of the call that launched it.
  std::uint32_t process = 0;
  /// Texts of the timeline; 0: not said.
  profile::TextId shapes = 0;  ///< "[[1, 3, 8, 8], [], [4, 3, 1, 1]]"
  profile::TextId module = 0;
  /// A function of Python, which calls operations: a layer only where a node is called like it.
  bool python = false;
};

struct Spans {
  profile::Timeline& timeline;
  const std::vector<SpanFacts>& facts;  ///< by span
  /// What the processes are called: "rank 1", "process 4711".
  const std::vector<std::string>& processes;
  const NameIndex* names = nullptr;
  Naming naming = Naming::kPlain;
};

/// Of the host: a span of a device has a queue.
bool on_host(const profile::Span& span);

}  // namespace ridge::imports
