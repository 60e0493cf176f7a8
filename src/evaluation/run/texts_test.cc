// SPDX-License-Identifier: Apache-2.0
// Evaluations on texts: models whose outputs show what arrived at their inputs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/hash/sha256.h"
#include "base/temporary_folder.h"
#include "evaluation/answers/output_files.h"
#include "evaluation/repeat/lock.h"
#include "evaluation/run/evaluation.h"
#include "pipeline/step_text.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using session::testing::ModelFile;

/// Class: the place of the largest byte.
constexpr std::string_view kBytes = R"(graph main
    input x:int64[batch,4]
    Cast(x) {to=1} -> y
    output y)";

/// Output: 100 for each id, 10 for the mask, 1 for the segment.
constexpr std::string_view kTokens = R"(graph main
    input input_ids:int64[batch,seq] attention_mask:int64[batch,seq] token_type_ids:int64[batch,seq]
    integers hundred[1]=100
    integers ten[1]=10
    Mul(input_ids, hundred) -> a
    Mul(attention_mask, ten) -> b
    Add(a, b) -> c
    Add(c, token_type_ids) -> d
    Cast(d) {to=1} -> y
    output y)";

constexpr std::string_view kTokenizer = R"({
  "added_tokens": [{"id": 3, "content": "[MASK]", "special": true}],
  "normalizer": {"type": "BertNormalizer"},
  "pre_tokenizer": {"type": "BertPreTokenizer"},
  "post_processor": {"type": "TemplateProcessing", "special_tokens": {
      "[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}},
    "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 1}}]},
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab":
    {"[PAD]": 0, "[CLS]": 1, "[UNK]": 2, "[MASK]": 3, "un": 4, "##able": 5, "caf": 6, "##e": 7}}})";

class EvaluationOfTextsSlow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  }
  std::string write(const std::string& name, std::string_view text) const {
    const std::string path = folder_.path() + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    EXPECT_TRUE(write_file(path, text).ok());
    return path;
  }
  EvaluationRequest request_for(const ModelFile& model, const std::string& source,
                                const std::string& steps) const {
    return {.model = model.path,
            .spec = model.spec,
            .scenario = {},
            .bound = {},
            .data = {.source = source, .labels = "", .steps = must(pipeline::parse_steps(steps))},
            .load = false,
            .outputs = folder_.path() + "/outputs"};
  }
  std::string tokens_step(const std::string& rest) const {
    return fmt::format("tokens(file=\"{}\"{})", write("tokenizer.json", kTokenizer), rest);
  }
  /// The first output of each sample.
  static std::string outputs_of(const Evaluation& e) {
    const OutputRows rows = must(OutputRows::open(e.points.at(0).outputs.at(0)));
    std::string out;
    for (std::size_t i = 0; i < e.data->names.size(); ++i)
      out += fmt::format("{}: {}\n", e.data->names[i], fmt::join(must(rows.read(i)), " "));
    return out;
  }

  TemporaryFolder folder_ = must(TemporaryFolder::make(::testing::TempDir()));
};

TEST_F(EvaluationOfTextsSlow, BytesOfEveryFileOfAFolder) {
  const ModelFile model(kBytes, "bytes");
  write("data/b.txt", "abz");
  write("data/a.cc", "zab");
  write("data/.hidden", "no sample");
  EvaluationRequest request =
      request_for(model, folder_.path() + "/data", "bytes(begin=3, end=1, pad=0)");
  request.data.labels = write("labels.txt", "a.cc 0\nb.txt 1\n");
  const Evaluation e = must(evaluate(request, model.environment));
  EXPECT_EQ(outputs_of(e), "a.cc: 122 97 98 98\nb.txt: 97 98 122 122\n");
  EXPECT_EQ(e.points[0].accuracy->predicted, (std::vector<std::int64_t>{0, 2}));
  EXPECT_DOUBLE_EQ(e.points[0].accuracy->top1->value, 0.5);
}

TEST_F(EvaluationOfTextsSlow, LinesOfAFileInBatches) {
  ModelFile model(kBytes, "lines");
  EvaluationRequest request =
      request_for(model, write("three.txt", "ab\r\n\nxyzzy"), "bytes(begin=4)");
  request.batch = 2;
  const Evaluation e = must(evaluate(request, model.environment));
  EXPECT_EQ(outputs_of(e), "1: 97 98 256 256\n2: 256 256 256 256\n3: 120 121 122 122\n");
}

TEST_F(EvaluationOfTextsSlow, TokensMaskAndSegmentsArriveAtTheirInputs) {
  const ModelFile model(kTokens, "tokens");
  write("data/1.txt", "Unable  CAF\xc3\x89");
  write("data/2.txt", "[MASK] other");
  write("data/3.txt", "");
  write("data/notes.md", "no sample");
  EvaluationRequest request =
      request_for(model, folder_.path() + "/data", tokens_step(", length=6"));
  const Evaluation e = must(evaluate(request, model.environment));
  EXPECT_EQ(outputs_of(e),
            "1.txt: 110 411 511 611 711 0\n2.txt: 110 311 211 0 0 0\n3.txt: 110 0 0 0 0 0\n");
  request.batch = 2;  // the free length follows from the step in each
  EXPECT_EQ(outputs_of(must(evaluate(request, model.environment))), outputs_of(e));
  const manifest::Lock& lock = e.points[0].lock;
  ASSERT_EQ(lock.files.size(), 1U);
  EXPECT_EQ(lock.files[0].use, "tokenizer");
  EXPECT_EQ(lock.files[0].sha256, sha256_of(kTokenizer));
  EXPECT_EQ(lock.pipeline.before,
            (std::vector<std::vector<std::string>>{{"tokens(file=\"tokenizer\", length=6)"}}));
  EXPECT_EQ(must(request_of(lock)).data.steps, request.data.steps);
}

TEST_F(EvaluationOfTextsSlow, InputsThatAModelLacksAreNotFed) {
  const ModelFile model("graph main\n input x:int64[1,3]\n Cast(x) {to=1} -> y\n output y", "ids");
  const Evaluation e =
      must(evaluate(request_for(model, write("one.txt", "unable"), tokens_step(", length=3")),
                    model.environment));
  EXPECT_EQ(outputs_of(e), "1: 1 4 5\n");
}

TEST_F(EvaluationOfTextsSlow, WhatDoesNotFitIsRefused) {
  const ModelFile tokens(kTokens, "refused"), bytes(kBytes, "refused-bytes");
  const std::string text = write("one.txt", "unable"), other = write("latin.txt", "caf\xe9");
  const auto error_of = [&](const ModelFile& model, const std::string& source,
                            const std::string& steps) {
    const auto e = evaluate(request_for(model, source, steps), model.environment);
    return e.ok() ? "" : e.error().code() + " " + e.error().message();
  };
  EXPECT_EQ(error_of(tokens, text, tokens_step(", length=6, mask=\"mask\"")),
            "RIDGE-WB-0111 input 'attention_mask' is none that the step feeds: input_ids, mask, "
            "token_type_ids");
  EXPECT_EQ(error_of(bytes, text, "bytes(begin=3)"),
            "RIDGE-WB-0111 the step makes 3 integers, input 'x' takes 1x4 int64");
  EXPECT_EQ(error_of(tokens, text, "bytes(begin=3)"),
            "RIDGE-WB-0111 bytes are for models of one input, this one has 3");
  EXPECT_EQ(error_of(tokens, other, tokens_step(", length=6")),
            "RIDGE-TEXT-0004 the text is not UTF-8");
  EXPECT_EQ(error_of(tokens, text, tokens_step(", length=1")),
            "RIDGE-TEXT-0006 a length of 1 has no room for a token beside the 1 special ones "
            "around each text");
  EXPECT_EQ(error_of(tokens, text, tokens_step(", length=6, pad=\"<pad>\"")),
            "RIDGE-TEXT-0005 '<pad>' is no token to pad with");
  EXPECT_EQ(error_of(bytes, text, "bytes(begin=4) layout(nchw)"),
            "RIDGE-WB-0111 a model of texts has one step");
}

}  // namespace
}  // namespace ridge::evaluation
