// SPDX-License-Identifier: Apache-2.0
// Tokens of files written out here, and what is refused of a file.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "text/tokenizer_file.h"

namespace ridge::text {
namespace {

using nlohmann::json;

const json kWords = json::parse(R"({
  "version": "1.0", "truncation": null, "padding": null,
  "added_tokens": [{"id": 3, "content": "[MASK]", "special": true, "lstrip": true},
                   {"id": 9, "content": "New York", "single_word": true}],
  "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                 "strip_accents": null, "lowercase": true},
  "pre_tokenizer": {"type": "BertPreTokenizer"},
  "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
  "decoder": {"type": "WordPiece"},
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 8,
            "vocab": {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "[MASK]": 3, "[UNK]": 4, "un": 5,
                      "##aff": 6, "##able": 7, ",": 8, "unaf": 10, "cafe": 11, "##": 12}}})");

const json kBytes = json::parse(R"({
  "added_tokens": [{"id": 0, "content": "<|endoftext|>", "special": true}],
  "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
  "model": {"type": "BPE", "vocab": {"<|endoftext|>": 0, "l": 1, "o": 2, "w": 3, "lo": 4,
            "ow": 5, "low": 6, "\u0120": 7, "\u0120l": 8, "\u0120low": 9, "\u00c3": 10},
            "merges": ["o w", ["l", "ow"], "\u0120 l", "l o"]}})");

std::string error_of(const json& file) {
  const auto tokenizer = read_tokenizer(file.dump());
  if (tokenizer.ok()) return "";
  const Error& e = tokenizer.error();
  return fmt::format("{} {}: {}", e.code().substr(11), e.where(), e.message());
}

/// Ids up to the padding.
std::string ids_of(const json& file, std::string_view text, const Tokens& step = {.length = 32}) {
  const Tokenizer tokenizer = read_tokenizer(file.dump()).value();
  const auto shape = tokenizer.shape_of(step);
  if (!shape.ok()) return shape.error().message();
  Encoding e = tokenizer.encode(text, *shape).value();
  e.ids.resize(static_cast<std::size_t>(std::ranges::count(e.mask, 1)));
  return fmt::format("{}", fmt::join(e.ids, " "));
}

TEST(Tokenizer, CutsWordsIntoTheLongestPieces) {
  EXPECT_EQ(ids_of(kWords, "unaffable"), "1 4 2");  // nine characters
  EXPECT_EQ(ids_of(kWords, "UnAble, caf\xc3\xa9"), "1 5 7 8 11 2");
  EXPECT_EQ(ids_of(kWords, "unaff unable"), "1 4 5 7 2");  // unaf, and no ##f
  EXPECT_EQ(ids_of(kWords,
                   "un\xc2\xad"
                   "able un\xe4\xb8\xad"),
            "1 5 7 5 4 2");
  EXPECT_EQ(ids_of(kWords, ""), "1 2");
}

TEST(Tokenizer, LeavesAddedTokensWhole) {
  EXPECT_EQ(ids_of(kWords, "un [MASK]un"), "1 5 3 5 2");
  EXPECT_EQ(ids_of(kWords, "[mask] NEW YORK"), "1 4 4 4 9 2");
  EXPECT_EQ(ids_of(kWords, "new yorker"), "1 4 4 2");
}

TEST(Tokenizer, MergesPairsByTheirRank) {
  const Tokens step{.length = 32, .pad = "<|endoftext|>"};
  EXPECT_EQ(ids_of(kBytes, "low", step), "6");
  EXPECT_EQ(ids_of(kBytes, "lo low", step), "4 7 6");
  EXPECT_EQ(ids_of(kBytes, " lo", step), "8 2");
  EXPECT_EQ(ids_of(kBytes, "low<|endoftext|>\xc3\xa9", step), "6 0 10");  // no token for A9
  json other = kBytes;
  other["pre_tokenizer"]["add_prefix_space"] = true;
  EXPECT_EQ(ids_of(other, "lo", step), "8 2");
}

TEST(Tokenizer, CutsAndPadsToALength) {
  json file = kWords;
  file["padding"] = {{"pad_id", 12}, {"pad_type_id", 3}, {"direction", "Right"}};
  const Tokenizer tokenizer = read_tokenizer(file.dump()).value();
  const auto encoded = [&](int length) {
    const Encoding e =
        tokenizer.encode("un un", tokenizer.shape_of({.length = length}).value()).value();
    return fmt::format("{} | {} | {}", fmt::join(e.ids, " "), fmt::join(e.mask, " "),
                       fmt::join(e.types, " "));
  };
  EXPECT_EQ(encoded(3), "1 5 2 | 1 1 1 | 0 0 0");
  EXPECT_EQ(encoded(6), "1 5 5 2 12 12 | 1 1 1 1 0 0 | 0 0 0 0 3 3");
  EXPECT_EQ(ids_of(kWords, "un", {.length = 2}),
            "a length of 2 has no room for a token beside the 2 special ones around each text");
  EXPECT_EQ(ids_of(kBytes, "low"), "the file has no token to pad with");
}

TEST(Tokenizer, RefusesWhatItWouldHaveToIgnore) {
  const auto changed = [](const json& file, const char* path, const json& value) {
    json other = file;
    other[json::json_pointer(path)] = value;
    return error_of(other);
  };
  EXPECT_EQ(changed(kWords, "/model/type", "Unigram"),
            "0002 model: the model 'Unigram' is not supported");
  EXPECT_EQ(changed(kWords, "/normalizer/type", "NFKC"),
            "0002 normalizer: the normalizer 'NFKC' is not supported");
  EXPECT_EQ(changed(kWords, "/pre_tokenizer/type", "Whitespace"),
            "0002 pre_tokenizer: the pre-tokenizer 'Whitespace' before WordPiece is not supported");
  EXPECT_EQ(changed(kBytes, "/pre_tokenizer", nullptr),
            "0002 pre_tokenizer: a model BPE without a pre-tokenizer is not supported");
  EXPECT_EQ(changed(kWords, "/post_processor/type", "Other"),
            "0002 post_processor: the post-processor 'Other' is not supported");
  EXPECT_EQ(changed(kWords, "/padding", {{"direction", "Left"}}),
            "0002 padding.direction: the side 'Left' is not supported");
  EXPECT_EQ(changed(kWords, "/truncation", {{"direction", "Left"}}),
            "0002 truncation.direction: the side 'Left' is not supported");
  EXPECT_EQ(changed(kBytes, "/model/dropout", 0.1), "0002 model.dropout: dropout is not supported");
  EXPECT_EQ(changed(kBytes, "/model/byte_fallback", true),
            "0002 model.byte_fallback: a fall-back to bytes is not supported");
  EXPECT_EQ(changed(kBytes, "/model/end_of_word_suffix", "</w>"),
            "0002 model.end_of_word_suffix: a mark within words is not supported");
  EXPECT_EQ(changed(kWords, "/model/novel", 1), "0002 model: the key 'novel' is not supported");
  EXPECT_EQ(changed(kWords, "/novel", 1), "0002 : the key 'novel' is not supported");
}

TEST(Tokenizer, RefusesFilesThatContradictThemselves) {
  const auto changed = [](const json& file, const char* path, const json& value) {
    json other = file;
    other[json::json_pointer(path)] = value;
    return error_of(other);
  };
  for (const char* text : {"", "[1", "\"\xff\"", "{} {}", "nul"})
    EXPECT_EQ(read_tokenizer(text).error().code(), "RIDGE-TEXT-0001") << text;
  EXPECT_EQ(read_tokenizer("[]").error().message(), "array in place of an object");
  EXPECT_EQ(read_tokenizer(std::string(100'000, '[')).error().code(), "RIDGE-TEXT-0001");
  EXPECT_EQ(read_tokenizer(std::string(20, '[') + std::string(20, ']')).error().message(),
            "its values nest more than 16 deep");
  EXPECT_EQ(changed(kWords, "/model/unk_token", "<unk>"),
            "0001 model.unk_token: it is no token of the vocabulary");
  EXPECT_EQ(changed(kWords, "/model/vocab/un", -1),
            "0001 model.vocab: no number of a token, which is from 0 to 2147483647");
  EXPECT_EQ(changed(kWords, "/model/vocab", json::array()),
            "0001 model.vocab: an object of tokens and numbers is expected");
  EXPECT_EQ(changed(kBytes, "/model/merges/0", "o  w"),
            "0001 model.merges: a merge is a pair of tokens, or both with a blank between them");
  EXPECT_EQ(changed(kBytes, "/model/merges/0", "w o"),
            "0001 model.merges: merge 0 is of 'w' and 'o', which are no tokens, or whose merge is "
            "none");
  EXPECT_EQ(changed(kWords, "/model/max_input_chars_per_word", 1e9),
            "0001 model.max_input_chars_per_word: no whole number from 1 to 1000");
  EXPECT_EQ(changed(kWords, "/added_tokens/0/content", std::string(257, 'x')),
            "0003 added_tokens: a token of 257 characters, the limit is 256");
  EXPECT_EQ(changed(kWords, "/post_processor/cls", json::array({"[CLS]"})),
            "0001 post_processor.cls: a token and its number");
  EXPECT_EQ(changed(kWords, "/post_processor",
                    json::parse(R"({"type": "TemplateProcessing", "single": [], "pair": []})")),
            "0002 post_processor.single: 0 texts in a template is not supported");
}

TEST(Tokenizer, SaysWhereATextIsNoUtf8) {
  const Tokenizer tokenizer = read_tokenizer(kWords.dump()).value();
  const auto e = tokenizer.encode("caf\xe9", {.length = 8});
  EXPECT_EQ(e.error().code(), "RIDGE-TEXT-0004");
  EXPECT_EQ(e.error().evidence(), "at byte 3: 0xe9");
}

TEST(Tokenizer, TakesLongTextsInTheirStride) {
  const Tokens step{.length = 1 << 20, .pad = "<|endoftext|>"};
  json one_piece = kBytes;
  one_piece["pre_tokenizer"]["use_regex"] = false;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "low";
  const Tokenizer tokenizer = read_tokenizer(one_piece.dump()).value();
  const Encoding e = tokenizer.encode(text, tokenizer.shape_of(step).value()).value();
  EXPECT_EQ(std::ranges::count(e.ids, 6), 100'000);
  // Marks of falling classes, which are sorted.
  std::string marks;
  for (int i = 0; i < 100'000; ++i) marks += i % 2 == 0 ? "\xcc\x81" : "\xcc\xa3";
  EXPECT_EQ(ids_of(kWords, "un" + marks), "1 5 2");
}

}  // namespace
}  // namespace ridge::text
