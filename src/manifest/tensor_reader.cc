// SPDX-License-Identifier: Apache-2.0
#include "manifest/tensor_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "manifest/fields.h"

namespace ridge::manifest {
namespace {

/// Names of steps; src/pipeline knows their parameters.
constexpr std::string_view kSteps[] = {
    "decode",   "reverse_channels", "resize", "crop",      "pad",    "cast",    "add",
    "subtract", "multiply",         "divide", "normalize", "layout", "softmax", "drop_first",
    "argsort",  "labels",           "boxes",  "masks",     "image",  "bytes",   "tokens"};

Result<void> check_step(std::string_view step, const Toml& value) {
  if (std::find(std::begin(kSteps), std::end(kSteps), step) != std::end(kSteps)) return {};
  return not_allowed(value, "step", step, {std::begin(kSteps), std::end(kSteps)});
}

/// Steps of a text, which may be several.
Result<void> add_texts(const Toml& item, std::vector<StepSpec>& out) {
  auto parsed = parse_step_texts(item.text);
  if (!parsed.ok()) return std::move(parsed.error()).in(item.place.text());
  for (StepSpec& step : *parsed) {
    step.place = item.place;
    TRY(check_step(step.name, item));
    out.push_back(std::move(step));
  }
  return {};
}

Result<StepSpec> read_step(const Toml& item) {
  constexpr std::string_view kName = "step";
  if (item.kind != Toml::Kind::kTable || item.members.empty())
    return wrong_kind(item, kName, "a step: a name with a table of parameters");
  const TomlMember& only = item.members[0];
  if (item.members.size() > 1)
    return input_error("RIDGE-MAN-0026",
                       fmt::format("the step '{}' is followed by '{}'", printable(only.key),
                                   printable(item.members[1].key)))
        .hint("indent the parameters of a step; begin each step with '-'")
        .in(item.members[1].place.text());
  StepSpec out;
  out.name = only.key;
  out.place = only.place;
  TRY(check_step(out.name, item));
  const bool none = only.value.kind == Toml::Kind::kText && only.value.text.empty();
  if (none) return out;
  if (only.value.kind != Toml::Kind::kTable)
    return wrong_kind(only.value, only.key, "a table of parameters");
  for (const TomlMember& m : only.value.members) {
    std::string value = TRY(scalars_text(m.value, m.key));
    out.parameters.push_back({m.key, std::move(value)});
  }
  // A parameter without a form as text could not be converted.
  const auto same = parse_step(step_text(out));
  if (!same.ok() || !(*same == out))
    return wrong_kind(only.value, only.key, "parameters whose names are letters, digits and _");
  return out;
}

/// Takes every parameter that the table has, under any of its names.
Result<void> read_parameters(Fields& fields, TensorRole role, std::vector<Setting>& out) {
  for (const ParameterRow& row : parameter_rows()) {
    if (parameter_row(row.name, role) != &row) continue;
    std::string_view names = row.aliases, key = row.name;
    while (true) {
      if (const Toml* value = fields.take(key)) {
        if (find(out, row.name) != nullptr)
          return input_error("RIDGE-MAN-0027",
                             fmt::format("'{}' states '{}' a second time", key, row.name))
              .hint("keep one of them")
              .in(value->place.text());
        std::string text = TRY(parameter_value(row, *value));
        out.push_back({std::string(row.name), std::move(text), value->place});
      }
      if (names.empty()) break;
      const std::size_t end = std::min(names.find(' '), names.size());
      key = names.substr(0, end);
      names.remove_prefix(std::min(end + 1, names.size()));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<StepSpec>> read_step_list(const Toml& list) {
  std::vector<StepSpec> out;
  if (list.kind == Toml::Kind::kText) {
    TRY(add_texts(list, out));
    return out;
  }
  if (list.kind != Toml::Kind::kArray) return wrong_kind(list, "steps", "a list of steps");
  for (const Toml& item : list.items) {
    if (item.kind == Toml::Kind::kText)
      TRY(add_texts(item, out));
    else
      out.push_back(TRY(read_step(item)));
  }
  return out;
}

Result<Tensor> read_tensor(const Toml& table, TensorRole role) {
  Tensor out;
  out.place = table.place;
  Fields fields(table);
  out.type = TRY(fields.required("type"));
  out.description = TRY(fields.text("description"));
  if (const Toml* steps = fields.take("steps")) out.steps = TRY(read_step_list(*steps));
  TRY(read_parameters(fields, role, out.parameters));
  if (const Toml* parameters = TRY(fields.table("parameters"))) {
    Fields own(*parameters);
    TRY(read_parameters(own, role, out.parameters));
    TRY(own.finish());
  }
  TRY(fields.finish());
  return out;
}

}  // namespace ridge::manifest
