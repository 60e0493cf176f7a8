// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/attended_reads.h"

#include <algorithm>
#include <array>

#include "analysis/form.h"
#include "analysis/node_bytes.h"
#include "ops/rule.h"

namespace ridge::analysis {
namespace {

using ops::kMicrosoft;
constexpr std::size_t kNoSlot = 1000;

/// Slots of an operator: those that are read whole, the cache, and the count of all positions.
struct Attention {
  std::string_view domain, op;
  std::size_t whole;       ///< this many inputs from the first on
  std::size_t past, last;  ///< first and last input of the cache
  std::size_t axis;        ///< axis of the cache's length
  std::size_t total = kNoSlot;
};
constexpr std::array kAttentions = {
    Attention{"", "Attention", 3, 4, 5, 2},
    Attention{kMicrosoft, "Attention", 3, 4, 4, 3},
    Attention{kMicrosoft, "DecoderMaskedMultiHeadAttention", 3, 5, 6, 2, 7},
    Attention{kMicrosoft, "GroupQueryAttention", 3, 3, 4, 2, 6},
    Attention{kMicrosoft, "MultiHeadAttention", 3, 6, 7, 2, 8},
    Attention{kMicrosoft, "QAttention", 2, 8, 8, 3},
};

/// Rows of the cache that certainly take part.
std::optional<std::int64_t> cache_rows_read(const Resolved& r, const Form& f, const Attention& of,
                                            std::int64_t rows) {
  const auto queries = f.input(0);
  if (!queries || queries->size() < 2) return std::nullopt;
  const std::int64_t added = queries->size() == 4 ? (*queries)[2] : (*queries)[1];
  if (of.total != kNoSlot && f.has_input(of.total)) {
    const bool grouped = f.node().op_type == "GroupQueryAttention";
    if (const auto total = f.scalar(of.total)) {
      rows = std::min(rows, grouped ? *total - added : *total);
    } else {
      const graph::Value& count = r.model().value(f.node().inputs[of.total]);
      if (count.kind != graph::ValueKind::kInput || count.graph != 0) return std::nullopt;
      if (!grouped) rows -= added;  // the input says where the new ones go
    }
  }
  const std::int64_t window = f.integer("local_window_size", -1);
  if (window > 0) rows = std::min(rows, std::max<std::int64_t>(0, window - 1));
  return std::max<std::int64_t>(0, rows);
}

}  // namespace

std::optional<Touch> attended_read(const Resolved& r, graph::NodeId node, std::size_t i) {
  const Form f(r, node);
  const auto row = std::ranges::find_if(kAttentions, [&](const Attention& a) {
    return a.op == f.node().op_type && a.domain == f.node().domain;
  });
  if (row == kAttentions.end()) return std::nullopt;
  const auto bytes = value_bytes(r, f.node().inputs[i]);
  if (!bytes) return std::nullopt;
  if (i < row->whole) return all_of(*bytes);
  if (i < row->past || i > row->last) return std::nullopt;
  const auto sizes = f.input(i);
  if (!sizes || sizes->size() <= row->axis) return std::nullopt;
  const std::int64_t rows = (*sizes)[row->axis];
  const auto read = cache_rows_read(r, f, *row, rows);
  if (!read) return std::nullopt;
  return all_of(rows == 0 ? 0 : *bytes / rows * *read);
}

}  // namespace ridge::analysis
