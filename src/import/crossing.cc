// SPDX-License-Identifier: Apache-2.0
#include "import/crossing.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/bounds/min_work.h"
#include "analysis/node_bytes.h"
#include "base/checked.h"
#include "onnx/data_type.h"
#include "profile/rows.h"

namespace ridge::imports {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using profile::Count;

/// Bytes per element; nullopt if floating-point tensors cannot have this type.
std::optional<std::int64_t> width_of(std::string_view precision) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kWidths = {{{"float64", 8},
                                                                                 {"float32", 4},
                                                                                 {"float16", 2},
                                                                                 {"bfloat16", 2},
                                                                                 {"float8", 1},
                                                                                 {"int8", 1}}};
  for (const auto& [word, bytes] : kWidths)
    if (word == precision) return bytes;
  return std::nullopt;
}

std::optional<std::int64_t> stored_width(onnx::DataType type) {
  switch (type) {
    case onnx::DataType::kDouble:
      return 8;
    case onnx::DataType::kFloat:
      return 4;
    case onnx::DataType::kFloat16:
    case onnx::DataType::kBfloat16:
      return 2;
    default:
      return std::nullopt;
  }
}

class Boundary {
  using Width = std::optional<std::int64_t>;
  using Moved = std::map<ValueId, std::optional<analysis::Touch>>;

 public:
  Boundary(const Resolved& resolved, const std::vector<profile::Member>& members,
           const Widths& widths)
      : resolved_(resolved),
        members_(members),
        read_(width_of(widths.read)),
        written_(width_of(widths.written)) {}

  Crossed of_one() const {
    const NodeId n = members_[0].node;
    analysis::NodeBytes moved(resolved_, 0);
    const analysis::NodeCounts& counts = resolved_.counts(n);
    Crossed out{profile::count_of(counts.bytes_read), profile::count_of(counts.bytes_written)};
    if (!moved.known(n)) return out;
    for (const analysis::NodeRead& r : moved.reads(n))
      profile::add(out.read, over_runs(wider(r.value, r.touched, read_), n));
    for (const analysis::NodeWrite& w : moved.writes(n))
      profile::add(out.written, over_runs(wider(w.value, w.bytes, written_), n));
    return out;
  }

  Crossed of_all() const {
    Crossed out;
    std::set<ValueId> seen;
    for (const profile::Member& m : members_) {
      const NodeId n = m.node;
      for (const ValueId v : resolved_.model().inputs(n))
        if (m.role != profile::Role::kAbsorbed && v != kNone && !made_inside(v) &&
            seen.insert(v).second)
          profile::add(out.read, read_of(v, n));
      for (const ValueId v : resolved_.model().outputs(n))
        if (v != kNone && leaves(v)) profile::add(out.written, whole(v, n, written_));
    }
    return out;
  }

  profile::Least least(std::set<ValueId>& streamed) const {
    profile::Least out{.macs = 0};
    Moved moved;
    for (const profile::Member& m : members_) {
      const NodeId n = m.node;
      if (m.role == profile::Role::kExecutes) profile::add(out.macs, macs_over_runs(n));
      for (const ValueId v : resolved_.model().inputs(n))
        if (m.role != profile::Role::kAbsorbed && v != kNone && !made_inside(v))
          widen(moved, v, narrower(v, analysis::min_read(resolved_, n, v), read_));
      for (const ValueId v : resolved_.model().outputs(n))
        if (v != kNone && leaves(v))
          widen(moved, v, narrower(v, analysis::min_written(resolved_, n, v), written_));
    }
    out.trips = profile::count_of(resolved_.repeat(members_.front().node)).value_or(1);
    out.bytes = out.line_bytes = out.streamed = 0;
    for (const auto& [value, touch] : moved) {
      if (touch && resolved_.constant(value) && streamed.insert(value).second)
        profile::add(out.streamed, touch->bytes);
      profile::add(out.bytes, touch ? Count(touch->bytes) : std::nullopt);
      profile::add(out.line_bytes, touch ? Count(touch->line_bytes) : std::nullopt);
    }
    return out;
  }

 private:
  Count macs_over_runs(NodeId n) const {
    const auto once = analysis::min_macs(resolved_, n);
    return once ? over_runs(*once, n) : std::nullopt;
  }

  /// Keeps, for a tensor that several nodes access, the largest of their requirements.
  static void widen(Moved& moved, ValueId v, std::optional<analysis::Touch> touch) {
    const auto [at, first] = moved.try_emplace(v, touch);
    if (!first && touch && at->second && touch->line_bytes > at->second->line_bytes)
      at->second = touch;
  }

  std::optional<analysis::Touch> narrower(ValueId v, std::optional<analysis::Touch> touch,
                                          Width width) const {
    const Width stored = stored_width(resolved_.type(v).dtype);
    if (touch && stored && width && *width < *stored) {
      touch->bytes = touch->bytes / *stored * *width;
      touch->line_bytes = touch->line_bytes / *stored * *width;
    }
    return touch;
  }

  bool member(NodeId n) const {
    return std::ranges::binary_search(members_, n, {}, &profile::Member::node);
  }
  bool made_inside(ValueId v) const {
    const graph::Value& value = resolved_.model().value(v);
    return value.producer != kNone && member(value.producer);
  }
  bool leaves(ValueId v) const {
    if (resolved_.model().value(v).graph_output) return true;
    const auto readers = resolved_.model().consumers(v);
    return std::any_of(readers.begin(), readers.end(), [&](NodeId n) { return !member(n); });
  }

  /// Change in size of `bytes` bytes of tensor `v` when its elements are `width` wide instead of as
  /// stored.
  std::int64_t wider(ValueId v, std::int64_t bytes, Width width) const {
    const Width stored = stored_width(resolved_.type(v).dtype);
    return stored && width ? bytes / *stored * (*width - *stored) : 0;
  }

  Count over_runs(std::int64_t bytes, NodeId by) const {
    const auto repeat = profile::count_of(resolved_.repeat(by));
    return repeat ? checked_mul(bytes, *repeat) : std::nullopt;
  }

  /// Bytes that the node reads of an input: all, or by its part rule.
  Count read_of(ValueId v, NodeId by) const {
    const analysis::PartRead* part = resolved_.part_read(by, v);
    if (part == nullptr) return whole(v, by, read_);
    const Count once = profile::count_of(part->bytes);
    return once ? over_runs(*once + wider(v, *once, read_), by) : std::nullopt;
  }

  Count whole(ValueId v, NodeId by, Width width) const {
    const auto once = analysis::value_bytes(resolved_, v);
    return once ? over_runs(*once + wider(v, *once, width), by) : std::nullopt;
  }

  const Resolved& resolved_;
  const std::vector<profile::Member>& members_;
  Width read_, written_;
};

}  // namespace

Crossed crossed(const Resolved& resolved, const std::vector<profile::Member>& members,
                const Widths& widths) {
  const Boundary boundary(resolved, members, widths);
  return members.size() == 1 ? boundary.of_one() : boundary.of_all();
}

profile::Least min_of(const Resolved& resolved, const std::vector<profile::Member>& members,
                      const Widths& widths, std::set<ValueId>& streamed) {
  return Boundary(resolved, members, widths).least(streamed);
}

}  // namespace ridge::imports
