// SPDX-License-Identifier: Apache-2.0
// ai.onnx.ml: classical models with parameters in attributes. Linear models and support vector
// kernels are matrix products; the path of a sample through a tree depends on the data.
#include <fmt/format.h>

#include <algorithm>

#include "ops/math/reduce.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Number of elements of an attribute of any type; 0 if absent.
std::int64_t listed(const Context& c, std::string_view name) {
  const onnx::Attribute* a = graph::attribute(c.node(), name);
  if (a == nullptr) return 0;
  if (a->t != nullptr) return a->t->elements;
  return static_cast<std::int64_t>(std::max({a->ints.size(), a->floats.size(), a->strings.size()}));
}

// Input [N, C]; a vector is one sample.
struct Samples {
  Dim count, features;
};
Result<Samples> samples(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return Samples{};
  if (x.rank != 1 && x.rank != 2)
    return c.fail(Fault::kRank,
                  fmt::format("input 0 has shape {}; it must be [N, C] or [C]", text(c, x)));
  return x.rank == 1 ? Samples{Dim(1), x[0]} : Samples{x[0], x[1]};
}

// Type of output labels: string if one of these attributes has elements, else int64.
DataType label_type(const Context& c, std::initializer_list<std::string_view> strings) {
  for (const std::string_view name : strings)
    if (listed(c, name) > 0) return DataType::kString;
  return DataType::kInt64;
}

Result<void> infer_extract(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape& x = c.input(0).shape;
  const Dim count = c.elements(c.input(1).shape);
  if (!x.ranked() || x.rank == 0) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  const auto out = new_dims(c, std::max<std::size_t>(x.span().size(), 2));
  out[0] = Dim(1);
  if (x.rank > 1) std::copy(x.span().begin(), x.span().end(), out.begin());
  out.back() = count;
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Result<void> infer_cast_map(Context& c) {
  const std::string_view to = TRY(c.string_attribute("cast_to", "TO_FLOAT"));
  const bool sparse = TRY(c.string_attribute("map_form", "DENSE")) == "SPARSE";
  const Dim columns = sparse ? Dim(TRY(c.int_attribute("max_map", 1))) : Dim();
  set_tensor(c, 0,
             to == "TO_STRING"  ? DataType::kString
             : to == "TO_INT64" ? DataType::kInt64
                                : DataType::kFloat,
             c.shape({Dim(1), columns}));
  return {};
}

Result<void> infer_category(Context& c) {
  TRY(require_inputs(c, 1));
  const bool names = c.input(0).dtype == DataType::kString;
  set_tensor(c, 0, names ? DataType::kInt64 : DataType::kString, c.input(0).shape);
  return {};
}

Result<void> infer_dictionary(Context& c) {
  const std::int64_t n = std::max(listed(c, "string_vocabulary"), listed(c, "int64_vocabulary"));
  set_tensor(c, 0, c.input(0).dtype, c.shape({Dim(1), Dim(n)}));
  return {};
}

Result<void> infer_features(Context& c) {
  TRY(require_inputs(c, 1));
  Dim columns(0), rows;
  for (std::size_t i = 0; i < c.input_count(); ++i) {
    const Shape& x = c.input(i).shape;
    if (i == 0 && x.ranked()) rows = x.rank == 2 ? x[0] : Dim(1);
    columns = c.dims().add(columns, x.ranked() && x.rank > 0 ? x.span().back() : Dim());
  }
  set_tensor(c, 0, DataType::kFloat, c.shape({rows, columns}));
  return {};
}

Result<void> infer_label(Context& c) {
  TRY(require_inputs(c, 1));
  DataType type = c.input(0).dtype;
  const onnx::Attribute* tensor = graph::attribute(c.node(), "values_tensor");
  if (tensor != nullptr && tensor->t != nullptr)
    type = tensor->t->type;
  else if (listed(c, "values_strings") > 0)
    type = DataType::kString;
  else if (listed(c, "values_int64s") > 0)
    type = DataType::kInt64;
  else if (listed(c, "values_floats") > 0)
    type = DataType::kFloat;
  else if (listed(c, "classes_strings") > 0)  // opset 1: maps names to numbers or back
    type = type == DataType::kString ? DataType::kInt64 : DataType::kString;
  set_tensor(c, 0, type, c.input(0).shape);
  return {};
}

// One row of coefficients per class; a single row separates two classes.
Result<void> infer_linear_classifier(Context& c) {
  const Samples s = TRY(samples(c));
  DimPool& p = c.dims();
  const std::int64_t labels =
      std::max(listed(c, "classlabels_strings"), listed(c, "classlabels_ints"));
  Dim classes = labels > 0 ? Dim(labels) : p.floor_div(Dim(listed(c, "coefficients")), s.features);
  if (classes.is(1)) classes = Dim(2);
  set_tensor(c, 0, label_type(c, {"classlabels_strings"}), c.shape({s.count}));
  set_tensor(c, 1, DataType::kFloat, c.shape({s.count, classes}));
  return {};
}

Result<void> infer_linear_regressor(Context& c) {
  const Samples s = TRY(samples(c));
  const Dim targets(TRY(c.int_attribute("targets", 1)));
  set_tensor(c, 0, DataType::kFloat, c.shape({s.count, targets}));
  return {};
}

// Cost of the post_transform per score. (Before it, every coefficient is used once per sample, and
// every intercept is added.)
Cost post_transform(const Context& c) {
  const auto name = c.string_attribute("post_transform", "NONE");
  if (!name.ok() || *name == "NONE") return {};
  if (*name == "LOGISTIC") return {.special = 1};
  return {.flops = 3, .special = 2};  // SOFTMAX: maximum, subtract, exp, sum, divide
}

Work work_linear_model(Context& c) {
  const auto s = samples(c);
  if (!s.ok()) return {.macs = Dim(), .flops = Dim()};
  DimPool& p = c.dims();
  const Dim scores = p.mul(s->count, Dim(listed(c, "intercepts")));
  const std::size_t result = c.wants_output(1) ? 1 : 0;
  return sum(
      c, {.macs = p.mul(s->count, Dim(listed(c, "coefficients"))), .flops = scores},
      elementwise(c, c.elements(c.output(result).shape), post_transform(c), DataType::kFloat));
}

Result<void> infer_normalizer(Context& c) {
  TRY(samples(c));
  set_tensor(c, 0, DataType::kFloat, c.input(0).shape);
  return {};
}

Work work_normalizer(Context& c) {
  const auto s = samples(c);
  const auto norm = c.string_attribute("norm", "MAX");
  if (!s.ok() || !norm.ok()) return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  const Dim n = c.elements(c.input(0).shape), combined = combining(c, n, s->count);
  const Dim each = *norm == "MAX" ? Dim(0) : n;
  return {.flops = p.add(each, combined), .special = *norm == "L2" ? p.add(n, s->count) : n};
}

Result<void> infer_category_one_hot(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  const std::int64_t n = std::max(listed(c, "cats_int64s"), listed(c, "cats_strings"));
  if (!x.ranked()) {
    set_tensor(c, 0, DataType::kFloat, Shape{});
    return {};
  }
  const auto out = new_dims(c, x.span().size() + 1);
  std::copy(x.span().begin(), x.span().end(), out.begin());
  out.back() = Dim(n);
  set_tensor(c, 0, DataType::kFloat, out);
  return {};
}

Result<void> infer_svm_classifier(Context& c) {
  const Samples s = TRY(samples(c));
  const std::int64_t classes =
      std::max(listed(c, "classlabels_strings"), listed(c, "classlabels_ints"));
  // Without probabilities there is one score per pair of classes; with two classes, one per class.
  const bool per_class =
      listed(c, "prob_a") > 0 || classes <= 2 || listed(c, "vectors_per_class") == 0;
  set_tensor(c, 0, label_type(c, {"classlabels_strings"}), c.shape({s.count}));
  set_tensor(c, 1, DataType::kFloat,
             c.shape({s.count, Dim(per_class ? classes : classes * (classes - 1) / 2)}));
  return {};
}

Result<void> infer_svm_regressor(Context& c) {
  const Samples s = TRY(samples(c));
  set_tensor(c, 0, DataType::kFloat, c.shape({s.count, Dim(1)}));
  return {};
}

// Dot product with every support vector (RBF: subtract, square, add), the kernel function, then the
// coefficients.
Work work_svm(Context& c) {
  const auto s = samples(c);
  const auto kernel = c.string_attribute("kernel_type", "LINEAR");
  if (!s.ok() || !kernel.ok() || s->features.is(0)) return {.macs = Dim(), .flops = Dim()};
  DimPool& p = c.dims();
  const Dim stored(listed(c, "support_vectors"));
  const Dim products = p.mul(s->count, stored);
  const Dim kernels = p.mul(s->count, p.floor_div(stored, s->features));
  const Dim mixed = p.mul(s->count, Dim(listed(c, "coefficients")));
  if (*kernel == "RBF")
    return {.macs = mixed, .flops = p.add(p.mul(products, Dim(3)), kernels), .special = kernels};
  const bool function = *kernel != "LINEAR";
  return {.macs = p.add(products, mixed),
          .flops = function ? p.mul(kernels, Dim(2)) : Dim(0),
          .special = function ? kernels : Dim(0)};
}

std::int64_t highest(const Context& c, std::string_view name) {
  const onnx::Attribute* a = graph::attribute(c.node(), name);
  std::int64_t most = -1;
  if (a != nullptr)
    for (const std::int64_t x : a->ints) most = std::max(most, x);
  return most;
}

Result<void> infer_tree_classifier(Context& c) {
  const Samples s = TRY(samples(c));
  const std::int64_t classes =
      std::max(listed(c, "classlabels_strings"), listed(c, "classlabels_int64s"));
  set_tensor(c, 0, label_type(c, {"classlabels_strings"}), c.shape({s.count}));
  set_tensor(c, 1, DataType::kFloat, c.shape({s.count, Dim(classes)}));
  return {};
}

Result<void> infer_tree_regressor(Context& c) {
  const Samples s = TRY(samples(c));
  const std::int64_t targets = TRY(c.int_attribute("n_targets", highest(c, "target_ids") + 1));
  set_tensor(c, 0, DataType::kFloat, c.shape({s.count, Dim(std::max<std::int64_t>(targets, 1))}));
  return {};
}

Result<void> infer_trees(Context& c) {
  const Samples s = TRY(samples(c));
  const std::int64_t targets = TRY(c.int_attribute("n_targets", 1));
  set_tensor(c, 0, c.input(0).dtype, c.shape({s.count, Dim(targets)}));
  return {};
}

Work work_trees(Context&) { return {.flops = Dim()}; }

Result<void> infer_zip_map(Context& c) {
  c.set_output(0, {DataType::kFloat, Container::kMap, {}});
  return {};
}

constexpr std::string_view kTrees = "the data decides how deep each tree is entered: not known";

constexpr Operator kMlRows[] = {
    row(kMl, "ArrayFeatureExtractor", infer_extract, nullptr, kMoves),
    row(kMl, "Binarizer", infer_same, per_output<Cost{.flops = 1}>, "1 compare per element"),
    row(kMl, "CastMap", infer_cast_map, nullptr, kMoves),
    row(kMl, "CategoryMapper", infer_category, nullptr, kMoves),
    row(kMl, "DictVectorizer", infer_dictionary, nullptr, kMoves),
    row(kMl, "FeatureVectorizer", infer_features, nullptr, kMoves),
    row(kMl, "Imputer", infer_same, per_output<Cost{.flops = 1}>, "1 compare per element"),
    row(kMl, "LabelEncoder", infer_label, nullptr, kMoves),
    row(kMl, "LinearClassifier", infer_linear_classifier, work_linear_model,
        "N*coefficients MACs, 1 FLOP per intercept, the transform of the scores"),
    row(kMl, "LinearRegressor", infer_linear_regressor, work_linear_model,
        "N*coefficients MACs, 1 FLOP per intercept, the transform of the scores"),
    row(kMl, "Normalizer", infer_normalizer, work_normalizer,
        "N elements of M samples: N abs or squares, N-M adds; N divisions, M roots for L2"),
    row(kMl, "OneHotEncoder", infer_category_one_hot, nullptr, kMoves),
    row(kMl, "Scaler", infer_normalizer, per_output<Cost{.flops = 2}>,
        "subtract, multiply: 2 FLOPs per element"),
    row(kMl, "SVMClassifier", infer_svm_classifier, work_svm,
        "N*support vectors MACs (RBF: 3 FLOPs each), the kernel's function, N*coefficients MACs"),
    row(kMl, "SVMRegressor", infer_svm_regressor, work_svm,
        "N*support vectors MACs (RBF: 3 FLOPs each), the kernel's function, N*coefficients MACs"),
    row(kMl, "TreeEnsembleClassifier", infer_tree_classifier, work_trees, kTrees),
    row(kMl, "TreeEnsembleRegressor", infer_tree_regressor, work_trees, kTrees),
    row(kMl, "TreeEnsemble", infer_trees, work_trees, kTrees),
    row(kMl, "ZipMap", infer_zip_map, nullptr, kMoves),
};

}  // namespace

const std::span<const Operator> kMlOperators = kMlRows;

}  // namespace ridge::ops
