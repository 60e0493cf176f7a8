// SPDX-License-Identifier: Apache-2.0
// Events of the host in an ONNX Runtime profile: which lies in which, and names for kernels of
// releases that record none.
//
//   const auto owner = rows_around(rows, {.sessions = false, .in_order = true});
//   owner[i]                              // row with a body around row i; profile::kNotEnclosed
//
// Plain data. Cost: O(n log n).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "import/ort_runs.h"
#include "profile/ort_trace.h"

namespace ridge::imports {

/// Event in the order of the file.
struct OrtRow {
  profile::OrtInterval interval;  ///< holds_events: it has a body
  bool session = false;
  std::uint32_t layer = 0xffffffff;  ///< index of its layer; 0xffffffff: none
};

struct RowNesting {
  bool sessions = false;  ///< session events hold others too
  bool in_order = true;   ///< rows are in the order of their ends, as ONNX Runtime writes them
};

/// For each row the innermost one around it that holds events; kNotEnclosed if there is none. Rows
/// in another order are put back into the order of their ends, which may differ by their rounding.
std::vector<std::uint32_t> rows_around(std::span<const OrtRow> rows, RowNesting nesting);

/// Kernel without a name.
struct OrtNameless {
  std::size_t row = 0;
  std::string op_type;
};

struct NamelessName {
  std::string text;         ///< "nameless Conv 3", "nameless Add 1 in nameless Loop 2"
  std::size_t ordinal = 0;  ///< from 0, among the kernels of its operator in one run of its graph
  bool in_body = false;
};

/// Tells kernels apart by their position among the kernels of their operator, in each run of their
/// graph.
std::vector<NamelessName> nameless_names(std::span<const OrtNameless> kernels,
                                         std::span<const OrtRow> rows, const OrtRuns& runs,
                                         bool in_order);

}  // namespace ridge::imports
