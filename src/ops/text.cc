// SPDX-License-Identifier: Apache-2.0
// Strings: their elements are never tracked, and operations on them do not count as arithmetic.
#include <fmt/format.h>

#include <algorithm>

#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> infer_text_concat(Context& c) {
  TRY(require_inputs(c, 2));
  return infer_broadcast(c, 0);
}

// Parts of every string along a new axis, as many as the maximum.
Result<void> infer_text_split(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  Shape parts;
  if (x.ranked()) {
    const auto out = new_dims(c, x.span().size() + 1);
    std::copy(x.span().begin(), x.span().end(), out.begin());
    parts = shape_of(out);
  }
  set_tensor(c, 0, DataType::kString, parts);
  set_tensor(c, 1, DataType::kInt64, x);
  return {};
}

// Removing stop words leaves fewer words, but at least one.
Result<void> infer_normalize(Context& c) {
  TRY(infer_same(c));
  const Shape& x = c.input(0).shape;
  const onnx::Attribute* stop = graph::attribute(c.node(), "stopwords");
  if (!x.ranked() || stop == nullptr || stop->strings.empty()) return {};
  const auto out = c.arena().copy(x.span());
  if (!out.empty()) out.back() = Dim();
  set_tensor(c, 0, DataType::kString, out);
  return {};
}

// Shape [C] or [N, C] -> as many columns as the largest index requires.
Result<void> infer_tf_idf(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  const auto indexes = TRY(c.ints_attribute("ngram_indexes"));
  if (indexes.empty()) return c.fail(Fault::kAttribute, "attribute 'ngram_indexes' is not given");
  const std::int64_t last = *std::max_element(indexes.begin(), indexes.end());
  if (last < 0 || last == INT64_MAX)
    return c.fail(Fault::kAttribute, fmt::format("attribute 'ngram_indexes' holds {}", last));
  if (!x.ranked()) {
    set_tensor(c, 0, DataType::kFloat, Shape{});
    return {};
  }
  if (x.rank > 2)
    return c.fail(Fault::kRank,
                  fmt::format("input 0 has shape {}; it must have rank 1 or 2", text(c, x)));
  set_tensor(c, 0, DataType::kFloat,
             x.rank < 2 ? c.shape({Dim(last + 1)}) : c.shape({x[0], Dim(last + 1)}));
  return {};
}

// Weights, if given, are one multiply per column; how often an n-gram occurs depends on the data.
Work work_tf_idf(Context& c) {
  const auto mode = c.string_attribute("mode", "TF");
  if (!mode.ok() || *mode == "TF") return {};
  return {.flops = c.elements(c.output(0).shape)};
}

constexpr std::string_view kNoWork = "text: no arithmetic";

constexpr Operator kTextRows[] = {
    {.name = "StringConcat", .since = 20, .infer = infer_text_concat, .formula = kNoWork},
    {.name = "StringSplit", .since = 20, .infer = infer_text_split, .formula = kNoWork},
    {.name = "StringNormalizer", .since = 10, .infer = infer_normalize, .formula = kNoWork},
    {.name = "RegexFullMatch",
     .since = 20,
     .infer = infer_same_as<DataType::kBool>,
     .formula = kNoWork},
    {.name = "TfIdfVectorizer",
     .since = 9,
     .infer = infer_tf_idf,
     .work = work_tf_idf,
     .formula = "counting: no arithmetic; 1 multiply per column for IDF"},
};

}  // namespace

const std::span<const Operator> kText = kTextRows;

}  // namespace ridge::ops
