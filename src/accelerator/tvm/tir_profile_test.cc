// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tvm/tir_profile.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "accelerator/nests/registry.h"
#include "accelerator/nests/testing.h"
#include "accelerator/tvm/tir_reader.h"
#include "analysis/testing.h"
#include "zoo/zoo.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;
using analysis::testing::resolved;
using Role = BufferProfile::Role;

std::string inflated(const std::string& gzip) {
  z_stream stream{};
  if (::inflateInit2(&stream, 15 + 16) != Z_OK) return {};
  std::string out(std::size_t{8} << 20, '\0');
  std::string in = gzip;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int ended = ::inflate(&stream, Z_FINISH);
  out.resize(ended == Z_STREAM_END ? stream.total_out : 0);
  ::inflateEnd(&stream);
  return out;
}

/// Content of a recorded file; "" if RIDGE_SOURCE is not set.
std::string fixture(const std::string& name) {
  const char* source = std::getenv("RIDGE_SOURCE");
  if (source == nullptr) return {};
  std::ifstream file(std::string(source) + "/tests/accelerator/tir/" + name + ".json.gz",
                     std::ios::binary);
  return inflated({std::istreambuf_iterator<char>(file), {}});
}

Resolved network(std::string_view name, std::int64_t sequence) {
  auto document = std::make_shared<onnx::Document>(zoo::make(name).value());
  auto model = std::make_shared<const graph::Model>(graph::Model::build(document).value());
  analysis::Bindings bindings;
  if (sequence > 0) bindings.sizes["sequence"] = {sequence};
  return analysis::resolve(model, bindings).value();
}

std::vector<std::vector<std::int64_t>> shapes(const LayerProfile& p, Role role) {
  std::vector<std::vector<std::int64_t>> out;
  for (const BufferProfile& b : p.buffers) {
    if (b.role != role) continue;
    out.push_back(b.shape);
    // A compiler adds axes of one element to a bias.
    std::erase(out.back(), 1);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void expect_tir_agrees(const std::string& name, std::int64_t sequence) {
  const std::string tir = fixture(name + ".tir"), map = fixture(name + ".map");
  if (tir.empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  const Resolved r = network(name, sequence);
  const Lowered l = lower(r, {analysis::Fuse::kNone, Layers::kProducts});
  const auto compiled = profile_tir(tir, map, r);
  ASSERT_TRUE(compiled.ok()) << compiled.error().text();
  const auto nests = profile_nests(l, r);
  ASSERT_TRUE(nests.ok()) << nests.error().text();
  std::int64_t layers = 0;
  for (const Layer& layer : l.layers) {
    const LayerProfile *a = compiled->find(layer.node), *b = nests->find(layer.node);
    ASSERT_TRUE(a != nullptr && b != nullptr) << layer.name;
    EXPECT_EQ(a->macs, layer.macs) << layer.name;
    EXPECT_EQ(b->macs, layer.macs) << layer.name;
    EXPECT_EQ(a->squares, 0) << layer.name;
    EXPECT_EQ(a->param_bytes, b->param_bytes) << layer.name;
    for (const Role role : {Role::kInput, Role::kParameter, Role::kOutput})
      EXPECT_EQ(shapes(*a, role), shapes(*b, role)) << layer.name;
    ++layers;
  }
  EXPECT_EQ(layers, name == "gpt2" ? 73 : 21);
  std::int64_t elsewhere = 0;
  for (const LayerProfile& p : compiled->layers) elsewhere += p.macs;
  EXPECT_EQ(elsewhere, l.macs) << "no other node multiplies and accumulates";
}

TEST(TirProfile, AgreesOnResnet18) { expect_tir_agrees("resnet18", 0); }
TEST(TirProfile, AgreesOnGpt2) { expect_tir_agrees("gpt2", 64); }

constexpr std::string_view kSmall = R"(
  graph main
    input x[1,4,6,3]
    constant w[6,2,3,3] b[6]
    conv: Conv(x, w, b) {pads=[1,1,1,1] group=2 strides=[2,1]} -> y
    relu: Relu(y) -> z
    mm: MatMul(z, z) -> m
    output m
)";

TEST(TirProfile, TellsWhatTheHooksCountedAsTheNetworkRan) {
  const std::string tir = fixture("small.tir"), map = fixture("small.map");
  if (tir.empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  const auto p = profile_tir(tir, map, resolved(kSmall));
  ASSERT_TRUE(p.ok()) << p.error().text();
  ASSERT_EQ(p->layers.size(), 3U);
  EXPECT_EQ(p->layers[0].macs, 6 * 3 * 3 * 2 * 9);
  EXPECT_EQ(p->layers[0].hooked_macs, 6 * 3 * 3 * 2 * 9);
  EXPECT_EQ(p->layers[1].hooked_macs, 0);
  EXPECT_EQ(p->layers[2].hooked_macs, 6 * 3 * 3 * 3);
}

TEST(TirProfile, BothWalkersTellTheSameOfTheCompilersNests) {
  const std::string tir = fixture("small.tir");
  if (tir.empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  auto module = read_tir(tir);
  ASSERT_TRUE(module.ok()) << module.error().text();
  ASSERT_EQ(module->functions.size(), 2U);
  for (const TirFunction& f : module->functions) {
    module->nest.root = f.root;
    EXPECT_EQ(testing::told_by(count, module->nest),
              testing::told_by(testing::execute, module->nest));
  }
}

TEST(TirProfile, RefusesHooksThatAreNoCounts) {
  const std::string tir = fixture("small.tir"), map = fixture("small.map");
  if (tir.empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  const std::size_t hooks = map.rfind(R"("hooks")");
  ASSERT_NE(hooks, std::string::npos);
  const auto with = [&](std::string_view counts) {
    const auto p = profile_tir(
        tir, fmt::format("{}\"hooks\": {{{}}}}}", map.substr(0, hooks), counts), resolved(kSmall));
    return p.ok() ? "fine" : p.error().summary();
  };
  const std::string begin = "the map of the compiler's kernels has hook";
  EXPECT_EQ(with(R"("0":7)"), "fine");
  EXPECT_EQ(with(R"("0":-7)"), begin + " counts that are not whole numbers >= 0");
  EXPECT_EQ(with(R"("0":18446744073709551615)"), begin + " counts that are not whole numbers >= 0");
  EXPECT_EQ(with(R"("0":"7")"), begin + " counts that are not whole numbers >= 0");
  EXPECT_EQ(with(R"("99":7)"), begin + "s in node '99', which no kernel implements");
}

std::string map_error(std::string_view map) {
  const auto p = profile_tir(
      R"({"root_index":1,"nodes":[{"type":"ffi.Map","data":[]},
          {"type":"ir.IRModule","data":{"functions":0}}],"metadata":{"tvm_version":"0.27.0.post1"}})",
      map, resolved(kSmall));
  return p.ok() ? "fine" : p.error().summary();
}

TEST(TirProfile, RefusesAMapThatIsNone) {
  const std::string begin = "the map of the compiler's kernels ";
  EXPECT_EQ(map_error(R"({"kernels":[]})"), "fine");
  EXPECT_EQ(map_error("nonsense"), begin + "is not a JSON object");
  EXPECT_EQ(map_error("{}"), begin + "lists no kernels");
  EXPECT_EQ(map_error(R"({"kernels":[1]})"),
            begin + "has a kernel without a name or without arguments");
  EXPECT_EQ(map_error(R"({"kernels":[{"function":"f","args":[]}]})"),
            begin + "names a kernel that has no loop nest");
}

}  // namespace
}  // namespace ridge::accelerator
