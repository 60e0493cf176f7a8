// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/checked.h"
#include "base/recipe.h"
#include "onnx/half.h"
#include "onnx/reader.h"
#include "onnx/weights.h"
#include "profile/summary.h"
#include "runtime/inputs/doubles.h"
#include "runtime/inputs/literal.h"
#include "runtime/inputs/npy.h"
#include "stats/random.h"

namespace ridge::runtime {
namespace {

constexpr std::int64_t kInputAlignment = 64;
// a uniform number in ±sqrt(3) has standard deviation 1
constexpr float kUnitDeviation = 1.7320508F;
constexpr std::int64_t kDefaultBound = 2;  // suits masks and segment ids

Error too_large(onnx::DataType type, std::span<const std::int64_t> dims) {
  return input_error("RIDGE-RT-0041", fmt::format("an array of {} with shape [{}] cannot be made",
                                                  onnx::name(type), fmt::join(dims, ", ")))
      .hint("choose smaller sizes with --bind or --shape");
}

Result<std::int64_t> elements_of(onnx::DataType type, std::span<const std::int64_t> dims) {
  std::optional<std::int64_t> elements = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return bug("an input has an open dimension", "Inputs::make");
    if (elements) elements = checked_mul(*elements, dim);
  }
  if (!elements) return too_large(type, dims);
  return *elements;
}

/// Storage of a seeded or stored tensor. A seeded text is one digit, so that it can be cast to a
/// number.
Result<std::int64_t> bytes_of(onnx::DataType type, std::span<const std::int64_t> dims) {
  const std::int64_t elements = TRY(elements_of(type, dims));
  const auto bytes =
      type == onnx::DataType::kString
          ? checked_mul(elements, static_cast<std::int64_t>(sizeof(std::int64_t)) + 1)
          : onnx::storage_bytes(type, elements);
  if (!bytes) return too_large(type, dims);
  return *bytes;
}

/// Number of different values of an integer type from 0 on.
std::int64_t range_of(int bits, bool is_signed) {
  const int usable = is_signed ? bits - 1 : bits;
  return usable >= 63 ? std::numeric_limits<std::int64_t>::max() : std::int64_t{1} << usable;
}

bool is_signed_integer(onnx::DataType type) {
  using onnx::DataType;
  return type == DataType::kInt8 || type == DataType::kInt16 || type == DataType::kInt32 ||
         type == DataType::kInt64;
}

void fill_integers(std::uint64_t seed, std::int64_t bound, std::size_t width,
                   std::span<std::byte> out) {
  stats::Random random(seed);
  const auto n = static_cast<std::uint64_t>(bound);
  for (std::size_t at = 0; at < out.size(); at += width) {
    const std::uint64_t value = bound <= (std::int64_t{1} << 31)
                                    ? random.below(static_cast<std::size_t>(n))
                                    : random.next() % n;
    std::memcpy(&out[at], &value, width);  // little-endian: the low bytes are the value
  }
}

/// Bits of a whole number in a type; nullopt for types that fill_known() does not write.
std::optional<std::uint64_t> bits_of(std::int64_t value, onnx::DataType type) {
  const auto real = static_cast<float>(value);
  switch (type) {
    case onnx::DataType::kFloat:
      return std::bit_cast<std::uint32_t>(real);
    case onnx::DataType::kDouble:
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    case onnx::DataType::kFloat16:
      return onnx::float16_of(real);
    case onnx::DataType::kBfloat16:
      return onnx::bfloat16_of(real);
    default:
      break;
  }
  const onnx::DataTypeInfo* info = onnx::info(type);
  const bool whole = info != nullptr && (info->integer || type == onnx::DataType::kBool);
  return whole ? std::optional(static_cast<std::uint64_t>(value)) : std::nullopt;
}

/// Writes the elements of spec.fill; false if the type cannot hold them.
bool fill_known(const InputSpec& spec, const onnx::DataTypeInfo& type, std::span<std::byte> out) {
  if (!spec.fill || type.bits < 8 || !bits_of(0, spec.type)) return false;
  const std::size_t width = static_cast<std::size_t>(type.bits) / 8;
  const auto row =
      static_cast<std::size_t>(spec.dims.empty() ? 1 : std::max<std::int64_t>(1, spec.dims.back()));
  for (std::size_t i = 0; i < out.size() / width; ++i) {
    const std::int64_t value =
        spec.fill->first + spec.fill->step * static_cast<std::int64_t>(i % row);
    const std::uint64_t bits = *bits_of(value, spec.type);
    std::memcpy(&out[i * width], &bits, width);  // little-endian
  }
  return true;
}

/// One line on the inputs whose meaning is known, each once.
void add_known(const std::vector<InputSpec>& specs, std::vector<std::string>& notes) {
  std::vector<std::string> known;
  for (const InputSpec& spec : specs)
    if (!spec.known.empty() && spec.file.empty() &&
        std::ranges::find(known, spec.known) == known.end())
      known.push_back(spec.known);
  if (!known.empty())
    notes.push_back(fmt::format("{}{}", profile::kInputsNote, fmt::join(known, "; ")));
}

void fill_text(std::uint64_t seed, std::span<std::byte> out) {
  stats::Random random(seed);
  const std::size_t elements = out.size() / (sizeof(std::int64_t) + 1);
  for (std::size_t i = 0; i < elements; ++i) {
    const auto end = static_cast<std::int64_t>(i + 1);
    std::memcpy(&out[i * sizeof(end)], &end, sizeof(end));
    out[elements * sizeof(end) + i] = static_cast<std::byte>('0' + random.below(10));
  }
}

/// Fills elements of less than a byte with any bits; 8-bit floats with codes below the code of 1,
/// which are not NaN in any format.
void fill_narrow(const onnx::DataTypeInfo& type, std::uint64_t seed, std::span<std::byte> out) {
  constexpr std::size_t kBelowOne = 0x38, kAll = 0x100;
  stats::Random random(seed);
  for (std::byte& byte : out)
    byte = static_cast<std::byte>(random.below(type.bits == 8 ? kBelowOne : kAll));
}

bool is_protobuf(std::string_view file) { return file.ends_with(".pb"); }

/// Line of Python that converts the array to the input's type.
std::string conversion(const InputSpec& spec) {
  const std::string_view type = onnx::name(spec.type);
  if (is_protobuf(spec.file) || !npy_holds(spec.type))
    return fmt::format("write it as a .pb, a TensorProto of {}", type);
  return fmt::format("convert it: numpy.save(\"{0}\", numpy.load(\"{0}\").astype(\"{1}\"))",
                     spec.file, type);
}

Error does_not_fit(const InputSpec& spec, onnx::DataType type, std::span<const std::int64_t> dims) {
  const bool fits = type == spec.type || narrows(type, spec.type);
  return input_error(
             "RIDGE-RT-0042",
             fmt::format("contains {} [{}], but the input is {} [{}]", onnx::name(type),
                         fmt::join(dims, ", "), onnx::name(spec.type), fmt::join(spec.dims, ", ")))
      .hint(fits ? "reshape the array, or choose the input's sizes with --shape" : conversion(spec))
      .in_file(spec.file);
}

/// Reads in pieces, so that the array need not fit into memory next to the input.
Result<void> read_doubles(const Npy& array, onnx::DataType to, std::span<std::byte> out) {
  constexpr std::size_t kPiece = std::size_t{1} << 20, kDouble = sizeof(double);
  const std::size_t elements = static_cast<std::size_t>(array.bytes) / kDouble;
  const std::size_t width = elements == 0 ? 0 : out.size() / elements;
  std::vector<std::byte> piece;
  for (std::size_t at = 0; at < elements; at += piece.size() / kDouble) {
    piece.resize(std::min(kPiece, (elements - at) * kDouble));
    TRY(array.file.read_at(array.offset + static_cast<std::int64_t>(at * kDouble), piece));
    narrow_doubles(piece, to, out.subspan(at * width));
  }
  return {};
}

/// Returns the element type in the file.
Result<onnx::DataType> read_array(const InputSpec& spec, std::span<std::byte> out) {
  const Npy array = TRY(Npy::open(spec.file));
  const bool narrowed = narrows(array.header.type, spec.type);
  if ((array.header.type != spec.type && !narrowed) || array.header.dims != spec.dims)
    return does_not_fit(spec, array.header.type, array.header.dims);
  if (narrowed)
    TRY(read_doubles(array, spec.type, out));
  else
    TRY(array.file.read_at(array.offset, out));
  return array.header.type;
}

/// Writes the elements that stand in `spec.file` itself.
Result<void> put_literal(const Literal& literal, const InputSpec& spec, std::span<std::byte> out) {
  if (literal.fits(spec.dims)) return write_literal(literal, spec.type, out);
  const std::string has =
      literal.dims ? fmt::format("an array of shape [{}]", fmt::join(*literal.dims, ", "))
                   : fmt::format("{} elements", literal.elements.size());
  return input_error("RIDGE-RT-0042",
                     fmt::format("{} given, but the input is {} [{}]", has, onnx::name(spec.type),
                                 fmt::join(spec.dims, ", ")))
      .hint(
          "give one number for all elements, or as many as there are, or choose the input's sizes "
          "with --shape");
}

/// Reads the .pb of an input; nullopt for a seeded input, a .npy or elements written out.
Result<std::optional<onnx::StoredValue>> stored(const InputSpec& spec) {
  if (spec.file.empty() && !spec.around.empty())
    return input_error("RIDGE-RT-0044", "it is a sequence or optional and needs a file")
        .hint(fmt::format("give it with --input {}=FILE.pb, a SequenceProto or OptionalProto",
                          spec.name));
  if (!is_protobuf(spec.file)) {
    if (spec.file.empty() || spec.around.empty()) return std::optional<onnx::StoredValue>();
    const bool literal = TRY(parse_literal(spec.file)).has_value();
    Error wrong = input_error("RIDGE-RT-0044",
                              fmt::format("it is a sequence or optional, which {} cannot contain",
                                          literal ? "a number" : "a .npy"))
                      .hint(
                          "write it with onnx.numpy_helper.from_list(...).SerializeToString() as "
                          "a .pb");
    return literal ? std::move(wrong) : std::move(wrong).in_file(spec.file);
  }
  std::vector<onnx::TypeKind> kinds = spec.around;
  kinds.push_back(onnx::TypeKind::kTensor);
  return std::optional(TRY(onnx::read_value(spec.file, kinds)));
}

/// Assigns every tensor a place in the memory.
class Layout {
 public:
  std::optional<std::int64_t> bytes() const { return total_; }

  Result<InputTensor> place(const InputSpec& spec) {
    return placed(spec.name, spec.type, spec.dims, TRY(bytes_of(spec.type, spec.dims)));
  }

  /// `depth`: number of entries of spec.around that enclose the value.
  Result<InputTensor> place(const InputSpec& spec, const onnx::Value& value, std::size_t depth) {
    if (value.tensor != nullptr) return place_tensor(spec, *value.tensor);
    if (value.kind == onnx::TypeKind::kOptional) {
      if (!value.members.empty()) return place(spec, value.members[0], depth + 1);
      const bool sequence = depth + 1 < spec.around.size();
      InputTensor absent{.name = spec.name, .type = spec.type};
      absent.kind = sequence ? RIDGE_ABSENT_SEQUENCE : RIDGE_ABSENT;
      return absent;
    }
    InputTensor sequence{.name = spec.name, .type = spec.type};
    sequence.kind = RIDGE_SEQUENCE;
    for (const onnx::Value& member : value.members)
      sequence.members.push_back(TRY(place(spec, member, depth + 1)));
    return sequence;
  }

 private:
  Result<InputTensor> place_tensor(const InputSpec& spec, const onnx::Tensor& tensor) {
    const std::vector<std::int64_t> dims(tensor.dims.begin(), tensor.dims.end());
    const bool usable = tensor.type == spec.type || narrows(tensor.type, spec.type);
    if (!usable || (spec.around.empty() && dims != spec.dims))
      return does_not_fit(spec, tensor.type, dims);
    std::int64_t bytes = TRY(bytes_of(spec.type, dims));
    if (tensor.type == onnx::DataType::kString) {
      bytes = tensor.elements * static_cast<std::int64_t>(sizeof(std::int64_t));
      for (const std::string_view text : tensor.strings)
        bytes += static_cast<std::int64_t>(text.size());
    }
    return placed(spec.name, spec.type, dims, bytes);
  }

  InputTensor placed(const std::string& name, onnx::DataType type,
                     const std::vector<std::int64_t>& dims, std::int64_t bytes) {
    InputTensor tensor{name, type, dims, total_.value_or(0), bytes};
    if (total_) total_ = checked_add(*total_, bytes);
    if (total_)
      total_ =
          checked_add(*total_, (kInputAlignment - *total_ % kInputAlignment) % kInputAlignment);
    return tensor;
  }

  std::optional<std::int64_t> total_ = 0;
};

std::span<std::byte> part(const InputTensor& tensor, std::span<std::byte> memory) {
  return memory.subspan(static_cast<std::size_t>(tensor.offset),
                        static_cast<std::size_t>(tensor.bytes));
}

void copy_text(const onnx::Tensor& tensor, std::span<std::byte> out) {
  std::int64_t end = 0;
  std::size_t at = tensor.strings.size() * sizeof(end);
  for (std::size_t i = 0; i < tensor.strings.size(); ++i) {
    const std::string_view text = tensor.strings[i];
    if (!text.empty()) std::memcpy(&out[at], text.data(), text.size());
    at += text.size();
    end += static_cast<std::int64_t>(text.size());
    std::memcpy(&out[i * sizeof(end)], &end, sizeof(end));
  }
}

/// Element type of the tensors inside, which all have the same; nullopt if there are none.
std::optional<onnx::DataType> held_type(const onnx::Value& value) {
  if (value.tensor != nullptr) return value.tensor->type;
  for (const onnx::Value& member : value.members)
    if (const auto type = held_type(member)) return type;
  return std::nullopt;
}

Result<void> copy_stored(const onnx::StoredValue& file, const onnx::Value& value,
                         const InputTensor& to, std::span<std::byte> memory) {
  if (value.tensor == nullptr) {
    // An optional with a value has the place of that value.
    const bool sequence = value.kind == onnx::TypeKind::kSequence;
    for (std::size_t i = 0; i < value.members.size(); ++i)
      TRY(copy_stored(file, value.members[i], sequence ? to.members[i] : to, memory));
    return {};
  }
  const std::span<std::byte> out = part(to, memory);
  if (to.type == onnx::DataType::kString) {
    copy_text(*value.tensor, out);
    return {};
  }
  if (out.empty()) return {};
  const bool narrowed = narrows(value.tensor->type, to.type);
  const std::int64_t stored = narrowed ? TRY(bytes_of(value.tensor->type, to.dims)) : to.bytes;
  const std::vector<std::byte> bytes = TRY(onnx::load(file.document, *value.tensor, stored));
  if (narrowed)
    narrow_doubles(bytes, to.type, out);
  else
    std::copy(bytes.begin(), bytes.end(), out.begin());
  return {};
}

/// Returns the element type of the source.
Result<onnx::DataType> put_input(const InputSpec& spec,
                                 const std::optional<onnx::StoredValue>& stored,
                                 const InputTensor& to, std::span<std::byte> memory) {
  if (stored) {
    TRY(copy_stored(*stored, stored->value, to, memory));
    return held_type(stored->value).value_or(spec.type);
  }
  const std::optional<Literal> literal = TRY(parse_literal(spec.file));
  if (literal)
    TRY(put_literal(*literal, spec, part(to, memory)));
  else if (!spec.file.empty())
    return read_array(spec, part(to, memory));
  else
    TRY(fill_input(spec, part(to, memory)));
  return spec.type;
}

}  // namespace

Result<std::optional<std::vector<std::int64_t>>> array_shape(const std::string& file,
                                                             std::optional<std::size_t> rank) {
  using Dims = std::vector<std::int64_t>;
  if (const std::optional<Literal> literal = TRY(parse_literal(file))) return literal->shape(rank);
  if (!is_protobuf(file)) return std::optional<Dims>(TRY(Npy::open(file)).header.dims);
  constexpr std::array kTensor = {onnx::TypeKind::kTensor};
  const onnx::StoredValue stored = TRY(onnx::read_value(file, kTensor));
  return std::optional<Dims>(std::in_place, stored.value.tensor->dims.begin(),
                             stored.value.tensor->dims.end());
}

Result<std::optional<InputElements>> input_elements(const std::string& file, onnx::DataType type,
                                                    std::optional<std::size_t> rank,
                                                    std::int64_t most) {
  InputElements out{.dims = TRY(array_shape(file, rank)), .bytes = {}};
  InputSpec spec{.type = type, .file = file};
  if (out.dims)
    spec.dims = *out.dims;
  else if (const auto literal = TRY(parse_literal(file)); literal->elements.size() > 1)
    spec.dims = {static_cast<std::int64_t>(literal->elements.size())};
  if (TRY(elements_of(type, spec.dims)) > most) return std::optional<InputElements>();
  const std::optional<onnx::StoredValue> read = TRY(stored(spec));
  Layout layout;
  const InputTensor place =
      read ? TRY(layout.place(spec, read->value, 0)) : TRY(layout.place(spec));
  out.bytes.resize(static_cast<std::size_t>(place.bytes));
  TRY(put_input(spec, read, place, out.bytes));
  return std::optional(std::move(out));
}

Result<std::vector<std::byte>> tensor_bytes(const InputSpec& spec) {
  const std::optional<onnx::StoredValue> file = TRY(stored(spec));
  Layout layout;
  const InputTensor place =
      file ? TRY(layout.place(spec, file->value, 0)) : TRY(layout.place(spec));
  std::vector<std::byte> out(static_cast<std::size_t>(place.bytes));
  TRY(put_input(spec, file, place, out));
  return out;
}

Result<void> fill_input(const InputSpec& spec, std::span<std::byte> out) {
  const onnx::DataTypeInfo* type = onnx::info(spec.type);
  if (spec.type == onnx::DataType::kString) {
    fill_text(spec.seed, out);
    return {};
  }
  if (type != nullptr && (type->bits < 8 || (type->bits == 8 && type->floating))) {
    fill_narrow(*type, spec.seed, out);
    return {};
  }
  if (type != nullptr && fill_known(spec, *type, out)) return {};
  const bool whole = type != nullptr && (type->integer || spec.type == onnx::DataType::kBool);
  if (!whole) return onnx::generate({spec.seed, 0, kUnitDeviation}, spec.type, 0, out);
  const bool boolean = spec.type == onnx::DataType::kBool;
  const std::int64_t bound = boolean ? 2 : spec.bound.value_or(kDefaultBound);
  if (bound <= 0) return bug("an input's bound is not positive", "fill_input");
  fill_integers(spec.seed, std::min(bound, range_of(type->bits, is_signed_integer(spec.type))),
                static_cast<std::size_t>(type->bits) / 8, out);
  return {};
}

Result<Inputs> Inputs::make(const std::vector<InputSpec>& specs) {
  Inputs inputs;
  Layout layout;
  std::vector<std::optional<onnx::StoredValue>> files;
  for (const InputSpec& spec : specs) {
    const std::string place = fmt::format("input '{}'", spec.name);
    files.push_back(TRY_IN(place, stored(spec)));
    inputs.tensors.push_back(TRY_IN(
        place, files.back() ? layout.place(spec, files.back()->value, 0) : layout.place(spec)));
  }
  if (!layout.bytes()) {
    return input_error("RIDGE-RT-0043", "the inputs together exceed what memory can hold");
  }
  inputs.memory = TRY(ipc::SharedMemory::make(static_cast<std::size_t>(*layout.bytes())));
  for (std::size_t i = 0; i < specs.size(); ++i) {
    InputSpec spec = specs[i];
    spec.seed += i;  // identical inputs would hide errors in their order
    const onnx::DataType held =
        TRY_IN(fmt::format("input '{}'", spec.name),
               put_input(spec, files[i], inputs.tensors[i], inputs.memory.bytes()));
    if (held != spec.type)
      inputs.notes.push_back(fmt::format("{}{}': {} of {} converted to {}", profile::kInputNote,
                                         spec.name, onnx::name(held), spec.file,
                                         onnx::name(spec.type)));
  }
  add_known(specs, inputs.notes);
  return inputs;
}

}  // namespace ridge::runtime
