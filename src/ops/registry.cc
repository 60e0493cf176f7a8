// SPDX-License-Identifier: Apache-2.0
// The list of all operators.
#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "ops/operator.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

bool before(const Operator* a, const Operator* b) {
  return std::tie(a->domain, a->name, a->since) < std::tie(b->domain, b->name, b->since);
}

// Sorted. To add a family: a file with a table, a line in tables.h, and a line here.
std::vector<const Operator*> collect() {
  const std::span<const Operator> tables[] = {
      kActivation,     kAttention,
      kCast,           kConcat,
      kContrib,        kContribAttention,
      kContribConv,    kContribData,
      kContribMatmul,  kContribNorm,
      kContribOrdered, kContribQuantize,
      kContribSparse,  kContribState,
      kControl,        kConv,
      kConvTranspose,  kDeformConv,
      kEinsum,         kElementwise,
      kExpand,         kGather,
      kGemm,           kGroupedAttention,
      kImage,          kLinearAttention,
      kLoss,           kMath,
      kMlOperators,    kMoe,
      kNormalization,  kOptional,
      kPackedMatmul,   kPad,
      kPool,           kQuantize,
      kRandom,         kRecurrent,
      kReduce,         kReshape,
      kResize,         kScatter,
      kSelect,         kSequence,
      kShape,          kSignal,
      kSlice,          kSoftmax,
      kSplit,          kText,
      kTraining,       kTranspose,
  };
  std::vector<const Operator*> rows;
  for (const auto& table : tables)
    for (const Operator& row : table) rows.push_back(&row);
  return rows;
}

std::size_t hash(std::string_view domain, std::string_view name) {
  std::size_t h = domain.size();
  for (const char x : name) h = h * 31 + static_cast<unsigned char>(x);
  return h;
}

// Hash table with open addressing over the names, and a chain of the rows of each name: a model
// needs up to 200,000 lookups. Chains rather than sorted rows, since the table is built at every
// program start, and sorting took a twentieth of an analysis of ResNet-50.
class Registry {
 public:
  Registry() : rows_(collect()), next_(rows_.size(), kEmpty) {
    slots_.fill(kEmpty);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::uint16_t& first = slots_[slot_of(rows_[i]->domain, rows_[i]->name)];
      next_[i] = first;
      first = static_cast<std::uint16_t>(i);
    }
  }

  std::span<const Operator* const> rows() const { return rows_; }

  const Operator* find(std::string_view domain, std::string_view name, std::int32_t opset) const {
    const Operator* best = nullptr;
    for (std::uint16_t i = slots_[slot_of(domain, name)]; i != kEmpty; i = next_[i]) {
      const Operator* row = rows_[i];
      if (row->since <= opset && (best == nullptr || row->since > best->since)) best = row;
    }
    return best;
  }

 private:
  static constexpr std::uint16_t kEmpty = 0xffff;
  /// Returns the slot where the chain of that name begins, or an empty slot.
  std::size_t slot_of(std::string_view domain, std::string_view name) const {
    std::size_t slot = hash(domain, name) % slots_.size();
    while (slots_[slot] != kEmpty && !same(*rows_[slots_[slot]], domain, name))
      slot = (slot + 1) % slots_.size();
    return slot;
  }
  static bool same(const Operator& row, std::string_view domain, std::string_view name) {
    return row.name == name && row.domain == domain;
  }

  std::vector<const Operator*> rows_;
  std::vector<std::uint16_t> next_;  ///< next row with the same name, or kEmpty
  /// several times the number of names, to keep probes short
  std::array<std::uint16_t, 2048> slots_;
};

const Registry& registry() {
  static const Registry instance;
  return instance;
}

}  // namespace

const Operator* find(std::string_view domain, std::string_view name, std::int32_t opset) {
  return registry().find(domain, name, opset);
}

std::span<const Operator* const> all() {
  static const std::vector<const Operator*> sorted = [] {
    std::vector<const Operator*> rows(registry().rows().begin(), registry().rows().end());
    std::sort(rows.begin(), rows.end(), before);
    return rows;
  }();
  return sorted;
}

}  // namespace ridge::ops
