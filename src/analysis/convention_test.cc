// SPDX-License-Identifier: Apache-2.0
// Compares conventions with the counts that the tools publish (tests/data/conventions.csv), and
// their rules with counts by hand on small graphs.
#include "analysis/convention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "analysis/testing.h"
#include "zoo/source.h"
#include "zoo/testing.h"

namespace ridge::analysis {
namespace {

namespace fs = std::filesystem;

using zoo::testing::csv_rows;
using zoo::testing::CsvRow;

/// Path of a model in the file's model column: a network of the zoo, or one of the reference
/// exports.
std::optional<std::string> path_of(const std::string& model) {
  if (model.starts_with("zoo:")) return model;
  const char* shared = std::getenv("RIDGE_SHARED");
  if (shared == nullptr) return std::nullopt;
  const fs::path path = fs::path(shared) / model;
  return fs::exists(path) ? std::optional(path.string()) : std::nullopt;
}

Bindings bindings_of(const std::string& text) {
  Bindings bindings;
  if (const auto at = text.find('='); at != std::string::npos)
    bindings.sizes[text.substr(0, at)] = {std::stoll(text.substr(at + 1)), false};
  return bindings;
}

/// Cache of resolved models: each is resolved once for all rows.
class Models {
 public:
  const Resolved& at(const std::string& path, const std::string& bindings) {
    const auto [known, fresh] = resolved_.try_emplace(path + " " + bindings);
    if (fresh) known->second = std::make_unique<Resolved>(open(path, bindings));
    return *known->second;
  }

 private:
  static Resolved open(const std::string& path, const std::string& bindings) {
    auto document = zoo::open_model(path);
    if (!document.ok()) throw std::runtime_error(document.error().text());
    auto model = graph::Model::build(std::move(document).value());
    if (!model.ok()) throw std::runtime_error(model.error().text());
    auto r = resolve(std::make_shared<const graph::Model>(std::move(model).value()),
                     bindings_of(bindings), zoo::default_sizes(path));
    if (!r.ok()) throw std::runtime_error(r.error().text());
    return std::move(r).value();
  }

  std::map<std::string, std::unique_ptr<Resolved>> resolved_;
};

/// Returns the units of `convention` per `unit`: 10^9 for "GMACs" in "MACs".
double scale_of(const std::string& unit, const Convention& convention) {
  if (unit == convention.unit) return 1;
  EXPECT_EQ(unit.substr(1), convention.unit) << "of " << convention.name;
  return unit[0] == 'G' ? 1e9 : 1e6;
}

TEST(Convention, ReproducesEveryPublishedFigureWithinItsRounding) {
  Models models;
  int skipped = 0;
  std::map<std::string, int> rows;
  for (const CsvRow& row : csv_rows("tests/data/conventions.csv")) {
    const std::string& name = row.at("convention");
    SCOPED_TRACE(name + " of " + row.at("model") + " " + row.at("bindings"));
    const Convention* convention = find_convention(name);
    ASSERT_NE(convention, nullptr);
    ++rows[name];
    const auto path = path_of(row.at("model"));
    if (!path) {
      ++skipped;
      continue;
    }
    const ConventionCount count = count_by(*convention, models.at(*path, row.at("bindings")));
    EXPECT_TRUE(count.complete);
    ASSERT_TRUE(count.total.known());
    const double figure = static_cast<double>(count.total.value()) * std::stod(row.at("times")) /
                          scale_of(row.at("unit"), *convention);
    const double half = 0.5 * std::pow(10, -std::stoi(row.at("digits")));
    EXPECT_NEAR(figure, std::stod(row.at("published")), half * (1 + 1e-9));
    EXPECT_FALSE(row.at("source").empty());
  }
  for (const Convention& c : conventions())
    EXPECT_GE(rows[std::string(c.name)], 10) << "published figures of " << c.name;
  if (skipped > 0) std::printf("%d rows need reference exports that are not here\n", skipped);
}

std::string counted_by(const char* convention, std::string_view text, std::string_view node) {
  const Resolved r = testing::resolved(text);
  const ConventionCount count = count_by(*find_convention(convention), r);
  return r.dims().text(count.nodes[testing::node(r, node)]);
}

TEST(Convention, AreListedOnceWithTheirUnits) {
  std::set<std::string_view> names;
  for (const Convention& c : conventions()) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    EXPECT_TRUE(c.unit == "MACs" || c.unit == "FLOPs") << c.name;
    EXPECT_TRUE(std::is_sorted(
        c.rules.begin(), c.rules.end(),
        [](const ConventionRule& a, const ConventionRule& b) { return a.op_type < b.op_type; }))
        << c.name;
  }
  EXPECT_EQ(conventions()[0].name, "ridge");
  EXPECT_EQ(find_convention("nobody"), nullptr);
}

constexpr std::string_view kConv =
    "graph main\n input x[1,2,4,4]\n constant w[3,2,3,3] b[3]\n"
    " c: Conv(x, w, b) -> y\n r: Relu(y) -> z\n p: GlobalAveragePool(z) -> q\n output q\n";

TEST(Convention, ToolsDifferInBiasActivationAndPooling) {
  // 3 channels of 2 x 2 outputs, each 2 * 9 multiply-adds and a bias.
  EXPECT_EQ(counted_by("ridge", kConv, "c"), "216");
  EXPECT_EQ(counted_by("torchvision", kConv, "c"), "216");
  EXPECT_EQ(counted_by("timm", kConv, "c"), "216");
  EXPECT_EQ(counted_by("ptflops", kConv, "c"), "228");
  EXPECT_EQ(counted_by("ultralytics", kConv, "c"), "432");
  EXPECT_EQ(counted_by("proof", kConv, "c"), "444");
  EXPECT_EQ(counted_by("onnx-tool", kConv, "c"), "228");
  EXPECT_EQ(counted_by("ridge", kConv, "r"), "0");
  EXPECT_EQ(counted_by("ptflops", kConv, "r"), "12");
  EXPECT_EQ(counted_by("ultralytics", kConv, "r"), "0");
  EXPECT_EQ(counted_by("ptflops", kConv, "p"), "12");
  EXPECT_EQ(counted_by("ultralytics", kConv, "p"), "30");
  EXPECT_EQ(counted_by("proof", kConv, "p"), "15");
  EXPECT_EQ(counted_by("onnx-tool", kConv, "p"), "24");
}

TEST(Convention, LayerCountersDoNotSeeProductsOfActivations) {
  constexpr std::string_view kProducts =
      "graph main\n input a[2,3] b[3,5]\n constant w[5,4]\n mm: MatMul(a, b) -> c\n"
      " fc: MatMul(c, w) -> d\n output d\n";
  EXPECT_EQ(counted_by("timm", kProducts, "mm"), "30");
  EXPECT_EQ(counted_by("ptflops", kProducts, "mm"), "0");
  EXPECT_EQ(counted_by("ultralytics", kProducts, "mm"), "0");
  EXPECT_EQ(counted_by("ptflops", kProducts, "fc"), "40");
  EXPECT_EQ(counted_by("ultralytics", kProducts, "fc"), "80");
  EXPECT_EQ(counted_by("proof", kProducts, "mm"), "60");
}

TEST(Convention, KnownMistakesOfToolsAreTheirFigures) {
  // A is transposed: PRoof reduces over the second size of A as stored, 8 times too little here
  // (PRoof b188e81 reports 512 FLOPs instead of 4096).
  constexpr std::string_view kGemm =
      "graph main\n input a[32,4]\n constant b[32,16]\n g: Gemm(a, b) {transA=1} -> y\n output y\n";
  EXPECT_EQ(counted_by("ridge", kGemm, "g"), "2048");
  EXPECT_EQ(counted_by("proof", kGemm, "g"), "512");
  // Transposed convolution: PRoof counts 0; onnx-tool multiplies outputs (19 x 19) instead of
  // inputs (16 x 16) by the window.
  constexpr std::string_view kTransposed =
      "graph main\n input x[1,64,16,16]\n constant w[64,64,4,4]\n"
      " t: ConvTranspose(x, w) -> y\n output y\n";
  EXPECT_EQ(counted_by("ridge", kTransposed, "t"), "16777216");
  EXPECT_EQ(counted_by("proof", kTransposed, "t"), "0");
  EXPECT_EQ(counted_by("onnx-tool", kTransposed, "t"), "23658496");
}

TEST(Convention, WhatWeightsAndSizesDecideCountsNothing) {
  constexpr std::string_view kFolded =
      "graph main\n input x[2,3]\n constant w[3] v[3]\n s: Add(w, v) -> u\n"
      " a: Add(x, u) -> y\n output y\n";
  EXPECT_EQ(counted_by("proof", kFolded, "s"), "0");
  EXPECT_EQ(counted_by("proof", kFolded, "a"), "6");
  EXPECT_EQ(counted_by("onnx-tool", kFolded, "s"), "0");
}

TEST(Convention, AnUnknownNodeMakesTheTotalIncomplete) {
  const Resolved r = testing::resolved(
      "graph main\n input x[2,3]\n r: Relu(x) -> y\n n: com.acme.Op(y) -> z\n output z\n");
  const ConventionCount count = count_by(*find_convention("proof"), r);
  EXPECT_FALSE(count.complete);
  EXPECT_TRUE(count.total.is(6)) << "what is known";
  EXPECT_TRUE(count.nodes[testing::node(r, "n")].unknown());
}

TEST(Convention, ABodyCountsAsOftenAsItRuns) {
  constexpr std::string_view kLoop =
      "graph main\n input x[2,4]\n integers m=5\n flags c=1\n"
      " loop: Loop(m, c, x) {body=graph:body} -> last\n output last\n"
      "graph body\n input i[] going[] h[2,4]\n constant w[4,4]\n"
      " step: MatMul(h, w) -> s\n act: Sigmoid(s) -> next\n keep: Identity(going) -> still\n"
      " output still next\n";
  EXPECT_EQ(counted_by("proof", kLoop, "step"), "320");  // 5 trips of 2 * 2 * 4 * 4
  EXPECT_EQ(counted_by("proof", kLoop, "act"), "400");   // 5 trips of 8 elements at 10
  EXPECT_EQ(counted_by("proof", kLoop, "loop"), "0");
}

TEST(Convention, FollowsSizesThatStaySymbols) {
  Bindings free;
  free.free = FreeSizes::kSymbolic;
  const Resolved r = testing::resolved(
      "graph main\n input x[batch,3]\n constant w[3,4]\n m: MatMul(x, w) -> y\n"
      " s: Softmax(y) -> z\n output z\n",
      free);
  EXPECT_EQ(r.dims().text(count_by(*find_convention("onnx-tool"), r).total), "156*batch");
}

constexpr std::string_view kTransposed =
    "graph main\n input x[1,3,2,2]\n constant w[3,1,2,2] b[1]\n"
    " ct: ConvTranspose(x, w, b) {strides=[2,2]} -> y\n output y\n";

// 3 channels of 2 x 2 inputs, each 4 multiply-adds, are 48. thop and ptflops 0.6 count the 16 outputs
// as outputs of a convolution with 3 * 4 multiply-adds each, ptflops a bias for each of them too.
TEST(Convention, LayerCountersTakeATransposedConvolutionForAConvolution) {
  EXPECT_EQ(counted_by("ridge", kTransposed, "ct"), "48");
  EXPECT_EQ(counted_by("timm", kTransposed, "ct"), "48");
  EXPECT_EQ(counted_by("ultralytics", kTransposed, "ct"), "384");
  EXPECT_EQ(counted_by("ptflops", kTransposed, "ct"), "208");
  // 2 groups of 2 inputs and 3 outputs: 6 * 16 outputs with 2 * 4 multiply-adds each.
  constexpr std::string_view kGrouped =
      "graph main\n input x[1,4,2,2]\n constant w[4,3,2,2]\n"
      " ct: ConvTranspose(x, w) {strides=[2,2] group=2} -> y\n output y\n";
  EXPECT_EQ(counted_by("ultralytics", kGrouped, "ct"), "1536");
  EXPECT_EQ(counted_by("ptflops", kGrouped, "ct"), "768");
}

}  // namespace
}  // namespace ridge::analysis
