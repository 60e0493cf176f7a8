// SPDX-License-Identifier: Apache-2.0
#include "generation/decoder_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "analysis/sizes/binding.h"
#include "base/text.h"
#include "onnx/data_type.h"
#include "runtime/inputs/inputs.h"

namespace ridge::generation {
namespace {

using graph::Model;
using graph::Value;
using onnx::DataType;
using runtime::kBatchAxis;
using runtime::kKeysAxis;
using runtime::kTokensAxis;
using runtime::RunMeaning;

constexpr std::int64_t kRotaryAxes = 3;  // time, height and width in the positions of Qwen2-VL

enum class ElementKind : std::uint8_t { kIntegers, kFloats, kAny };

/// A meaning by a part of a name in lower case; the first row that fits counts.
struct Known {
  std::string_view word;
  RunMeaning means;
  ElementKind elements = ElementKind::kIntegers;
  bool in_place = false;
};
constexpr Known kKnown[] = {
    {"cache_position", RunMeaning::kPlaces, ElementKind::kIntegers, true},
    {"input_pos", RunMeaning::kPlaces, ElementKind::kIntegers, true},
    {"write_indices", RunMeaning::kCacheLength, ElementKind::kIntegers, true},
    {"position", RunMeaning::kPlaces},
    {"encoder_attention_mask", RunMeaning::kOnes, ElementKind::kAny},
    {"mask", RunMeaning::kMask, ElementKind::kAny},
    {"token_type", RunMeaning::kZeros},
    {"segment_ids", RunMeaning::kZeros},
    {"beam_idx", RunMeaning::kCount},
    {"logits_to_keep", RunMeaning::kOnes},
    {"use_cache", RunMeaning::kHasCache, ElementKind::kAny},
    {"seqlens_k", RunMeaning::kLastPlace},
    {"nonpad_kv_seqlen", RunMeaning::kTotalLength},
    {"total_seq", RunMeaning::kTotalLength},
    {"past_seq", RunMeaning::kCacheLength},
    {"past_len", RunMeaning::kCacheLength},
    {"cache_len", RunMeaning::kCacheLength},
    {"embeds", RunMeaning::kEmbeddings, ElementKind::kFloats},
    {"ids", RunMeaning::kIds},
    {"token", RunMeaning::kIds}};

std::span<const onnx::Dimension> input_shape(const Value& input) { return input.declared->shape; }

bool is_fixed(const Value& input, std::size_t axis) {
  return analysis::free_size(input, axis).empty();
}

/// Sizes of the axes: those that the file fixes, and `free` for the others. nullopt: another rank.
std::optional<std::vector<std::int64_t>> axes(const Value& input, std::vector<std::int64_t> free) {
  if (input_shape(input).size() != free.size()) return std::nullopt;
  for (std::size_t i = 0; i < free.size(); ++i)
    if (is_fixed(input, i)) free[i] = input_shape(input)[i].value;
  return free;
}

/// Size of a vector with an element for each sequence if its axis is named after them.
std::int64_t sequences_or(const Value& input, std::int64_t other) {
  return contains(lower(analysis::free_size(input, 0)), "batch") ? kBatchAxis : other;
}

std::optional<std::vector<std::int64_t>> axes_of(const Value& input, RunMeaning means,
                                                 const GivenInputs& given) {
  const std::size_t rank = input_shape(input).size();
  switch (means) {
    case RunMeaning::kIds:
    case RunMeaning::kZeros:
      return rank == 1 ? axes(input, {kTokensAxis}) : axes(input, {kBatchAxis, kTokensAxis});
    case RunMeaning::kEmbeddings:
      return rank == 3 && is_fixed(input, 2) ? axes(input, {kBatchAxis, kTokensAxis, 0})
                                             : std::nullopt;
    case RunMeaning::kPlaces:
      if (rank == 0) return axes(input, {});
      if (rank == 1) return axes(input, {sequences_or(input, kTokensAxis)});
      return rank == 3 ? axes(input, {kRotaryAxes, kBatchAxis, kTokensAxis})
                       : axes(input, {kBatchAxis, kTokensAxis});
    case RunMeaning::kMask:
      if (rank == 4) return axes(input, {kBatchAxis, 1, kTokensAxis, kKeysAxis});
      return rank == 3 ? axes(input, {kBatchAxis, kTokensAxis, kKeysAxis})
                       : axes(input, {kBatchAxis, kKeysAxis});
    case RunMeaning::kOnes:
      if (rank == 2 && (given.encoder > 0 || is_fixed(input, 1)))
        return axes(input, {kBatchAxis, given.encoder});
      return rank == 0 ? axes(input, {}) : axes(input, {1});
    case RunMeaning::kCount:
      return axes(input, {kBatchAxis});
    case RunMeaning::kHasCache:
      return rank == 0 ? axes(input, {}) : axes(input, {1});
    default:
      break;
  }
  if (rank == 0) return axes(input, {});
  const std::int64_t each = means == RunMeaning::kTotalLength ? sequences_or(input, 1) : kBatchAxis;
  return rank == 1 ? axes(input, {each}) : axes(input, {kBatchAxis, 1});
}

bool fits(ElementKind elements, DataType type) {
  const onnx::DataTypeInfo* info = onnx::info(type);
  if (elements == ElementKind::kAny || info == nullptr) return info != nullptr;
  return elements == ElementKind::kFloats ? info->floating
                                          : type == DataType::kInt64 || type == DataType::kInt32;
}

/// Lengths that an attention reads are known by where it reads them, whatever their names.
std::optional<RunMeaning> by_readers(const Model& model, const Value& input) {
  const auto id = static_cast<graph::ValueId>(&input - model.values().data());
  for (const graph::NodeId reader : model.consumers(id)) {
    const graph::Node node = model.node(reader);
    if (node.op_type != "GroupQueryAttention") continue;
    constexpr std::size_t kLast = 5, kTotal = 6;
    if (node.inputs.size() > kLast && node.inputs[kLast] == id) return RunMeaning::kLastPlace;
    if (node.inputs.size() > kTotal && node.inputs[kTotal] == id) return RunMeaning::kTotalLength;
  }
  return std::nullopt;
}

/// The value that the user gives, in its file's shape.
Result<InputPort> given_port(const Value& input, const std::string& source,
                             const GivenInputs& given) {
  InputPort out{.name = std::string(input.name),
                .type = input.declared->elem_type,
                .means = RunMeaning::kGiven,
                .dims = {}};
  const std::optional<std::size_t> rank =
      has_shape(input) ? std::optional(input_shape(input).size()) : std::nullopt;
  auto dims = TRY(runtime::array_shape(source, rank));
  if (!dims && has_shape(input)) {
    dims.emplace();
    for (std::size_t i = 0; i < *rank; ++i) {
      if (!is_fixed(input, i) && i > 0)
        return input_error("RIDGE-WB-0230",
                           fmt::format("the value of the input '{}', {}, fits several shapes",
                                       printable(out.name), shape_text(input)))
            .hint(fmt::format("state its shape by brackets, --input '{0}=[[1,2]]', or give a file: "
                              "--input {0}=FILE.npy",
                              printable(out.name)));
      dims->push_back(is_fixed(input, i) ? input_shape(input)[i].value : given.batch);
    }
  }
  if (dims) out.dims = *std::move(dims);
  runtime::InputSpec spec{.name = out.name, .type = out.type, .dims = out.dims, .bound = {}};
  spec.file = source;
  const std::vector<std::byte> bytes =
      TRY_IN(fmt::format("input '{}'", printable(out.name)), runtime::tensor_bytes(spec));
  out.elements.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return out;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool has_shape(const Value& value) {
  return value.declared != nullptr && value.declared->kind == onnx::TypeKind::kTensor &&
         value.declared->has_shape;
}

std::vector<const Value*> free_inputs(const Model& model) {
  std::vector<const Value*> out;
  for (const graph::ValueId id : model.main().inputs)
    if (model.value(id).tensor == nullptr) out.push_back(&model.value(id));
  return out;
}

std::string shape_text(const Value& input) {
  if (input.declared == nullptr || input.declared->kind != onnx::TypeKind::kTensor)
    return "no tensor";
  std::string out(onnx::name(input.declared->elem_type));
  if (!input.declared->has_shape) return out + " of no stated shape";
  std::vector<std::string> sizes;
  for (const onnx::Dimension& d : input.declared->shape)
    sizes.push_back(d.value >= 0      ? fmt::format("{}", d.value)
                    : d.param.empty() ? "?"
                                      : printable(d.param));
  return fmt::format("{} [{}]", out, fmt::join(sizes, ", "));
}

Result<std::optional<InputPort>> input_port(const Model& model, const Value& input,
                                            const GivenInputs& given) {
  const auto source = given.sources.find(std::string(input.name));
  if (source != given.sources.end())
    return std::optional(TRY(given_port(input, source->second, given)));
  if (!has_shape(input)) return std::optional<InputPort>();
  InputPort out{.name = std::string(input.name), .type = input.declared->elem_type, .dims = {}};
  std::optional<RunMeaning> means = by_readers(model, input);
  const std::string name = lower(input.name);
  for (const Known& known : kKnown) {
    // The first row counts, so longer words come first: "position_ids" contains "ids" too, and
    // "encoder_attention_mask" contains "mask".
    if (means) break;
    if (!contains(name, known.word) || !fits(known.elements, out.type)) continue;
    means = known.means;
    out.in_place = known.in_place;
  }
  if (!means) return std::optional<InputPort>();
  out.means = *means;
  std::optional<std::vector<std::int64_t>> dims = axes_of(input, *means, given);
  if (!dims) return std::optional<InputPort>();
  out.dims = *std::move(dims);
  return std::optional(std::move(out));
}

Result<std::int64_t> encoder_tokens(const Model& model, const GivenInputs& given) {
  for (const Value* input : free_inputs(model)) {
    const auto source = given.sources.find(std::string(input->name));
    if (source == given.sources.end() || !contains(lower(input->name), "encoder") ||
        !has_shape(*input) || input_shape(*input).size() != 3)
      continue;
    const auto dims = TRY(runtime::array_shape(source->second, 3));
    if (dims && dims->size() == 3) return (*dims)[1];
  }
  return std::int64_t{0};
}

}  // namespace ridge::generation
