// SPDX-License-Identifier: Apache-2.0
#include "session/measure_spec_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "analysis/sizes/shape_text.h"
#include "base/text.h"
#include "base/toml.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "record/toml.h"
#include "runtime/paths.h"
#include "runtime/read_options.h"
#include "session/describe.h"

namespace ridge::session {
namespace {

Result<std::vector<std::int64_t>> shape_of(const std::string& input, const std::string& text) {
  return analysis::shape_from(text, [&](std::string why) {
    return input_error("RIDGE-WB-0302",
                       fmt::format("the shape of {} is no sizes as in \"1x3x224x224\", or \"\" for "
                                   "a scalar",
                                   printable(input)))
        .evidence(std::move(why));
  });
}

}  // namespace

std::vector<PointSizes> PointSizesCodec::out(const std::vector<analysis::Bindings>& points) {
  std::vector<PointSizes> out;
  for (const analysis::Bindings& point : points) {
    PointSizes& sizes = out.emplace_back();
    for (const auto& [name, binding] : point.sizes) sizes.names[name] = binding.value;
    for (const auto& [name, shape] : point.shapes)
      sizes.shapes[name] = fmt::format("{}", fmt::join(shape, "x"));
  }
  return out;
}

Result<std::vector<analysis::Bindings>> PointSizesCodec::in(const std::vector<PointSizes>& points) {
  std::vector<analysis::Bindings> out;
  for (const PointSizes& sizes : points) {
    analysis::Bindings& point = out.emplace_back();
    for (const auto& [name, value] : sizes.names) point.sizes[name].value = value;
    for (const auto& [name, text] : sizes.shapes) point.shapes[name] = TRY(shape_of(name, text));
  }
  return out;
}

Result<void> check_shapes(const PointSizes& sizes) {
  for (const auto& [name, text] : sizes.shapes) TRY(shape_of(name, text));
  return {};
}

Result<std::vector<std::string>> RuntimeNames::in(std::vector<std::string> names) {
  for (std::string& name : names) {
    const runtime::KnownRuntime* known = runtime::known_runtime(name);
    if (known == nullptr)
      return input_error("RIDGE-WB-0302",
                         fmt::format("'{}' is no runtime: ort or openvino expected",
                                     printable(shorten(valid_utf8(name), 60))));
    name = known->name;
  }
  return names;
}

Result<FileOptions::Options> FileOptions::in(Options options) {
  for (const auto& [name, value] : options) TRY(runtime::check_read_option(name));
  return options;
}

std::string measure_spec_json(const MeasureSpec& spec) {
  return record::json_text(record::kType<MeasureSpec>, &spec);
}

std::string measure_spec_toml(const MeasureSpec& spec) { return record::toml_text(spec); }

Result<MeasureSpec> read_measure_spec_json(std::string_view text) {
  return record::read_json<MeasureSpec>(
      text, {.of = record::Reading::Of::kPeople, .limits = {.bytes = kMaxTomlBytes}});
}

Result<MeasureSpec> read_measure_spec_toml(std::string_view text) {
  return record::read_toml<MeasureSpec>(text);
}

}  // namespace ridge::session
