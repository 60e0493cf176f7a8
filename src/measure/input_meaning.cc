// SPDX-License-Identifier: Apache-2.0
#include "measure/input_meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "analysis/form.h"
#include "analysis/sizes/binding.h"
#include "measure/mask_meaning.h"
#include "ops/rule.h"

namespace ridge::measure {
namespace {

using analysis::Form;
using analysis::Resolved;
using graph::NodeId;
using graph::ValueId;
using ops::kMicrosoft;
using runtime::Fill;

enum class Meaning : std::uint8_t {
  kMask,
  kPositions,
  kNewTokens,  ///< number of positions of this run
  kCached,     ///< number of positions in the cache
  kAll,        ///< both
  kLast,       ///< the last of all positions: one less than their number
  kRoom,       ///< first free row of a cache of a fixed length
  kOwn,        ///< each sequence continues itself
  kTrips,
  kCondition,
  kAllScores,  ///< number of last positions with scores, 0: all
};

struct Slot {
  std::string_view domain, op;
  std::size_t slot;
  Meaning meaning;
};
constexpr std::array kSlots = {
    Slot{"", "Attention", 3, Meaning::kMask},
    Slot{"", "Attention", 6, Meaning::kAll},
    Slot{"", "GRU", 4, Meaning::kNewTokens},
    Slot{"", "If", 0, Meaning::kCondition},
    Slot{"", "LSTM", 4, Meaning::kNewTokens},
    Slot{"", "Loop", 0, Meaning::kTrips},
    Slot{"", "Loop", 1, Meaning::kCondition},
    Slot{"", "RNN", 4, Meaning::kNewTokens},
    Slot{"", "RotaryEmbedding", 3, Meaning::kPositions},
    Slot{"", "TensorScatter", 2, Meaning::kRoom},
    Slot{kMicrosoft, "Attention", 3, Meaning::kMask},
    Slot{kMicrosoft, "Attention", 6, Meaning::kCached},
    Slot{kMicrosoft, "DecoderMaskedMultiHeadAttention", 3, Meaning::kMask},
    Slot{kMicrosoft, "DecoderMaskedMultiHeadAttention", 7, Meaning::kRoom},
    Slot{kMicrosoft, "DecoderMaskedMultiHeadAttention", 9, Meaning::kOwn},
    Slot{kMicrosoft, "DecoderMaskedSelfAttention", 3, Meaning::kMask},
    Slot{kMicrosoft, "DecoderMaskedSelfAttention", 6, Meaning::kRoom},
    Slot{kMicrosoft, "DynamicQuantizeLSTM", 4, Meaning::kNewTokens},
    Slot{kMicrosoft, "EmbedLayerNormalization", 7, Meaning::kMask},
    Slot{kMicrosoft, "EmbedLayerNormalization", 8, Meaning::kPositions},
    Slot{kMicrosoft, "GroupQueryAttention", 5, Meaning::kLast},
    Slot{kMicrosoft, "GroupQueryAttention", 6, Meaning::kAll},
    Slot{kMicrosoft, "GroupQueryAttention", 9, Meaning::kPositions},
    Slot{kMicrosoft, "GroupQueryAttention", 10, Meaning::kMask},
    Slot{kMicrosoft, "MultiHeadAttention", 4, Meaning::kMask},
    Slot{kMicrosoft, "MultiHeadAttention", 5, Meaning::kMask},
    Slot{kMicrosoft, "MultiHeadAttention", 8, Meaning::kRoom},
    Slot{kMicrosoft, "QAttention", 5, Meaning::kMask},
    Slot{kMicrosoft, "RotaryEmbedding", 1, Meaning::kPositions},
    Slot{kMicrosoft, "SparseAttention", 7, Meaning::kAll},
    Slot{kMicrosoft, "SparseAttention", 8, Meaning::kAll},
};

/// Rows of a table that an input selects from. `axis`: the attribute that names the axis; "": 0.
struct TableSlot {
  std::string_view domain, op;
  std::size_t slot, table;
  std::string_view axis;
};
constexpr std::array kTables = {
    TableSlot{"", "Gather", 1, 0, "axis"},
    TableSlot{"", "GatherElements", 1, 0, "axis"},
    TableSlot{"", "RotaryEmbedding", 3, 1, ""},
    TableSlot{"", "ScatterElements", 1, 0, "axis"},
    TableSlot{kMicrosoft, "EmbedLayerNormalization", 0, 2, ""},
    TableSlot{kMicrosoft, "EmbedLayerNormalization", 1, 4, ""},
    TableSlot{kMicrosoft, "EmbedLayerNormalization", 8, 3, ""},
    TableSlot{kMicrosoft, "GatherBlockQuantized", 1, 0, "gather_axis"},
    TableSlot{kMicrosoft, "GroupQueryAttention", 9, 7, ""},
    TableSlot{kMicrosoft, "RotaryEmbedding", 1, 2, ""},
    TableSlot{kMicrosoft, "TorchEmbedding", 1, 0, ""},
};

constexpr std::array<std::string_view, 7> kSameValues = {
    "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return contains(text, part); });
}

/// Calls `read(form, slot, node)` for each use of a value or of the same elements in another shape
/// or type, until it returns true.
template <typename Read>
void for_each_use(const Resolved& r, ValueId value, Read&& read) {
  std::vector<ValueId> open = {value};
  std::vector<bool> seen(r.model().values().size(), false);
  while (!open.empty()) {
    const ValueId v = open.back();
    open.pop_back();
    if (seen[v]) continue;
    seen[v] = true;
    for (const NodeId id : r.model().consumers(v)) {
      const Form f(r, id);
      const auto inputs = f.node().inputs;
      for (std::size_t slot = 0; slot < inputs.size(); ++slot)
        if (inputs[slot] == v && read(f, slot, id)) return;
      const bool passes_on =
          std::ranges::find(kSameValues, f.node().op_type) != kSameValues.end() && inputs[0] == v &&
          f.node().outputs[0] != graph::kNone;
      if (passes_on) open.push_back(f.node().outputs[0]);
    }
  }
}

std::optional<std::int64_t> rows_of(const Form& f, std::size_t slot) {
  const graph::Node& n = f.node();
  for (const TableSlot& row : kTables) {
    if (row.op != n.op_type || row.domain != n.domain || row.slot != slot) continue;
    const auto table = f.input(row.table);
    if (!table || table->empty()) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(table->size());
    std::int64_t axis = row.axis.empty() ? 0 : f.integer(row.axis, 0);
    if (axis < 0) axis += rank;
    return axis < 0 || axis >= rank ? std::nullopt
                                    : std::optional((*table)[static_cast<std::size_t>(axis)]);
  }
  if (n.op_type == "OneHot" && slot == 0) return f.scalar(1);
  return std::nullopt;
}

/// Numbers of positions of a run.
struct Lengths {
  std::int64_t cached = 0, added = 1;
  std::int64_t all() const { return cached + added; }
};

std::int64_t size_at(const Form& f, std::size_t input, std::size_t axis, std::int64_t otherwise) {
  const auto sizes = f.input(input);
  return sizes && axis < sizes->size() ? (*sizes)[axis] : otherwise;
}

/// Lengths at an operator of attention or recurrence, by the shapes of its inputs.
Lengths lengths_at(const Form& f) {
  const std::string_view op = f.node().op_type;
  if (op == "LSTM" || op == "GRU" || op == "RNN" || op == "DynamicQuantizeLSTM")
    return {0, size_at(f, 0, f.integer("layout", 0) == 1 ? 1 : 0, 1)};
  if (op == "TensorScatter") {
    const auto cache = f.input(0), update = f.input(1);
    const auto rank = static_cast<std::int64_t>(cache ? cache->size() : 0);
    const std::int64_t axis = f.integer("axis", -2) + (f.integer("axis", -2) < 0 ? rank : 0);
    if (!cache || !update || axis < 0 || axis >= rank) return {};
    const auto at = static_cast<std::size_t>(axis);
    return {(*cache)[at], at < update->size() ? (*update)[at] : 1};
  }
  if (f.node()
          .domain.empty()) {  // Attention; keys are [batch, length, ...] or [.., .., length, ..]
    const auto keys = f.input(1);
    return {size_at(f, 4, 2, 0), keys && keys->size() == 4 ? (*keys)[2] : size_at(f, 1, 1, 1)};
  }
  const std::int64_t queries = size_at(f, 0, 1, 1);
  if (op == "GroupQueryAttention" || op == "SparseAttention") return {size_at(f, 3, 2, 0), queries};
  if (op == "MultiHeadAttention") return {size_at(f, 6, 2, 0), size_at(f, 1, 1, queries)};
  if (op == "DecoderMaskedMultiHeadAttention") return {size_at(f, 5, 2, 0), queries};
  return {size_at(f, 4, 3, 0), queries};  // both halves of a cache in one tensor
}

/// The facts about the main graph's inputs that names tell.
class Named {
 public:
  explicit Named(const Resolved& resolved) : r_(resolved) {}

  static std::optional<Meaning> meaning(std::string_view given, const ops::Type& type) {
    const std::string name = lower(given);
    const onnx::DataTypeInfo* info = onnx::info(type.dtype);
    const bool boolean = type.dtype == onnx::DataType::kBool;
    if (contains(name, "mask")) return Meaning::kMask;
    if (boolean && contains(name, "use_cache")) return Meaning::kCondition;
    if (info == nullptr || !info->integer) return std::nullopt;
    if (contains_any(name, {"position", "pos_ids"})) return Meaning::kPositions;
    if (contains_any(name, {"beam_idx", "beam_index"})) return Meaning::kOwn;
    if (contains(name, "logits_to_keep")) return Meaning::kAllScores;
    if (type.shape.rank > 1 || contains_any(name, {"max_", "min_"})) return std::nullopt;
    if (contains(name, "seqlens_k")) return Meaning::kLast;
    const bool length = contains_any(name, {"length", "seq_len", "seqlen", "_len"});
    if (length && contains(name, "total")) return Meaning::kAll;
    if (length && contains_any(name, {"past", "cache"})) return Meaning::kCached;
    if (length) return Meaning::kNewTokens;
    return std::nullopt;
  }

  Lengths lengths() const {
    Lengths out{.cached = cached(), .added = added()};
    if (const auto width = mask_width(); width && *width >= out.added)
      out.cached = *width - out.added;
    return out;
  }

 private:
  template <typename Use>
  void for_each_input(Use&& use) const {
    for (const ValueId id : r_.model().main().inputs) {
      const graph::Value& value = r_.model().value(id);
      const ops::Type& type = r_.type(id);
      if (value.tensor == nullptr && type.container == ops::Container::kTensor &&
          type.shape.known())
        use(value, lower(value.name), type);
    }
  }

  static std::int64_t size(const ops::Type& type, std::size_t axis) {
    return type.shape[axis].value();
  }
  static bool is_integer(const ops::Type& type) {
    const onnx::DataTypeInfo* info = onnx::info(type.dtype);
    return info != nullptr && info->integer;
  }

  std::int64_t cached() const {
    std::int64_t most = 0;
    for_each_input([&](const graph::Value& value, const std::string& name, const ops::Type& type) {
      if (!contains(name, "past") || contains(name, "encoder") || type.shape.rank < 3) return;
      auto axis = static_cast<std::size_t>(type.shape.rank) - 2;
      for (std::size_t i = 0; i < static_cast<std::size_t>(type.shape.rank); ++i)
        if (contains_any(lower(analysis::free_size(value, i)), {"past", "seq", "cache"})) axis = i;
      most = std::max(most, size(type, axis));
    });
    return most;
  }

  /// Length of the ids; else of the longest axis beside the batch.
  std::int64_t added() const {
    std::int64_t ids = 0, longest = 1;
    for_each_input([&](const graph::Value&, const std::string& name, const ops::Type& type) {
      if (contains_any(name, {"mask", "past", "encoder"}) || type.shape.rank < 2) return;
      if (is_integer(type) && type.shape.rank == 2) ids = std::max(ids, size(type, 1));
      if (contains_any(name, {"embed", "hidden"})) ids = std::max(ids, size(type, 1));
      for (std::size_t i = 1; i < static_cast<std::size_t>(type.shape.rank); ++i)
        longest = std::max(longest, size(type, i));
    });
    return ids > 0 ? ids : longest;
  }

  std::optional<std::int64_t> mask_width() const {
    std::optional<std::int64_t> width;
    for_each_input([&](const graph::Value&, const std::string& name, const ops::Type& type) {
      if (contains(name, "mask") && !contains(name, "encoder") && type.shape.rank == 2)
        width = std::max(width.value_or(0), size(type, 1));
    });
    return width;
  }

  const Resolved& r_;
};

class Knower {
 public:
  Knower(const Resolved& resolved, ValueId value)
      : r_(resolved), value_(value), type_(resolved.type(value)), info_(onnx::info(type_.dtype)) {
    bound_ = integer() ? index_bound(r_, value_) : std::nullopt;
  }

  std::optional<KnownInput> run() {
    std::optional<KnownInput> out;
    for_each_use(r_, value_, [&](const Form& f, std::size_t slot, NodeId node) {
      for (const Slot& row : kSlots)
        if (!out && row.op == f.node().op_type && row.domain == f.node().domain && row.slot == slot)
          out = known(row.meaning, of_slot(f, slot), node);
      return out.has_value();
    });
    if (out) return out;
    const std::string_view name = r_.model().value(value_).name;
    if (const auto meaning = Named::meaning(name, type_))
      if (out = known(*meaning, Named(r_).lengths(), graph::kNone); out) return out;
    if (bound_) return KnownInput{{}, fmt::format("random below {}", *bound_)};
    if ((integer() || boolean()) && type_.shape.rank >= 1 && kept_side(r_, value_, 0, 1))
      return mask();
    return std::nullopt;
  }

 private:
  bool integer() const { return info_ != nullptr && info_->integer; }
  bool boolean() const { return type_.dtype == onnx::DataType::kBool; }

  /// A table of positions bounds the cache: a rotation of its own must not reach behind it.
  Lengths of_slot(const Form& f, std::size_t slot) const {
    const std::string_view op = f.node().op_type;
    if (op == "RotaryEmbedding" || op == "EmbedLayerNormalization" || op == "If" || op == "Loop")
      return Named(r_).lengths();
    Lengths out = lengths_at(f);
    const std::size_t cosines = op == "GroupQueryAttention" ? 7 : op == "SparseAttention" ? 9 : 0;
    if (cosines == 0 || slot < 5) return out;
    const std::int64_t rows = size_at(f, cosines, 0, out.all());
    out.cached = std::max<std::int64_t>(0, std::min(out.cached, rows - out.added));
    return out;
  }

  std::optional<KnownInput> known(Meaning meaning, const Lengths& lengths, NodeId node) {
    switch (meaning) {
      case Meaning::kMask:
        return mask_of(lengths);
      case Meaning::kPositions:
        return positions(lengths);
      case Meaning::kNewTokens:
        return all(lengths.added);
      case Meaning::kCached:
        return all(lengths.cached);
      case Meaning::kAll:
        return all(lengths.all());
      case Meaning::kLast:
        return all(lengths.all() - 1);
      case Meaning::kRoom:
        return all(std::max<std::int64_t>(0, lengths.cached - lengths.added));
      case Meaning::kOwn:
        return KnownInput{Fill{0, 1}, "0 and on: each continues itself"};
      case Meaning::kTrips:
        return trips(node);
      case Meaning::kCondition:
        return condition(lengths, node);
      case Meaning::kAllScores:
        break;
    }
    return KnownInput{Fill{0, 0}, "0: scores of all positions"};
  }

  std::optional<KnownInput> all(std::int64_t value) const {
    if (!integer()) return std::nullopt;
    return KnownInput{Fill{value, 0}, fmt::format("all {}", value)};
  }

  /// A mask, or the lengths that take its place in operators of ONNX Runtime.
  std::optional<KnownInput> mask_of(const Lengths& lengths) const {
    const bool of_lengths = integer() && type_.shape.rank == 1;
    const bool contributed = std::ranges::any_of(r_.model().consumers(value_), [&](NodeId n) {
      return r_.model().kind(n).domain == kMicrosoft;
    });
    return of_lengths && contributed ? all(lengths.all()) : mask();
  }

  std::optional<KnownInput> mask() const {
    const auto kept = kept_side(r_, value_, 0, 1);
    if (!integer() && !boolean()) {
      if (!kept || info_ == nullptr || !info_->floating) return std::nullopt;
      if (kept->unchanged) return KnownInput{Fill{0, 0}, "all 0, added to the scores"};
    }
    return kept && !kept->second ? KnownInput{Fill{0, 0}, "all 0: nothing is masked"}
                                 : KnownInput{Fill{1, 0}, "all 1: nothing is masked"};
  }

  std::optional<KnownInput> positions(const Lengths& lengths) const {
    if (!integer()) return std::nullopt;
    const auto sizes = type_.shape.span();
    const std::int64_t count = sizes.empty() ? 1 : sizes.back().value();
    std::int64_t first = lengths.cached;
    if (bound_) first = std::min(first, *bound_ - count);
    if (first < 0) return std::nullopt;
    return KnownInput{Fill{first, 1}, fmt::format("{} and on", first)};
  }

  /// As many trips as the data that the body selects by the trip's number has.
  std::optional<KnownInput> trips(NodeId node) const {
    const graph::Node loop = r_.model().node(node);
    if (!integer() || loop.bodies.empty()) return std::nullopt;
    const graph::Graph& body = r_.model().graphs()[loop.bodies[0]];
    if (!body.inputs.empty())
      if (const auto rows = index_bound(r_, body.inputs[0]))
        return KnownInput{Fill{*rows, 0},
                          fmt::format("{} trips, the data that the body reads", *rows)};
    const std::size_t carried = loop.inputs.size() < 2 ? 0 : loop.inputs.size() - 2;
    for (std::size_t i = carried; i < loop.outputs.size(); ++i) {
      if (loop.outputs[i] == graph::kNone) continue;
      const onnx::TypeInfo* declared = r_.model().value(loop.outputs[i]).declared;
      if (declared != nullptr && declared->has_shape && !declared->shape.empty() &&
          declared->shape[0].value > 0)
        return KnownInput{
            Fill{declared->shape[0].value, 0},
            fmt::format("{} trips, the rows of its output", declared->shape[0].value)};
    }
    return KnownInput{Fill{1, 0}, "1 trip: how many a run makes is not known"};
  }

  /// Goes on with a Loop, and takes the branch of an If that has more work; or says whether there
  /// is a cache.
  std::optional<KnownInput> condition(const Lengths& lengths, NodeId node) const {
    if (!boolean()) return std::nullopt;
    if (contains(lower(r_.model().value(value_).name), "use_cache"))
      return lengths.cached > 0 ? KnownInput{Fill{1, 0}, "true: there is a cache"}
                                : KnownInput{Fill{0, 0}, "false: there is no cache"};
    if (node == graph::kNone) return std::nullopt;
    const graph::Node n = r_.model().node(node);
    if (n.op_type == "Loop") return KnownInput{Fill{1, 0}, "true"};
    const bool other = std::ranges::any_of(n.attributes, [&](const onnx::Attribute& a) {
      return a.name == "then_branch" && skipped(n, a);
    });
    return KnownInput{Fill{other ? 0 : 1, 0}, other ? "false, the branch with more work"
                                                    : "true, the branch with more work"};
  }

  /// True if the branch is not the one that counts.
  bool skipped(const graph::Node& n, const onnx::Attribute& branch) const {
    std::size_t at = 0;
    for (const onnx::Attribute& a : n.attributes) {
      if (a.name == branch.name) break;
      if (a.name == "else_branch") ++at;
    }
    if (at >= n.bodies.size()) return false;
    const graph::Graph& body = r_.model().graphs()[n.bodies[at]];
    const graph::Graph& rest = r_.model().graphs()[n.bodies[n.bodies.size() - 1 - at]];
    if (body.first == body.last) return rest.first != rest.last;
    return r_.repeat(body.first).is(0);
  }

  const Resolved& r_;
  ValueId value_;
  const ops::Type& type_;
  const onnx::DataTypeInfo* info_;
  std::optional<std::int64_t> bound_;
};

}  // namespace

std::optional<std::int64_t> index_bound(const Resolved& resolved, ValueId value) {
  std::optional<std::int64_t> least;
  for_each_use(resolved, value, [&](const Form& f, std::size_t slot, NodeId) {
    if (const auto rows = rows_of(f, slot)) least = std::min(*rows, least.value_or(*rows));
    return false;
  });
  return least;
}

std::optional<KnownInput> known_input(const Resolved& resolved, ValueId value) {
  return Knower(resolved, value).run();
}

}  // namespace ridge::measure
