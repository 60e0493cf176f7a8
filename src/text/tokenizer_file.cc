// SPDX-License-Identifier: Apache-2.0
#include "text/tokenizer_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/json_fields.h"
#include "text/model_reader.h"
#include "text/unicode.h"

namespace ridge::text {
namespace {

constexpr int kDeepest = 16;
constexpr std::size_t kMostFrameParts = 64;

Result<json> parsed(std::string_view text) {
  if (std::ssize(text) > kMaxTokenizerBytes)
    return beyond_bounds(
        "", fmt::format("the file has {} bytes, the limit is {}", text.size(), kMaxTokenizerBytes));
  bool deep = false;
  json out = json::parse(
      text,
      [&](int depth, json::parse_event_t, json&) {
        deep = deep || depth > kDeepest;
        return depth <= kDeepest;
      },
      /*allow_exceptions=*/false);
  if (out.is_discarded()) return malformed("", "it is no JSON");
  if (deep) return beyond_bounds("", fmt::format("its values nest more than {} deep", kDeepest));
  return out;
}

/// Where padding is added, and long texts are cut.
Result<void> check_right(JsonFields& fields) {
  const std::string direction = TRY(fields.text("direction", "Right"));
  if (direction == "Right") return {};
  return unsupported(fields.place_of("direction"), fmt::format("the side '{}'", direction),
                     "Right");
}

Result<void> check_truncation(const json* truncation) {
  if (truncation == nullptr) return {};
  JsonFields fields = TRY(JsonFields::of(*truncation, "truncation"));
  for (const char* key : {"max_length", "stride", "strategy"}) fields.find(key);
  TRY(check_right(fields));
  return fields.finish();
}

Result<std::optional<Padding>> read_padding(const json* padding) {
  constexpr std::int64_t kMost = std::numeric_limits<TokenId>::max();
  std::optional<Padding> out;
  if (padding == nullptr) return out;
  JsonFields fields = TRY(JsonFields::of(*padding, "padding"));
  for (const char* key : {"strategy", "pad_to_multiple_of", "pad_token"}) fields.find(key);
  TRY(check_right(fields));
  out = Padding{.id = static_cast<TokenId>(TRY(fields.whole("pad_id", 0, kMost, 0))),
                .type = TRY(fields.whole("pad_type_id", 0, kMost, 0))};
  TRY(fields.finish());
  return out;
}

Result<std::optional<BertNormalizer>> read_normalizer(const json* normalizer) {
  std::optional<BertNormalizer> out;
  if (normalizer == nullptr) return out;
  JsonFields fields = TRY(JsonFields::of(*normalizer, "normalizer"));
  const std::string kind = TRY(fields.text("type", ""));
  if (kind != "BertNormalizer")
    return unsupported("normalizer", fmt::format("the normalizer '{}'", kind), "BertNormalizer");
  BertNormalizer how;
  how.clean = TRY(fields.truth("clean_text", true));
  how.chinese = TRY(fields.truth("handle_chinese_chars", true));
  how.lower = TRY(fields.truth("lowercase", true));
  how.strip_accents = TRY(fields.truth("strip_accents", how.lower));
  TRY(fields.finish());
  out = how;
  return out;
}

/// Special tokens around a text, from a post-processor.
class FrameReader {
 public:
  Result<void> add(const json& processor, const std::string& place) {
    JsonFields fields = TRY(JsonFields::of(processor, place));
    const std::string kind = TRY(fields.text("type", ""));
    if (kind == "ByteLevel") return {};  // places in the text, which nobody asks for
    if (kind == "Sequence") return add_sequence(fields);
    if (framed_) return unsupported(place, "a second processor that adds tokens", "one");
    framed_ = true;
    if (kind == "BertProcessing" || kind == "RobertaProcessing") return add_pair(fields);
    if (kind == "TemplateProcessing") return add_template(fields);
    return unsupported(place, fmt::format("the post-processor '{}'", kind),
                       "TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel");
  }

  std::vector<FramePart> frame() && { return std::move(frame_); }

 private:
  Result<void> add_sequence(JsonFields& fields) {
    const std::string place = fields.place_of("processors");
    const auto inner = TRY(fields.items("processors"));
    TRY(fields.finish());
    for (const json* processor : inner) {
      if (const auto kind = processor->find("type");
          processor->is_object() && kind != processor->end() && *kind == "Sequence")
        return unsupported(place, "a sequence in a sequence", "one");
      TRY(add(*processor, place));
    }
    return {};
  }

  /// ["[SEP]", 102]
  static Result<TokenId> token_of(JsonFields& fields, std::string_view key) {
    const auto pair = TRY(fields.items(key));
    if (pair.size() != 2) return malformed(fields.place_of(key), "a token and its number");
    return token_at(*pair[1], fields.place_of(key));
  }

  Result<void> add_pair(JsonFields& fields) {
    const TokenId begin = TRY(token_of(fields, "cls")), end = TRY(token_of(fields, "sep"));
    for (const char* key : {"trim_offsets", "add_prefix_space"}) fields.find(key);
    frame_ = {{begin, 0}, {std::nullopt, 0}, {end, 0}};
    return fields.finish();
  }

  Result<void> add_template(JsonFields& fields) {
    frame_.clear();
    fields.find("pair");  // for two texts
    const json* special = fields.find("special_tokens");
    const std::string place = fields.place_of("single");
    for (const json* item : TRY(fields.items("single"))) TRY(add_part(*item, special, place));
    TRY(fields.finish());
    const auto texts = std::ranges::count_if(frame_, [](const FramePart& p) { return !p.token; });
    if (texts != 1) return unsupported(place, fmt::format("{} texts in a template", texts), "one");
    return {};
  }

  /// {"SpecialToken": {"id": "[CLS]", "type_id": 0}} or {"Sequence": {"id": "A", "type_id": 0}}
  Result<void> add_part(const json& item, const json* special, const std::string& place) {
    if (!item.is_object() || item.size() != 1) return malformed(place, "a token or a text");
    JsonFields part = TRY(JsonFields::of(*item.begin(), place));
    const std::string id = TRY(part.text("id", ""));
    const std::int64_t type =
        TRY(part.whole("type_id", 0, std::numeric_limits<std::int32_t>::max(), 0));
    TRY(part.finish());
    std::vector<FramePart> parts;
    if (item.begin().key() == "Sequence" && id == "A") {
      parts.push_back({std::nullopt, type});
    } else if (item.begin().key() == "SpecialToken") {
      for (const TokenId token : TRY(ids_of(id, special, place))) parts.push_back({token, type});
    } else {
      return malformed(place, "a part is a SpecialToken, or the Sequence A");
    }
    frame_.insert(frame_.end(), parts.begin(), parts.end());
    if (frame_.size() <= kMostFrameParts) return {};
    return beyond_bounds(place, fmt::format("more than {} parts", kMostFrameParts));
  }

  static Result<std::vector<TokenId>> ids_of(const std::string& name, const json* special,
                                             const std::string& place) {
    const bool known = special != nullptr && special->is_object() && special->contains(name);
    if (!known) return malformed(place, "a special token that special_tokens lacks");
    JsonFields fields = TRY(JsonFields::of((*special)[name], place));
    std::vector<TokenId> out;
    for (const json* id : TRY(fields.items("ids"))) {
      if (out.size() == kMostFrameParts)
        return beyond_bounds(place, fmt::format("more than {} parts", kMostFrameParts));
      out.push_back(TRY(token_at(*id, place)));
    }
    return out;
  }

  std::vector<FramePart> frame_ = {FramePart{}};
  bool framed_ = false;
};

Result<void> add_token(const json& item, const std::string& place, Tokenizer::Parts& out) {
  JsonFields fields = TRY(JsonFields::of(item, place));
  AddedToken token;
  const json* id = fields.find("id");
  if (id == nullptr) return malformed(place, "a token without a number");
  token.id = TRY(token_at(*id, place));
  token.content = TRY(characters(TRY(fields.text("content", ""))));
  token.single_word = TRY(fields.truth("single_word", false));
  token.strip_left = TRY(fields.truth("lstrip", false));
  token.strip_right = TRY(fields.truth("rstrip", false));
  const bool special = TRY(fields.truth("special", false));
  const bool normalized = TRY(fields.truth("normalized", !special));
  TRY(fields.finish());
  if (token.content.size() > kLongestAdded)
    return beyond_bounds(place, fmt::format("a token of {} characters, the limit is {}",
                                            token.content.size(), kLongestAdded));
  (normalized ? out.added_normalized : out.added).push_back(std::move(token));
  return {};
}

}  // namespace

Result<Tokenizer> read_tokenizer(std::string_view text) {
  const json file = TRY(parsed(text));
  JsonFields fields = TRY(JsonFields::of(file, ""));
  Tokenizer::Parts out;
  for (const char* key : {"version", "decoder"}) fields.find(key);
  TRY(check_truncation(fields.find("truncation")));
  out.padding = TRY(read_padding(fields.find("padding")));
  out.normalizer = TRY(read_normalizer(fields.find("normalizer")));
  const auto added = TRY(fields.items("added_tokens"));
  if (added.size() > kMostAdded)
    return beyond_bounds("added_tokens",
                         fmt::format("{} added tokens, the limit is {}", added.size(), kMostAdded));
  for (const json* token : added) TRY(add_token(*token, "added_tokens", out));
  FrameReader frame;
  if (const json* processor = fields.find("post_processor"))
    TRY(frame.add(*processor, "post_processor"));
  out.frame = std::move(frame).frame();
  const json* before = fields.find("pre_tokenizer");
  const json* model = fields.find("model");
  TRY(fields.finish());
  if (model == nullptr) return malformed("model", "it is missing");
  out.model = TRY(read_model(*model, before));
  return Tokenizer(std::move(out));
}

}  // namespace ridge::text
