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

// Keep sorted. A new family is a file with a table, a line in tables.h and one here.
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
  std::sort(rows.begin(), rows.end(), before);
  return rows;
}

std::size_t hash(std::string_view domain, std::string_view name) {
  std::size_t h = domain.size();
  for (const char x : name) h = h * 31 + static_cast<unsigned char>(x);
  return h;
}

// Open addressing over the first row of every name, so that a model's 200,000 look-ups cost little.
class Registry {
 public:
  Registry() : rows_(collect()) {
    slots_.fill(kEmpty);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i > 0 && same(*rows_[i - 1], rows_[i]->domain, rows_[i]->name)) continue;
      std::size_t slot = hash(rows_[i]->domain, rows_[i]->name) % slots_.size();
      while (slots_[slot] != kEmpty) slot = (slot + 1) % slots_.size();
      slots_[slot] = static_cast<std::uint16_t>(i);
    }
  }

  std::span<const Operator* const> rows() const { return rows_; }

  const Operator* find(std::string_view domain, std::string_view name, std::int32_t opset) const {
    std::size_t slot = hash(domain, name) % slots_.size();
    while (slots_[slot] != kEmpty && !same(*rows_[slots_[slot]], domain, name))
      slot = (slot + 1) % slots_.size();
    const Operator* best = nullptr;
    for (std::size_t i = slots_[slot]; i < rows_.size() && same(*rows_[i], domain, name); ++i)
      if (rows_[i]->since <= opset) best = rows_[i];
    return best;
  }

 private:
  static constexpr std::uint16_t kEmpty = 0xffff;
  static bool same(const Operator& row, std::string_view domain, std::string_view name) {
    return row.name == name && row.domain == domain;
  }
  std::vector<const Operator*> rows_;
  std::array<std::uint16_t, 2048> slots_;  // several times the rows: chains stay short
};

const Registry& registry() {
  static const Registry instance;
  return instance;
}

}  // namespace

const Operator* find(std::string_view domain, std::string_view name, std::int32_t opset) {
  return registry().find(domain, name, opset);
}

std::span<const Operator* const> all() { return registry().rows(); }

}  // namespace ridge::ops
