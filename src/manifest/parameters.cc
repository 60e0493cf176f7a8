// SPDX-License-Identifier: Apache-2.0
#include "manifest/parameters.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/number.h"
#include "manifest/fields.h"

namespace ridge::manifest {
namespace {

using Kind = ParameterRow::Kind;
using Where = ParameterRow::Where;

constexpr std::size_t kLongestList = 300;

constexpr ParameterRow kRows[] = {
    {"layer", "input_layer output_layer layer_name", Kind::kText, Where::kBoth, ""},
    {"element_type", "", Kind::kWord, Where::kBoth,
     "float32 float16 bfloat16 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
     "string"},
    {"dimensions", "", Kind::kNumbers, Where::kBoth, ""},
    {"layout", "data_layout", Kind::kWord, Where::kBoth, "CHW HWC NCHW NHWC"},
    {"color_mode", "", Kind::kWord, Where::kInput, "RGB BGR L"},
    {"mean", "", Kind::kNumbers, Where::kInput, ""},
    {"scale", "rescale", Kind::kNumbers, Where::kInput, ""},
    {"resize_method", "", Kind::kText, Where::kInput, ""},
    {"max_dimension", "", Kind::kNumber, Where::kInput, ""},
    {"keep_aspect_ratio", "", Kind::kTruth, Where::kInput, ""},
    {"crop_method", "", Kind::kWord, Where::kInput, "center topleft"},
    {"crop_ratio", "", Kind::kNumber, Where::kInput, ""},
    {"scale_height", "", Kind::kNumber, Where::kInput, ""},
    {"scale_width", "", Kind::kNumber, Where::kInput, ""},
    {"input_type", "", Kind::kText, Where::kInput, ""},
    {"url", "", Kind::kText, Where::kInput, ""},
    {"labels", "features_path features_url labels_url", Kind::kText, Where::kOutput, ""},
    {"labels_checksum", "features_checksum", Kind::kText, Where::kOutput, ""},
    {"probabilities_transform", "", Kind::kWord, Where::kOutput, "softmax"},
    {"probabilities_layer", "", Kind::kText, Where::kOutput, ""},
    {"probabilities_layer_index", "", Kind::kNumber, Where::kOutput, ""},
    {"boxes_layer", "", Kind::kText, Where::kOutput, ""},
    {"boxes_layer_index", "", Kind::kNumber, Where::kOutput, ""},
    {"classes_layer", "", Kind::kText, Where::kOutput, ""},
    {"classes_layer_index", "", Kind::kNumber, Where::kOutput, ""},
    {"masks_layer", "", Kind::kText, Where::kOutput, ""},
    {"masks_layer_index", "", Kind::kNumber, Where::kOutput, ""},
    {"background_index", "", Kind::kNumber, Where::kOutput, ""},
};

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool has_word(std::string_view text, std::string_view word) {
  const std::vector<std::string> all = split_words(text);
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// Elements of a list as decimals; nullopt if one is no number, or there are too many for a line.
std::optional<std::string> decimals(std::string_view list) {
  std::string out;
  while (true) {
    const std::size_t end = std::min(list.find(", "), list.size());
    const auto value = finite_number(list.substr(0, end));
    if (!value || out.size() > kLongestList) return std::nullopt;
    out += (out.empty() ? "" : ", ") + number_text(*value);
    if (end == list.size()) return out;
    list.remove_prefix(end + 2);
  }
}

}  // namespace

std::span<const ParameterRow> parameter_rows() { return kRows; }

const ParameterRow* parameter_row(std::string_view name, TensorRole role) {
  for (const ParameterRow& row : kRows) {
    const bool here =
        row.where == Where::kBoth || (row.where == Where::kInput) == (role == TensorRole::kInput);
    if (here && (row.name == name || has_word(row.aliases, name))) return &row;
  }
  return nullptr;
}

Result<std::string> parameter_value(const ParameterRow& row, const Toml& value) {
  const auto wrong = [&](std::string_view expected) {
    return wrong_kind(value, row.name, expected);
  };
  switch (row.kind) {
    case Kind::kText:
      return value.kind == Toml::Kind::kNumber ? scalars_text(value, row.name)
                                               : scalar_text(value, row.name);
    case Kind::kWord: {
      const std::string text = TRY(scalar_text(value, row.name));
      if (!has_word(row.allowed, text))
        return not_allowed(value, row.name, text, split_words(row.allowed));
      return text;
    }
    case Kind::kTruth:
      if (value.kind != Toml::Kind::kTruth) return wrong("true or false");
      return scalars_text(value, row.name);
    case Kind::kNumber:
      if (value.kind != Toml::Kind::kNumber) return wrong("a number");
      return scalars_text(value, row.name);
    case Kind::kNumbers: {
      auto list = decimals(TRY(scalars_text(value, row.name)));
      if (!list) return wrong("a number or a list of numbers, up to 300 characters");
      return std::move(*list);
    }
  }
  return wrong("a value");
}

}  // namespace ridge::manifest
