// SPDX-License-Identifier: Apache-2.0
// Compares the networks of the zoo with the counts of their originals (tests/data/zoo.csv):
// parameters of the modules, multiply-accumulates counted by PyTorch's dispatcher, and elements
// passing through normalizations.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "analysis/resolved.h"
#include "zoo/source.h"
#include "zoo/testing.h"
#include "zoo/zoo.h"

namespace ridge::zoo {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

/// The network at its default sizes, except for `sizes`.
analysis::Resolved resolved(const std::string& spec, const Sizes& sizes = {}) {
  const std::string name = "zoo:" + spec;
  auto model = graph::Model::build(open_model(name).value());
  Sizes all = sizes;
  all.merge(default_sizes(name));
  return analysis::resolve(std::make_shared<const graph::Model>(std::move(model).value()), {}, all)
      .value();
}

std::int64_t elements_into(const analysis::Resolved& r, std::string_view op_type) {
  std::int64_t sum = 0;
  for (const graph::Node& n : r.model().nodes())
    if (n.op_type == op_type) sum += r.dims().product(r.type(n.inputs[0]).shape.span()).value();
  return sum;
}

/// Compares with a published value; an empty cell has none.
void expect_published(std::int64_t figure, const std::string& cell, const char* what) {
  if (!cell.empty()) {
    EXPECT_EQ(figure, std::stoll(cell)) << what;
  }
}

TEST(ZooCounts, EqualThoseOfTheOriginals) {
  std::set<std::string, std::less<>> checked;
  for (const auto& row : testing::csv_rows("tests/data/zoo.csv")) {
    const std::string& name = row.at("network");
    SCOPED_TRACE(name);
    checked.insert(name);
    const analysis::Resolved r = resolved(name);
    EXPECT_EQ(r.totals().unknown, 0);
    expect_published(r.totals().params, row.at("params"), "parameters");
    expect_published(r.totals().macs.value(), row.at("macs"), "MACs");
    expect_published(elements_into(r, "BatchNormalization"), row.at("batch_norm"), "BN elements");
    expect_published(elements_into(r, "LayerNormalization"), row.at("layer_norm"), "LN elements");
  }
  for (const Entry& e : entries()) EXPECT_TRUE(checked.contains(e.name)) << e.name;
}

TEST(ZooCounts, EqualThoseOfTheOriginalsAtOtherSizes) {
  // PyTorch's dispatcher over the originals of tests/data/zoo.csv.
  struct Case {
    const char* spec;
    Sizes sizes;
    std::int64_t macs;
  };
  const Case cases[] = {
      {"distilbert_base", {{"sequence", 512}}, 24'159'191'040},
      {"distilbert_base", {{"batch", 2}, {"sequence", 512}}, 48'318'382'080},
      {"clip_vit_b_32_image,size=384", {}, 13'043'189'760},
      {"clip_vit_b_32_text", {{"sequence", 16}}, 607'387'648},
      {"llama_prefill", {{"sequence", 1024}}, 173'946'175'488},
      {"llama_decode", {{"batch", 4}, {"past", 1024}}, 679'615'488},
      {"lstm", {{"batch", 20}}, 9'282'000'000},
      {"sd_unet,size=96", {{"batch", 2}, {"sequence", 64}}, 2'146'271'887'360},
  };
  for (const Case& c : cases)
    EXPECT_EQ(resolved(c.spec, c.sizes).totals().macs.value(), c.macs) << c.spec;
}

TEST(ZooCounts, GroupNormalizationIsInstanceNormalizationOfItsGroups) {
  // Elements into the GroupNorm modules of the original (diffusers 0.42.1).
  EXPECT_EQ(elements_into(resolved("sd_unet"), "InstanceNormalization"), 45'056'000);
}

TEST(ZooCounts, OneTokenExtendsTheCache) {
  const analysis::Resolved r = resolved("llama_decode", {{"past", 57}});
  const auto& outputs = r.model().main().outputs;
  ASSERT_EQ(outputs.size(), 61U) << "scores, keys and values of 30 layers";
  for (std::size_t i = 1; i < outputs.size(); ++i)
    EXPECT_EQ(r.type(outputs[i]).shape[2].value(), 58) << "output " << i;
}

TEST(ZooCounts, FoldingKeepsTheWorkAndDropsTheScales) {
  // Number of parameters in exports of the same networks by PyTorch 1.13.
  const std::map<std::string, std::int64_t> params = {{"resnet50", 25'530'472},
                                                      {"resnet18", 11'684'712}};
  for (const auto& [name, expected] : params) {
    const analysis::Resolved folded = resolved(name + ",folded");
    EXPECT_EQ(folded.totals().params, expected) << name;
    EXPECT_TRUE(folded.totals().macs.same(resolved(name).totals().macs)) << name;
  }
}

}  // namespace
}  // namespace ridge::zoo
