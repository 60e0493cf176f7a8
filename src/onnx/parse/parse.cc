// SPDX-License-Identifier: Apache-2.0
#include "onnx/parse/parse.h"

#include <fmt/format.h>

#include "base/checked.h"
#include "base/hash/hash.h"

namespace ridge::onnx {
namespace {

/// Exporters write names of a few hundred bytes; a longer one indicates an attack or damage.
constexpr std::int64_t kLongestName = 64 << 10;
/// Maximum nesting depth of locations in error messages.
constexpr int kPlacesShown = 3;

}  // namespace

Parser::Depth::Depth(Parser& parser, const char* what) : parser_(parser) {
  if (++parser.depth_ > parser.limits_.depth + 1) {
    parser.fail(input_error("RIDGE-ONNX-0106", fmt::format("{} are nested more than {} deep", what,
                                                           parser.limits_.depth))
                    .evidence(parser.in_->evidence(parser.in_->message_start(), what))
                    .hint("no exporter makes such a model; the file may be damaged or hostile"));
  }
}

std::string_view Parser::name(const Field& field) {
  if (field.length() > kLongestName) {
    fail(input_error("RIDGE-ONNX-0108", fmt::format("a name has {} bytes, the limit is {}",
                                                    field.length(), kLongestName))
             .evidence(in_->evidence(field.at, "name"))
             .hint("no exporter writes such names; the file may be damaged or hostile"));
    return {};
  }
  const std::string_view seen = in_->visible(field);
  // Exporters derive an output's name from its node's name, so both can share one text.
  if (!seen.empty() && last_name_.starts_with(seen)) return last_name_.substr(0, seen.size());
  std::string_view& slot = recent_[hash_name(seen, 0) % recent_.size()];
  if (slot == seen && !seen.empty()) return slot;
  return slot = last_name_ = text(field);
}

std::string_view Parser::domain(const Field& field) { return normal_domain(name(field)); }

std::string_view Parser::text(const Field& field) {
  const std::span<char> copy = raw_array<char>(static_cast<std::size_t>(field.length()));
  if (!copy.empty()) in_->content(field, std::as_writable_bytes(copy));
  return {copy.data(), copy.size()};
}

void Parser::packed_integers(Gathered<std::int64_t>& numbers, const Field& field) {
  const Message message(*in_, field, "packed field");
  while (in_->more()) numbers.add(static_cast<std::int64_t>(in_->varint()));
}

std::string_view Parser::gather(const Field& first, std::uint32_t occurrences) {
  // Collect the fields after `first`, and sum their sizes before allocating.
  std::vector<Field> parts = {first};
  std::uint64_t size = first.value;
  Field field;
  while (parts.size() < occurrences && in_->next(field)) {
    if (field.tag != first.tag) continue;
    parts.push_back(field);
    size += field.value;
  }
  const std::span<char> bytes = raw_array<char>(size);
  std::size_t at = 0;
  for (const Field& part : parts) {
    if (bytes.empty()) break;
    in_->content(part, std::as_writable_bytes(bytes.subspan(at, part.value)));
    at += part.value;
  }
  in_->resume_at(first.payload + first.length());
  return {bytes.data(), bytes.size()};
}

void Parser::blame(std::string_view what, std::size_t size, const Field& message,
                   proto::Tag name_tag) {
  if (depth_ > kPlacesShown) return;
  std::string place = size > 0 ? fmt::format("{} #{}", what, size - 1) : std::string(what);
  const std::string found =
      in_->find_text(message.payload, message.payload + message.length(), name_tag);
  if (!found.empty()) place += fmt::format(" '{}'", found);
  in_->add_place(place);
}

void Parser::changed_under_us() {
  fail(input_error("RIDGE-ONNX-0109", "the file changed while it was read")
           .hint("try again when the program that writes it has finished"));
}

void Parser::fail_budget(std::size_t bytes, std::size_t budget) {
  fail(input_error("RIDGE-ONNX-0107",
                   fmt::format("the model's structure needs more than {} bytes of memory", budget))
           .evidence(in_->evidence(in_->message_start(), fmt::format("{} bytes requested", bytes)))
           .hint("the file may be damaged or hostile"));
}

std::string shape_text(std::span<const std::int64_t> dims) {
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

}  // namespace ridge::onnx
