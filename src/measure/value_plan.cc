// SPDX-License-Identifier: Apache-2.0
#include "measure/value_plan.h"

#include <algorithm>
#include <map>
#include <set>

namespace ridge::measure {
namespace {

using graph::ValueId;

/// Tensors of one size, and the originals that may have it.
struct SizeClass {
  std::vector<ValueId> tensors;
  std::vector<ValueId> originals;
};

/// Fills batches one after the other.
class Packer {
 public:
  explicit Packer(const ValueLimits& limits) : limits_(limits) {}

  /// Adds all pairs of two lists to the last batch, or to a new one if they do not fit; false if
  /// there may be no further batch. `bytes`: upper bound of the size of each.
  bool add(std::span<const ValueId> tensors, std::span<const ValueId> originals,
           std::int64_t bytes) {
    const auto added = [&](const std::set<ValueId>& have, std::span<const ValueId> more) {
      return std::ranges::count_if(more, [&](ValueId v) { return !have.contains(v); });
    };
    const std::int64_t size = bytes * (added(tensors_, tensors) + added(originals_, originals));
    if (out_.empty() || size_ + size > limits_.batch_bytes) {
      if (out_.size() == limits_.batches) return false;
      out_.emplace_back();
      tensors_.clear();
      originals_.clear();
      size_ = bytes * static_cast<std::int64_t>(tensors.size() + originals.size());
    } else {
      size_ += size;
    }
    for (const ValueId v : tensors)
      if (tensors_.insert(v).second) out_.back().tensors.push_back(v);
    for (const ValueId v : originals)
      if (originals_.insert(v).second) out_.back().originals.push_back(v);
    return true;
  }

  std::vector<ValueBatch> take() { return std::move(out_); }

 private:
  const ValueLimits& limits_;
  std::vector<ValueBatch> out_;
  std::set<ValueId> tensors_, originals_;  // of the last batch
  std::int64_t size_ = 0;
};

/// Splits a list into parts of at most `most`.
std::vector<std::span<const ValueId>> parts(std::span<const ValueId> all, std::size_t most) {
  std::vector<std::span<const ValueId>> out;
  for (std::size_t at = 0; at < all.size(); at += most)
    out.push_back(all.subspan(at, std::min(most, all.size() - at)));
  return out;
}

}  // namespace

// Example: 3 tensors and 5 originals of 20 MiB with 100 MiB per run: parts of 2 (half of a run), so
// tensors {0 1} {2} and originals {0 1} {2 3} {4}, all pairs of parts in turn, each in a run of its
// own where the run before has no room for what is new.
ValuePlan plan_values(std::span<const TriedTensor> tensors,
                      std::span<const OriginalTensor> originals, const ValueLimits& limits) {
  std::map<std::int64_t, SizeClass> classes;
  for (const TriedTensor& t : tensors) classes[t.bytes].tensors.push_back(t.value);
  for (const OriginalTensor& o : originals)
    for (const std::int64_t size : std::set<std::int64_t>(o.sizes.begin(), o.sizes.end()))
      if (const auto at = classes.find(size); at != classes.end())
        at->second.originals.push_back(o.value);
  ValuePlan plan;
  Packer packer(limits);
  for (const auto& [bytes, members] : classes) {
    const std::int64_t most = limits.batch_bytes / 2 / std::max<std::int64_t>(bytes, 1);
    const auto leave_out = [&](std::span<const ValueId> rest) {
      plan.left_out.insert(plan.left_out.end(), rest.begin(), rest.end());
    };
    if (most == 0) {
      leave_out(members.tensors);
      continue;
    }
    for (const auto some : parts(members.tensors, static_cast<std::size_t>(most))) {
      const auto fits = [&](std::span<const ValueId> of) { return packer.add(some, of, bytes); };
      if (!std::ranges::all_of(parts(members.originals, static_cast<std::size_t>(most)), fits))
        leave_out(some);
    }
  }
  plan.batches = packer.take();
  return plan;
}

}  // namespace ridge::measure
