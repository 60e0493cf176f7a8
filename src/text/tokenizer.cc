// SPDX-License-Identifier: Apache-2.0
#include "text/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "text/unicode.h"

namespace ridge::text {
namespace {

/// Tokens of padding, by the names that models give them.
constexpr std::string_view kPaddings[] = {"[PAD]", "<pad>"};

std::vector<AddedToken> with_normalized(std::vector<AddedToken> tokens,
                                        const std::optional<BertNormalizer>& normalizer) {
  if (normalizer)
    for (AddedToken& token : tokens)
      token.content = bert_normalized(std::move(token.content), *normalizer);
  return tokens;
}

void append(std::int64_t id, std::int64_t mask, std::int64_t type, Encoding& out) {
  out.ids.push_back(id);
  out.mask.push_back(mask);
  out.types.push_back(type);
}

}  // namespace

Tokenizer::Tokenizer(Parts parts)
    : parts_(std::move(parts)),
      added_(parts_.added),
      added_normalized_(with_normalized(parts_.added_normalized, parts_.normalizer)),
      framing_(static_cast<std::size_t>(std::ranges::count_if(
          parts_.frame, [](const FramePart& part) { return part.token.has_value(); }))) {}

std::optional<TokenId> Tokenizer::find(std::string_view token) const {
  for (const auto* added : {&parts_.added, &parts_.added_normalized})
    for (const AddedToken& own : *added) {
      std::string text;
      for (const char32_t c : own.content) append_utf8(c, text);
      if (text == token) return own.id;
    }
  if (const auto* words = std::get_if<WordModel>(&parts_.model))
    return words->pieces.vocabulary.find(token);
  return std::get<ByteModel>(parts_.model).pairs.find(token);
}

Result<Tokenizer::Shape> Tokenizer::shape_of(const Tokens& step) const {
  Shape out{.length = step.length, .padding = parts_.padding.value_or(Padding{})};
  if (static_cast<std::size_t>(step.length) <= framing_)
    return input_error("RIDGE-TEXT-0006",
                       fmt::format("a length of {} has no room for a token beside the {} special "
                                   "ones around each text",
                                   step.length, framing_));
  if (!step.pad.empty()) {
    const std::optional<TokenId> pad = find(step.pad);
    if (!pad)
      return input_error("RIDGE-TEXT-0005",
                         fmt::format("'{}' is no token to pad with", printable(step.pad)));
    out.padding = {.id = *pad};
    return out;
  }
  if (parts_.padding) return out;
  for (const std::string_view name : kPaddings)
    if (const std::optional<TokenId> pad = find(name)) {
      out.padding = {.id = *pad};
      return out;
    }
  return input_error("RIDGE-TEXT-0005", "the file has no token to pad with")
      .hint("name one in the step: pad=\"<|endoftext|>\"");
}

std::u32string Tokenizer::normalized(std::u32string_view text) const {
  std::u32string out(text);
  return parts_.normalizer ? bert_normalized(std::move(out), *parts_.normalizer) : out;
}

void Tokenizer::append(std::u32string_view text, std::vector<TokenId>& out) const {
  if (const auto* words = std::get_if<WordModel>(&parts_.model)) {
    for (const std::string& word : bert_words(text)) words->pieces.append(word, out);
    return;
  }
  const auto& bytes = std::get<ByteModel>(parts_.model);
  for (const std::string& piece : byte_level_pieces(text, bytes.level))
    bytes.pairs.append(piece, out);
}

std::vector<TokenId> Tokenizer::tokens_of(std::u32string_view text) const {
  std::vector<TokenId> out;
  for (const TextPart& part : added_.split(text)) {
    if (part.token) {
      out.push_back(*part.token);
      continue;
    }
    const std::u32string own = normalized(part.text);
    for (const TextPart& inner : added_normalized_.split(own))
      if (inner.token)
        out.push_back(*inner.token);
      else
        append(inner.text, out);
  }
  return out;
}

Result<Encoding> Tokenizer::encode(std::string_view text, const Shape& shape) const {
  std::vector<TokenId> tokens = tokens_of(TRY(characters(text)));
  const auto length = static_cast<std::size_t>(shape.length);
  tokens.resize(std::min(tokens.size(), length - std::min(length, framing_)));
  Encoding out;
  for (const FramePart& part : parts_.frame) {
    if (part.token) {
      text::append(*part.token, 1, part.type, out);
      continue;
    }
    for (const TokenId token : tokens) text::append(token, 1, part.type, out);
  }
  while (out.ids.size() < length) text::append(shape.padding.id, 0, shape.padding.type, out);
  return out;
}

}  // namespace ridge::text
