// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/checked.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;

constexpr std::size_t kMaxHeader = std::size_t{64} << 10;
constexpr std::size_t kMaxRank = 64;

Error malformed(std::string message) {
  return input_error("RIDGE-RT-0040", "not a usable .npy file: " + std::move(message))
      .hint("write it with numpy.save(path, array)");
}

struct TypeCode {
  std::string_view code;
  DataType type;
};
constexpr std::array<TypeCode, 12> kTypes = {{{"f4", DataType::kFloat},
                                              {"f8", DataType::kDouble},
                                              {"f2", DataType::kFloat16},
                                              {"i1", DataType::kInt8},
                                              {"i2", DataType::kInt16},
                                              {"i4", DataType::kInt32},
                                              {"i8", DataType::kInt64},
                                              {"u1", DataType::kUint8},
                                              {"u2", DataType::kUint16},
                                              {"u4", DataType::kUint32},
                                              {"u8", DataType::kUint64},
                                              {"b1", DataType::kBool}}};

/// Parser over the dictionary's text. Every step skips preceding blanks.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : left_(text) {}

  bool take(char wanted) {
    skip_blanks();
    if (left_.empty() || left_[0] != wanted) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  /// Reads a text in either kind of quotes, without escapes.
  std::optional<std::string_view> take_string() {
    skip_blanks();
    if (left_.empty() || (left_[0] != '\'' && left_[0] != '"')) return std::nullopt;
    const std::size_t end = left_.find(left_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = left_.substr(1, end - 1);
    left_.remove_prefix(end + 1);
    return text;
  }
  std::optional<std::int64_t> take_number() {
    skip_blanks();
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(left_.data(), left_.data() + left_.size(), value);
    if (failed != std::errc{} || value < 0) return std::nullopt;
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return value;
  }
  bool at_end() {
    skip_blanks();
    return left_.empty();
  }

 private:
  void skip_blanks() {
    while (!left_.empty() && (left_[0] == ' ' || left_[0] == '\n')) left_.remove_prefix(1);
  }
  std::string_view left_;
};

Result<DataType> type_of(std::string_view descr) {
  const std::string_view code = descr.empty() ? descr : descr.substr(1);
  for (const TypeCode& known : kTypes) {
    if (known.code != code) continue;
    const bool one_byte = code[1] == '1';
    if (descr[0] == '<' || descr[0] == '=' || (one_byte && descr[0] == '|')) return known.type;
    if (descr[0] == '>') return malformed(fmt::format("type '{}' is big-endian", descr));
  }
  return malformed(fmt::format("type '{}' is not a plain number", descr));
}

Result<std::vector<std::int64_t>> parse_shape(Cursor& in) {
  std::vector<std::int64_t> dims;
  if (!in.take('(')) return malformed("its shape is not a tuple");
  while (!in.take(')')) {
    const std::optional<std::int64_t> dim = in.take_number();
    if (!dim || dims.size() == kMaxRank) return malformed("its shape has no usable dimensions");
    dims.push_back(*dim);
    if (in.take(',')) continue;
    if (in.take(')')) break;
    return malformed("its shape is not a tuple");
  }
  return dims;
}

/// Size of magic, version and length field, and size of the dictionary after them.
struct Preamble {
  std::size_t size = 0, dictionary = 0;
};

Result<Preamble> parse_preamble(std::span<const unsigned char> start) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  if (start.size() < 10 || !text.starts_with(kMagic)) return malformed("its magic number is wrong");
  const unsigned major = start[6];
  if (major < 1 || major > 3) return malformed(fmt::format("its version is {}", major));
  Preamble preamble{10, start[8] | std::size_t{start[9]} << 8};
  if (major > 1) {
    if (start.size() < 12) return malformed("the file ends within its header");
    preamble.size = 12;
    preamble.dictionary |= std::size_t{start[10]} << 16 | std::size_t{start[11]} << 24;
  }
  if (preamble.dictionary > kMaxHeader) {
    return malformed(fmt::format("its header claims {} bytes", preamble.dictionary));
  }
  return preamble;
}

}  // namespace

bool npy_holds(DataType type) {
  return std::ranges::any_of(kTypes, [&](const TypeCode& known) { return known.type == type; });
}

Result<NpyHeader> parse_npy_dictionary(std::string_view text) {
  Cursor in(text);
  std::optional<DataType> type;
  std::optional<std::vector<std::int64_t>> dims;
  if (!in.take('{')) return malformed("its header is not a dictionary");
  while (!in.take('}')) {
    const std::optional<std::string_view> key = in.take_string();
    if (!key || !in.take(':')) return malformed("its header is not a dictionary");
    if (*key == "descr") {
      const std::optional<std::string_view> descr = in.take_string();
      if (!descr) return malformed("its elements are records, not numbers");
      type = TRY(type_of(*descr));
    } else if (*key == "fortran_order") {
      if (in.take_word("True")) {
        return malformed("it is in Fortran order").hint("save numpy.ascontiguousarray(array)");
      }
      if (!in.take_word("False")) return malformed("its order is neither True nor False");
    } else if (*key == "shape") {
      dims = TRY(parse_shape(in));
    } else {
      return malformed(fmt::format("its header has an unknown key '{}'", *key));
    }
    if (!in.take(',') && !in.take('}')) return malformed("its header is not a dictionary");
    if (in.at_end()) break;
  }
  if (!type || !dims) return malformed("its header lacks a type or shape");
  return NpyHeader{*type, std::move(*dims)};
}

std::string npy_preamble(const NpyHeader& header) {
  constexpr std::size_t kBefore = 10, kAlignment = 64;
  std::string shape;
  for (const std::int64_t dim : header.dims) shape += fmt::format("{}, ", dim);
  const auto code = std::ranges::find(kTypes, header.type, &TypeCode::type)->code;
  std::string dictionary =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                  code[1] == '1' ? '|' : '<', code, shape);
  // NumPy pads with blanks and one '\n' to a multiple of 64 (numpy.lib.format). Example: 53 bytes
  // of dictionary and the 10 before them need 64 with the '\n'; 54 bytes need 128.
  const std::size_t whole = (kBefore + dictionary.size() + kAlignment) / kAlignment * kAlignment;
  dictionary.resize(whole - kBefore - 1, ' ');
  dictionary += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dictionary.size() & 0xff);
  out += static_cast<char>(dictionary.size() >> 8);
  return out + dictionary;
}

Result<Npy> Npy::open(const std::string& path) { return of(TRY(File::open(path))); }

Result<Npy> Npy::of(File file) {
  const auto in_file = [&](Error error) { return std::move(error).in_file(file.path()); };
  std::vector<unsigned char> start(
      static_cast<std::size_t>(std::min<std::int64_t>(file.size(), 12)));
  TRY(file.read_at(0, std::as_writable_bytes(std::span(start))));
  const Result<Preamble> preamble = parse_preamble(start);
  if (!preamble) return in_file(preamble.error());
  const auto offset = static_cast<std::int64_t>(preamble->size + preamble->dictionary);
  if (offset > file.size()) return in_file(malformed("the file ends within its header"));

  std::string dictionary(preamble->dictionary, '\0');
  TRY(file.read_at(static_cast<std::int64_t>(preamble->size),
                   std::as_writable_bytes(std::span(dictionary))));
  Result<NpyHeader> header = parse_npy_dictionary(dictionary);
  if (!header) return in_file(header.error());
  std::optional<std::int64_t> elements = 1;
  for (const std::int64_t dim : header->dims) {
    if (elements) elements = checked_mul(*elements, dim);
  }
  const auto bytes = elements ? onnx::storage_bytes(header->type, *elements) : std::nullopt;
  if (!bytes || *bytes != file.size() - offset) {
    return in_file(malformed(fmt::format("{} bytes follow its header, its shape needs {}",
                                         file.size() - offset,
                                         bytes ? fmt::format("{}", *bytes) : "more than 2^63")));
  }
  return Npy{std::move(file), std::move(*header), offset, *bytes};
}

}  // namespace ridge::runtime
