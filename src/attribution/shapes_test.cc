// SPDX-License-Identifier: Apache-2.0
// Compares resolved shapes with those that a runtime reports when it runs the model without
// optimization: every output of every node that ran.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/testing/packaged.h"
#include "attribution/testing.h"

namespace ridge::attribution {
namespace {

using testing::Attributed;
using testing::Optimization;

using Shape = std::vector<std::int64_t>;

/// Formats a resolved shape as "[1,3]"; "?" if a size depends on data.
std::string text(const ops::Type& type) {
  if (!type.shape.ranked()) return "?";
  nlohmann::json out = nlohmann::json::array();
  for (const ops::Dim& d : type.shape.span()) {
    if (!d.known()) return "?";
    out.push_back(d.value());
  }
  return out.dump();
}

struct Compared {
  int equal = 0, open = 0;
};

/// Compares every output that an event names, by its name in the copy.
Compared compare(const Attributed& run) {
  std::map<std::string_view, graph::ValueId> original;
  for (graph::ValueId v = 0; v < run.copy.value_name.size(); ++v)
    if (!run.copy.value_name[v].empty()) original[run.copy.value_name[v]] = v;
  const auto events = run.events();
  const auto kernels = join_events(run.graph, events);
  Compared out;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (kernels[e] == graph::kNone) continue;
    const graph::Node& kernel = run.graph.kernel(kernels[e]);
    const auto shapes = nlohmann::json::parse(events[e].shapes, nullptr, false);
    if (!shapes.is_array() || shapes.size() != kernel.outputs.size()) continue;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      const std::string_view name = run.graph.model->value(kernel.outputs[i]).name;
      if (!original.contains(name) || shapes[i].empty()) continue;
      const std::string got = text(run.resolved.type(original[name]));
      EXPECT_TRUE(got == "?" || got == shapes[i].begin()->dump())
          << kernel.op_type << " '" << name << "': " << got << ", not "
          << shapes[i].begin()->dump();
      ++(got == "?" ? out.open : out.equal);
    }
  }
  return out;
}

std::shared_ptr<Attributed> run(analysis::Resolved resolved) {
  return Attributed::of(std::move(resolved),
                        {.level = Optimization::kDisable, .profile = true, .facts = false});
}

TEST(PackagedSlow, ShapesAreThoseOfTheRuntime) {
  const auto models = analysis::testing::packaged_models();
  if (models.empty() || !testing::runtime_installed())
    GTEST_SKIP() << "the models or an ONNX Runtime are not here";
  for (const auto& p : models) {
    SCOPED_TRACE(p.name);
    auto resolved = analysis::testing::resolve_packaged(p);
    ASSERT_TRUE(resolved.ok()) << resolved.error().text();
    std::shared_ptr<Attributed> attributed;
    try {
      attributed = run(std::move(resolved).value());
    } catch (const std::runtime_error& e) {
      ADD_FAILURE() << e.what();
      continue;
    }
    const Compared c = compare(*attributed);
    EXPECT_GT(c.equal, 4);
    EXPECT_EQ(c.open, 0);
  }
}

// Upper limit on the work of the reference networks that are tested, to bound the time.
constexpr std::int64_t kMaxMacs = 3'000'000'000;

TEST(ReferenceNetworksSlow, ShapesAreThoseOfTheRuntime) {
  const char* shared = std::getenv("RIDGE_SHARED");
  const std::filesystem::path folder = std::filesystem::path(shared == nullptr ? "" : shared);
  if (!std::filesystem::is_directory(folder / "models") || !testing::runtime_installed())
    GTEST_SKIP() << "the networks or an ONNX Runtime are not here";
  for (const auto& entry : std::filesystem::directory_iterator(folder / "models")) {
    if (entry.path().extension() != ".onnx") continue;
    SCOPED_TRACE(entry.path().stem());
    auto document =
        std::make_shared<onnx::Document>(testing::must(onnx::read_file(entry.path().string())));
    auto model = std::make_shared<const graph::Model>(
        testing::must(graph::Model::build(std::move(document))));
    auto resolved = testing::must(analysis::resolve(model, {}, {{"batch", 1}, {"sequence", 128}}));
    if (resolved.totals().macs.value() > kMaxMacs) continue;
    const auto attributed = run(std::move(resolved));
    const Compared c = compare(*attributed);
    EXPECT_GT(c.equal, 15);
    EXPECT_EQ(c.open, 0);
  }
}

// Fused operators of com.microsoft that the runtime implements for CPUs.
TEST(FusedOperatorsSlow, ShapesAreThoseOfTheRuntime) {
  if (!testing::runtime_installed()) GTEST_SKIP() << "no ONNX Runtime installed";
  const auto attributed = run(analysis::testing::resolved(R"(
    graph main
      input x[2,8,32]
      constant skip[2,8,32] gamma[32] beta[32] bias[32] w[32,48] words[20,32] places[10,32]
      constant qkv[32,96] qkvb[96] past[2,2,4,5,8] key[2,6,32] value[2,6,64] pk[2,4,3,8] pv[2,4,3,16]
      constant gq[2,1,32] gk[2,1,16] nb[48,2,8] ns[48,2] cos[16,4] sin[16,4] kvk[2,2,4,8]
      integers ids[2,8]=0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7 total=5 lengths[2]=4,4
      Cast(ids) {to=6} -> ids32
      com.microsoft.SkipLayerNormalization(x, skip, gamma, beta, bias) -> a, _, _, s
      com.microsoft.SkipSimplifiedLayerNormalization(a, skip, gamma) -> b, _, _, t
      com.microsoft.BiasGelu(b, bias) -> c
      com.microsoft.FastGelu(c, bias) -> d
      com.microsoft.QuickGelu(d) -> e
      com.microsoft.Gelu(e) -> f
      com.microsoft.FusedMatMul(f, w) -> g
      com.microsoft.FusedMatMul(f, x) {transB=1} -> h
      com.microsoft.EmbedLayerNormalization(ids32, _, words, places, _, gamma, beta) -> m, n
      com.microsoft.Attention(f, qkv, qkvb, _, past) {num_heads=4} -> o, present
      com.microsoft.MultiHeadAttention(f, key, value) {num_heads=4} -> p
      com.microsoft.MultiHeadAttention(f, x, x, _, _, _, pk, pk) {num_heads=4} -> p2, p2k, p2v
      Cast(lengths) {to=6} -> lengths32
      Cast(total) {to=6} -> total32
      com.microsoft.GroupQueryAttention(gq, gk, gk, kvk, kvk, lengths32, total32) {num_heads=4 kv_num_heads=2} -> q, qk, qv
      com.microsoft.RotaryEmbedding(f, zero1, cos, sin) {num_heads=4} -> r
      integers zero1[1]=0
      DynamicQuantizeLinear(w) -> wq, ws, wz
      com.microsoft.DynamicQuantizeMatMul(f, wq, ws, wz) -> u
      Cast(nb) {to=2} -> nbq
      com.microsoft.MatMulNBits(f, nbq, ns) {K=32 N=48 bits=4 block_size=16} -> v
      DynamicQuantizeLinear(f) -> fq, fs, fz
      com.microsoft.MatMulIntegerToFloat(fq, wq, fs, ws, fz, wz) -> u2
      com.microsoft.QLinearAdd(fq, fs, fz, fq, fs, fz, fs, fz) -> u3
      com.microsoft.QLinearSigmoid(fq, fs, fz, fs, fz) -> u4
      com.microsoft.QLinearConcat(fs, fz, fq, fs, fz, fq, fs, fz) {axis=1} -> u5
      output f g h v m n o present p p2 p2k p2v q qk qv r s t u u2 u3 u4 u5
  )"));
  const Compared c = compare(*attributed);
  EXPECT_GT(c.equal, 25);
  EXPECT_EQ(c.open, 0);
}

// Operators of com.microsoft that prepare, select and quantize data around a network.
TEST(DataOperatorsSlow, ShapesAreThoseOfTheRuntime) {
  if (!testing::runtime_installed()) GTEST_SKIP() << "no ONNX Runtime installed";
  const auto attributed = run(analysis::testing::resolved(R"(
    graph main
      input x[2,4,8,8]
      constant grid[2,3,5,2] rois[3,4] w[4,2,3,3] scale[] lw[1,8,24] lr[1,6,24] ls[1]
      constant conv[5,1,3,4] cb[5] chars[40,4] words[6,7]
      integers at[2,2]=0,1,1,3 first=2 last=11 which[3]=0,1,1 size[2]=6,5 zero[1]=0
      integers pads[4]=1,0,1,2 ids[2,6]=1,2,3,1,2,3,4,5,6,4,5,6
      com.microsoft.Trilu(x) -> a
      com.microsoft.Inverse(x) -> b
      com.microsoft.SampleOp(x) -> c
      com.microsoft.GridSample(x, grid) -> d
      com.microsoft.GatherND(x, at) -> e
      com.microsoft.Range(first, last) -> f
      Cast(which) {to=6} -> which32
      Cast(size) {to=6} -> size32
      com.microsoft.CropAndResize(x, rois, which32, size32) -> g
      com.microsoft.MurmurHash3(which32) -> h
      com.microsoft.MurmurHash3(which32) {positive=0} -> i
      com.microsoft.ConvTransposeWithDynamicPads(x, w, pads) {strides=[2,2]} -> j
      com.microsoft.NGramRepeatBlock(ids, scores) {ngram_size=3} -> k
      constant scores[2,9]
      Cast(zero) {to=2} -> zero8
      Squeeze(zero8, zero) -> zero0
      com.microsoft.QuantizeLinear(x, scale, zero0) -> l
      com.microsoft.DequantizeLinear(l, scale, zero0) -> m
      Reshape(x, three) -> sequence
      integers three[3]=8,8,8
      Cast(lw) {to=2} -> lw8
      Cast(lr) {to=2} -> lr8
      com.microsoft.DynamicQuantizeLSTM(sequence, lw8, lr8, _, _, _, _, _, ls, zero8, ls, zero8) {hidden_size=6} -> n, o, p
      Cast(words) {to=6} -> words32
      com.microsoft.WordConvEmbedding(words32, conv, cb, chars) -> q
      output a b c d e f g h i j k l m n o p q
  )"));
  const Compared c = compare(*attributed);
  EXPECT_GT(c.equal, 16);
  EXPECT_EQ(c.open, 0);
}

}  // namespace
}  // namespace ridge::attribution
