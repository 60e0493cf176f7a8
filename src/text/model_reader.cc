// SPDX-License-Identifier: Apache-2.0
#include "text/model_reader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/json_fields.h"

namespace ridge::text {
namespace {

constexpr std::string_view kBefore = "pre_tokenizer";
constexpr std::size_t kMostTokensOfFile = 4'000'000, kMostMerges = 4'000'000;

Error too_large(const std::string& place, std::size_t count, std::size_t limit) {
  return beyond_bounds(place, fmt::format("{} entries, the limit is {}", count, limit));
}

Result<Vocabulary> read_vocabulary(JsonFields& model) {
  const json* vocabulary = model.find("vocab");
  const std::string place = model.place_of("vocab");
  if (vocabulary == nullptr || !vocabulary->is_object())
    return malformed(place, "an object of tokens and numbers is expected");
  if (vocabulary->size() > kMostTokensOfFile)
    return too_large(place, vocabulary->size(), kMostTokensOfFile);
  std::vector<Token> tokens;
  for (const auto& [token, id] : vocabulary->items())
    tokens.push_back({token, TRY(token_at(id, place))});
  return Vocabulary(std::move(tokens));
}

/// Name of the kind of pre-tokenizer; "" for none.
Result<std::string> kind_before(const json* before) {
  if (before == nullptr) return std::string();
  JsonFields fields = TRY(JsonFields::of(*before, std::string(kBefore)));
  return fields.text("type", "");
}

Error wrong_before(const std::string& kind, std::string_view model, std::string_view with) {
  return unsupported(std::string(kBefore),
                     kind.empty() ? fmt::format("a model {} without a pre-tokenizer", model)
                                  : fmt::format("the pre-tokenizer '{}' before {}", kind, model),
                     fmt::format("{} with {}", model, with));
}

Result<WordModel> read_words(JsonFields& model, const json* before) {
  constexpr std::string_view kWith = "BertPreTokenizer";
  const std::string kind = TRY(kind_before(before));
  if (kind != kWith) return wrong_before(kind, "WordPiece", kWith);
  JsonFields own = TRY(JsonFields::of(*before, std::string(kBefore)));
  own.find("type");
  TRY(own.finish());
  WordModel out;
  out.pieces.vocabulary = TRY(read_vocabulary(model));
  out.pieces.prefix = TRY(model.text("continuing_subword_prefix", "##"));
  out.pieces.longest_word =
      static_cast<int>(TRY(model.whole("max_input_chars_per_word", 1, kLongestWord, 100)));
  const std::string unknown = TRY(model.text("unk_token", "[UNK]"));
  const auto id = out.pieces.vocabulary.find(unknown);
  if (!id) return malformed(model.place_of("unk_token"), "it is no token of the vocabulary");
  out.pieces.unknown = *id;
  return out;
}

Result<std::pair<std::string, std::string>> read_merge(const json& merge,
                                                       const std::string& place) {
  if (merge.is_array() && merge.size() == 2)
    return std::pair(TRY(text_at(merge[0], place)), TRY(text_at(merge[1], place)));
  if (merge.is_string()) {
    const auto& text = merge.get_ref<const std::string&>();
    const std::size_t blank = text.find(' ');
    if (blank != std::string::npos && text.find(' ', blank + 1) == std::string::npos)
      return std::pair(text.substr(0, blank), text.substr(blank + 1));
  }
  return malformed(place, "a merge is a pair of tokens, or both with a blank between them");
}

/// Refuses settings that change what is merged.
Result<void> check_plain(JsonFields& model) {
  if (model.find("dropout") != nullptr)
    return unsupported(model.place_of("dropout"), "dropout", "merges that are always the same");
  if (TRY(model.truth("byte_fallback", false)))
    return unsupported(model.place_of("byte_fallback"), "a fall-back to bytes",
                       "models of bytes (ByteLevel)");
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (!TRY(model.text(key, "")).empty())
      return unsupported(model.place_of(key), "a mark within words", "models of bytes (ByteLevel)");
  return {};
}

Result<ByteModel> read_bytes(JsonFields& model, const json* before) {
  constexpr std::string_view kWith = "ByteLevel";
  const std::string kind = TRY(kind_before(before));
  if (kind != kWith) return wrong_before(kind, "BPE", kWith);
  ByteLevel level;
  JsonFields own = TRY(JsonFields::of(*before, std::string(kBefore)));
  own.find("type");
  level.prefix_space = TRY(own.truth("add_prefix_space", true));
  level.split = TRY(own.truth("use_regex", true));
  TRY(own.truth("trim_offsets", true));  // of places in the text, which nobody asks for
  TRY(own.finish());
  TRY(check_plain(model));
  BytePairs::Parts parts;
  parts.vocabulary = TRY(read_vocabulary(model));
  parts.fuse_unknown = TRY(model.truth("fuse_unk", false));
  parts.whole_pieces = TRY(model.truth("ignore_merges", false));
  if (const std::string unknown = TRY(model.text("unk_token", "")); !unknown.empty()) {
    parts.unknown = parts.vocabulary.find(unknown);
    if (!parts.unknown)
      return malformed(model.place_of("unk_token"), "it is no token of the vocabulary");
  }
  const auto merges = TRY(model.items("merges"));
  const std::string place = model.place_of("merges");
  if (merges.size() > kMostMerges) return too_large(place, merges.size(), kMostMerges);
  for (const json* merge : merges) parts.merges.push_back(TRY(read_merge(*merge, place)));
  return ByteModel{level, TRY_IN(place, BytePairs::make(std::move(parts)))};
}

/// Older files state no kind; their members tell it, as tokenizers itself takes them.
Result<std::string> kind_of_model(JsonFields& model) {
  std::string kind = TRY(model.text("type", ""));
  if (kind.empty() && model.find("merges") != nullptr) kind = "BPE";
  if (kind.empty() && model.find("max_input_chars_per_word") != nullptr) kind = "WordPiece";
  return kind;
}

}  // namespace

Result<std::variant<WordModel, ByteModel>> read_model(const json& model, const json* before) {
  JsonFields fields = TRY(JsonFields::of(model, "model"));
  const std::string kind = TRY(kind_of_model(fields));
  std::variant<WordModel, ByteModel> out;
  if (kind == "WordPiece")
    out = TRY(read_words(fields, before));
  else if (kind == "BPE")
    out = TRY(read_bytes(fields, before));
  else
    return unsupported("model", fmt::format("the model '{}'", kind), "WordPiece, BPE");
  TRY(fields.finish());
  return out;
}

}  // namespace ridge::text
