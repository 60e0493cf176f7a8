// The shapes that analysis resolves against those that a runtime reports when it runs the model as
// it is, unoptimised: every output of every node that ran.
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
using testing::Optimisation;

using Shape = std::vector<std::int64_t>;

/// "[1,3]" of what was resolved; "?" where a size depends on data.
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

/// Every output that an event names, by its name in the copy.
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
                        {.level = Optimisation::kDisable, .profile = true, .facts = false});
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

// The reference networks, where they are there; those with little work, to be done in time.
constexpr std::int64_t kMostMacs = 3'000'000'000;

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
    if (resolved.totals().macs.value() > kMostMacs) continue;
    const auto attributed = run(std::move(resolved));
    const Compared c = compare(*attributed);
    EXPECT_GT(c.equal, 15);
    EXPECT_EQ(c.open, 0);
  }
}

// Fused operators of com.microsoft that the runtime has for processors.
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

}  // namespace
}  // namespace ridge::attribution
