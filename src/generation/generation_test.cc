// SPDX-License-Identifier: Apache-2.0
// Generations of a small decoder in files, against ONNX Runtime's own Python package, and the bytes
// of the bound against a sum by hand.
#include "generation/generation.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "generation/document.h"
#include "runtime/testing/decoder_models.h"
#include "session/testing.h"

namespace ridge::generation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using runtime::PromptBy;
using runtime::TinyForm;

/// The tiny decoder's forms in files.
struct GenerationFiles {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  session::testing::Silent notices;
  session::Environment environment{.host = machine::this_host(),
                                   .notices = notices,
                                   .cache_folder = session::testing::cache_folder()};

  std::string path(TinyForm form) {
    const std::string out = folder.path() + "/" + std::to_string(static_cast<int>(form)) + ".onnx";
    must(onnx::write_file(runtime::tiny_decoder(form), out));
    return out;
  }
  TokenGenerationRequest request(PromptBy by) {
    TokenGenerationRequest out;
    out.model = path(by == PromptBy::kAtOnce ? TinyForm::kComplete : TinyForm::kDecode);
    if (by == PromptBy::kPrefillModel) out.prefill = path(TinyForm::kPrefill);
    out.given_cache = by == PromptBy::kGivenCache;
    out.workload = {.prompt = {5, 9}, .tokens = {6, 6}, .count = 3};
    out.batch = 2;
    return out;
  }
};

/// Tokens of every request, by ONNX Runtime in Python over the whole sequence; empty: none there.
std::vector<std::vector<std::int64_t>> in_python(GenerationFiles& files,
                                                 const GeneratedPoint& point) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const char* named = std::getenv("RIDGE_ORACLES");
  const std::string folder = cache != nullptr ? cache : std::string(home) + "/.cache";
  const std::string python =
      named != nullptr ? named : folder + "/ridge/oracles/current/bin/python";
  const char* source = std::getenv("RIDGE_SOURCE");
  if (!std::filesystem::exists(python) || source == nullptr) return {};
  std::string asked;
  for (std::uint32_t i = 0; i < point.plan.requests.size(); ++i) {
    asked += std::to_string(point.plan.requests[i].tokens);
    for (const std::int64_t id : runtime::prompt_ids(point.plan, i, 0))
      asked += " " + std::to_string(id);
    asked += "\n";
  }
  const std::string in = files.folder.path() + "/asked", out = files.folder.path() + "/tokens";
  must(write_file(in, asked));
  const std::string command = python + " " + source + "/src/generation/generation_oracle.py " +
                              files.path(TinyForm::kPrefill) + " " + in + " " + out;
  if (std::system(command.c_str()) != 0) return {};
  std::vector<std::vector<std::int64_t>> tokens(1);
  std::string number;
  for (const char c : must(read_file(out, 1 << 20))) {
    if (c >= '0' && c <= '9') {
      number += c;
      continue;
    }
    if (!number.empty()) tokens.back().push_back(std::stoll(number));
    number.clear();
    if (c == '\n') tokens.emplace_back();
  }
  tokens.pop_back();
  return tokens;
}

TEST(TokenGenerationSlow, GivesTheTokensOfOnnxRuntimesPython) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  GenerationFiles files;
  for (const PromptBy by : {PromptBy::kPrefillModel, PromptBy::kAtOnce, PromptBy::kTokenByToken}) {
    const TokenGeneration g = must(generate(files.request(by), files.environment));
    const GeneratedPoint& point = g.points.at(0);
    EXPECT_EQ(point.plan.prompt_by, by);
    EXPECT_EQ(point.validity.state, scenario::State::kValid);
    EXPECT_EQ(point.copied_bytes, 0);
    EXPECT_GT(point.handed_bytes, 0);
    EXPECT_EQ(point.figures.tokens, 2 * 3 * 6);
    const auto expected = in_python(files, point);
    if (expected.empty()) GTEST_SKIP() << "no onnxruntime for Python: scripts/fetch_oracles.sh";
    ASSERT_EQ(expected.size(), 3U);
    for (const scenario::RequestRecord& request : point.generated.requests) {
      std::vector<std::int64_t> tokens;
      for (const scenario::StepRecord& step : request.steps)
        if (step.kind != scenario::StepKind::kPrompt) tokens.push_back(step.id);
      EXPECT_EQ(tokens, expected[request.request]);
    }
  }
}

TEST(TokenGenerationSlow, BoundsAStepByItsWeightsAndItsCache) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  GenerationFiles files;
  TokenGenerationRequest request = files.request(PromptBy::kGivenCache);
  request.workload = {.prompt = {20, 20}, .tokens = {1, 1}, .count = 2};
  const TokenGeneration g = must(generate(request, files.environment));
  const GeneratedPoint& point = g.points.at(0);
  ASSERT_EQ(point.figures.bins.size(), 1U);
  EXPECT_EQ(point.figures.bins[0].low, 20U);
  const std::optional<scenario::StepBound>& bound = point.figures.bins[0].bound;
  if (!bound) GTEST_SKIP() << "no roofs: " << g.no_bounds;
  // The embedding is also the head: all of its 50 x 8; three products of 8 x 8; of the table of
  // positions at most one row. Keys and values of 21 tokens in two sequences.
  const std::int64_t whole = (50 * 8 + 3 * 8 * 8) * 4;
  EXPECT_GE(bound->weight_bytes, whole);
  EXPECT_LE(bound->weight_bytes, whole + 8 * 4);
  EXPECT_EQ(bound->cache_bytes, 2 * 2 * 21 * 8 * 4);
}

TEST(TokenGeneration, PretendsInTheNullRuntime) {
  GenerationFiles files;
  TokenGenerationRequest request = files.request(PromptBy::kPrefillModel);
  request.spec.runtimes = {"null"};
  request.clients = 2;
  request.workload.arrivals = scenario::Constant{.rate = 1000};
  const TokenGeneration g = must(generate(request, files.environment));
  EXPECT_EQ(g.points.at(0).figures.tokens, 2 * 3 * 6);
  EXPECT_EQ(g.points[0].validity.state, scenario::State::kValid);
  StringSink steps;
  write_steps(g, steps);
  EXPECT_EQ(std::ranges::count(steps.text(), '\n'), 1 + 3 * 6);
}

TEST(TokenGeneration, SaysWhatIsNotRecognized) {
  GenerationFiles files;
  TokenGenerationRequest request = files.request(PromptBy::kAtOnce);
  request.state = must(parse_state("present.*=cache.*"));
  const std::string model = request.model;
  EXPECT_EQ(generate(request, files.environment).error().text(),
            "error: " + model +
                ": the decoder's input 'past_key_values.0.key' is not known to be a part of its "
                "cache\n"
                "  hint: pair it with the output that it continues: --state "
                "'present.0.key=past_key_values.0.key'\n"
                "  [RIDGE-WB-0201]\n");
  request.state = default_state();
  request.model = files.path(TinyForm::kPrefill);
  EXPECT_EQ(generate(request, files.environment).error().message(),
            "the decoder has no cache: none of its inputs is paired with an output");
  request.spec.threads = {1, 2};
  EXPECT_EQ(generate(request, files.environment).error().code(), "RIDGE-WB-0202");
}

TEST(DecoderPorts, RecognizesNamesOfExporters) {
  const auto ports_of = [](std::string_view text, std::string_view state) {
    const graph::Model model = must(graph::Model::build(graph::Sketch::document(text)));
    return must(decoder_ports(model, state.empty() ? default_state() : must(parse_state(state))));
  };
  // As ONNX Runtime's GPT-2, with one tensor for keys and values.
  const DecoderPorts gpt = ports_of(R"(graph main
    input input_ids:int64[batch,sequence] position_ids:int64[batch,sequence] past_0[2,batch,1,past,4]
    Cast(input_ids) {to=1} -> logits
    Identity(past_0) -> present_0
    output logits[batch,sequence] present_0[2,batch,1,total,4])",
                                    "");
  EXPECT_EQ(gpt.ids, "input_ids");
  EXPECT_EQ(gpt.positions, "position_ids");
  EXPECT_EQ(gpt.past[0].axis, 3);
  EXPECT_EQ(gpt.state[0].output, "present_0");
  EXPECT_FALSE(gpt.one_token);
  // A state of one size, under names of its own.
  const DecoderPorts state = ports_of(R"(graph main
    input tokens:int64[1,1] h_in[1,16]
    Cast(tokens) {to=1} -> scores
    Identity(h_in) -> h_out
    output scores[1,1] h_out[1,16])",
                                      "h_out=h_in");
  EXPECT_EQ(state.past[0].axis, -1);
  EXPECT_EQ(state.logits, "scores");
  EXPECT_TRUE(state.one_token);
}

TEST(DecoderPorts, RejectsPairsThatAreNone) {
  for (const char* text : {"present.*", "a=", "=b", "a*=b", "a**=b**"}) {
    const auto patterns = parse_state(text);
    ASSERT_FALSE(patterns.ok()) << text;
    EXPECT_EQ(patterns.error().code(), "RIDGE-WB-0200");
  }
  EXPECT_EQ(parse_state("present").error().text(),
            "error: 'present' does not pair outputs with inputs\n"
            "  hint: write OUTPUT=INPUT, with at most one * in both: --state 'present.*=past.*'\n"
            "  [RIDGE-WB-0200]\n");
  EXPECT_EQ(must(parse_state("a.*=b.*, h=i")).size(), 2U);
}

}  // namespace
}  // namespace ridge::generation
