// SPDX-License-Identifier: Apache-2.0
// DLRM (facebookresearch/dlrm dlrm_s_pytorch.py) with the sizes of bench/dlrm_s_criteo_kaggle.sh.
// Five of the tables for Criteo Kaggle have millions of rows; they are capped at 500,000, as by
// --max-ind-range=500000, which keeps the weights at 198 MB (uncapped 2.2 GB). Each table looks up
// one index per sample, as in that data set, so that a bag is one row.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kDense = 13, kDlrmWidth = 16, kMaxRows = 500'000;
/// Values of each categorical feature in the data set.
constexpr std::int64_t kRows[] = {1460,  583,  10131227, 2202608, 305, 24,     12517,   633,   3,
                                  93145, 5683, 8351593,  3194,    27,  14992,  5461306, 10,    5652,
                                  2173,  4,    7046547,  18,      15,  286181, 105,     142572};
constexpr std::int64_t kFeatures = 1 + std::ssize(kRows);
constexpr std::int64_t kBottom[] = {512, 256, 64, kDlrmWidth}, kTop[] = {512, 256, 1};

/// Linear layers, each before the activation `last` or, except the last one, a ReLU.
Tensor dlrm_mlp(Builder& b, const std::string& name, Tensor x, std::span<const std::int64_t> widths,
                std::string_view last) {
  const auto scope = b.module(name);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    x = b.dense(fmt::format("{}.{}", name, 2 * i), x, widths[i]);
    const auto activation = b.module(fmt::format("{}.{}", name, 2 * i + 1));
    x = b.op(i + 1 < widths.size() ? "Relu" : last, {x});
  }
  return x;
}

/// One vector of each table, in the order of the tables.
std::vector<Tensor> looked_up(Builder& b, const std::vector<Tensor>& indices) {
  const auto scope = b.module("emb_l");
  std::vector<Tensor> found;
  for (std::size_t i = 0; i < indices.size(); ++i)
    found.push_back(b.embedding(fmt::format("emb_l.{}", i), indices[i],
                                std::min(kRows[i], kMaxRows), kDlrmWidth));
  return found;
}

/// The dense features x, and the products of all pairs of feature vectors.
Tensor interactions(Builder& b, Tensor x, const std::vector<Tensor>& found) {
  std::vector<Tensor> features = {x};
  features.insert(features.end(), found.begin(), found.end());
  Tensor all = b.op("Concat", std::move(features), {{"axis", 1}});
  all = b.reshape(all, {0, kFeatures, kDlrmWidth}, kDlrmWidth);
  const Tensor products = b.flatten(b.matmul(all, b.transpose(all, {0, 2, 1})));
  std::vector<std::int64_t> below;
  for (std::int64_t i = 0; i < kFeatures; ++i)
    for (std::int64_t j = 0; j < i; ++j) below.push_back(i * kFeatures + j);
  const Tensor pairs = b.op("Gather", {products, b.table("pairs", below)}, {{"axis", 1}}, 0);
  return b.op("Concat", {x, pairs}, {{"axis", 1}}, kDlrmWidth + std::ssize(below));
}

onnx::Document build_dlrm(const Request& request) {
  Builder b(request.network);
  const Tensor dense = b.input("dense_x", onnx::DataType::kFloat, {"batch", kDense}, kDense);
  std::vector<Tensor> indices;
  for (std::size_t i = 0; i < std::size(kRows); ++i)
    indices.push_back(b.input(fmt::format("indices_{}", i), onnx::DataType::kInt64, {"batch"}, 0));
  const Tensor x = dlrm_mlp(b, "bot_l", dense, kBottom, "Relu");
  const Tensor z = interactions(b, x, looked_up(b, indices));
  b.output("pred", dlrm_mlp(b, "top_l", z, kTop, "Sigmoid"), {"batch", 1});
  return std::move(b).finish();
}

constexpr Entry kDlrmEntries[] = {
    {"dlrm",
     "DLRM",
     "DLRM for Criteo Kaggle: 26 tables of at most 500,000 rows of 16",
     "Naumov et al. 2019, arXiv:1906.00091",
     kOneImage,
     {},
     build_dlrm}};

}  // namespace

Family dlrm() { return kDlrmEntries; }

}  // namespace ridge::zoo
