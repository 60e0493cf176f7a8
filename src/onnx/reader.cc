// SPDX-License-Identifier: Apache-2.0
#include "onnx/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "onnx/kind.h"
#include "onnx/parse/parse.h"
#include "onnx/wire.h"

namespace ridge::onnx {
namespace {

Error other_format(const ForeignFormat& format) {
  return input_error("RIDGE-ONNX-0002", fmt::format("this is {}, not an ONNX model", format.name))
      .hint(std::string(format.advice));
}

Result<void> check_kind(std::string_view head) {
  if (head.empty()) {
    return input_error("RIDGE-ONNX-0001", "the file is empty")
        .hint("the export or download failed; try it again");
  }
  if (const ForeignFormat* format = foreign_format(head); format != nullptr) {
    return other_format(*format);
  }
  return {};
}

/// Replaces the parse error by "this is text" if the file is printable throughout.
Error unreadable(std::string_view head, Error damage) {
  const ForeignFormat* text = plain_text(head);
  return text != nullptr ? other_format(*text) : std::move(damage);
}

/// Calls `read` with a parser on `in`, and converts exceptions of protozero and the allocator to
/// errors.
template <typename Read>
Result<void> parse_as(WireReader& in, Document& document, const Limits& limits, Read read) {
  try {
    Parser parser(in, document.arena, limits);
    read(parser);
  } catch (const std::bad_alloc&) {
    return environment_error("RIDGE-ONNX-0003", "out of memory while reading the file");
  } catch (const std::exception& e) {
    return bug(fmt::format("an exception got through: {}", e.what()), "onnx::parse");
  }
  if (in.failed()) return in.take_error();
  return {};
}

Result<void> parse(WireReader& in, Document& document, const Limits& limits) {
  return parse_as(in, document, limits, [&](Parser& p) { document.model = p.model(); });
}

Result<Document> open(const std::string& path, const Limits& limits) {
  auto file = std::make_shared<const File>(TRY(File::open(path)));
  std::string head(static_cast<std::size_t>(std::min<std::int64_t>(file->size(), kHeadBytes)),
                   '\0');
  TRY(file->read_at(0, std::as_writable_bytes(std::span(head))));
  TRY(check_kind(head));
  Document document;
  document.file = file;
  document.path = path;
  WireReader in(*file);
  if (Result<void> done = parse(in, document, limits); !done)
    return unreadable(head, std::move(done).error());
  return document;
}

Result<Document> copy_document(std::string_view bytes, std::string_view label,
                               const Limits& limits) {
  TRY(check_kind(bytes.substr(0, kHeadBytes)));
  Document document;
  document.path = label;
  WireReader in(bytes);
  if (Result<void> done = parse(in, document, limits); !done)
    return unreadable(bytes.substr(0, kHeadBytes), std::move(done).error());
  return document;
}

}  // namespace

Result<Document> read_file(const std::string& path, const Limits& limits) {
  auto document = open(path, limits);
  if (!document) return std::move(document).error().in_file(path);
  return document;
}

Result<StoredValue> read_value(const std::string& path, std::span<const TypeKind> kinds) {
  StoredValue out;
  out.document.file = std::make_shared<const File>(TRY(File::open(path)));
  out.document.path = path;
  WireReader in(*out.document.file);
  const Limits limits;
  Result<void> done =
      parse_as(in, out.document, limits, [&](Parser& p) { out.value = p.value(kinds); });
  if (!done) return std::move(done).error().in_file(path);
  return out;
}

Result<Document> read_bytes(std::string_view bytes, std::string_view label, const Limits& limits) {
  auto document = copy_document(bytes, label, limits);
  if (!document) return std::move(document).error().in_file(label);
  return document;
}

}  // namespace ridge::onnx
