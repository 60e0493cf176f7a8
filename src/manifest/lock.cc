#include "manifest/lock.h"

#include <fmt/format.h>

#include <algorithm>

#include "manifest/fields.h"
#include "manifest/manifest_reader.h"
#include "manifest/sha256.h"
#include "manifest/tensor_reader.h"
#include "manifest/toml_text.h"

namespace ridge::manifest {
namespace {

constexpr std::string_view kFormat = "ridge.lock/1";

constexpr struct {
  std::string_view key;
  std::string_view name;  ///< in sentences
  Lock::Item Lock::*item;
} kItems[] = {{"model", "model", &Lock::model},
              {"data", "data set", &Lock::data},
              {"labels", "labels", &Lock::labels},
              {"runtime", "runtime", &Lock::runtime}};

constexpr struct {
  std::string_view key;
  std::string_view name;
  std::vector<Setting> Lock::*settings;
} kSettings[] = {{"options", "option", &Lock::options},
                 {"seeds", "seed", &Lock::seeds},
                 {"host", "host", &Lock::host}};

std::vector<std::string> texts_of(const std::vector<StepSpec>& steps) {
  std::vector<std::string> out;
  out.reserve(steps.size());
  for (const StepSpec& s : steps) out.push_back(step_text(s));
  return out;
}

void compare(std::string what, const std::string& locked, const std::string& now,
             std::vector<Difference>& out) {
  if (locked != now) out.push_back({std::move(what), locked, now});
}

void compare_settings(std::string_view what, const std::vector<Setting>& locked,
                      const std::vector<Setting>& now, std::vector<Difference>& out) {
  for (const Setting& s : locked) {
    const Setting* other = find(now, s.name);
    compare(fmt::format("{} {}", what, s.name), s.value, other == nullptr ? "" : other->value, out);
  }
  for (const Setting& s : now)
    if (find(locked, s.name) == nullptr)
      compare(fmt::format("{} {}", what, s.name), "", s.value, out);
}

void compare_steps(std::string_view of, const std::vector<StepSpec>& locked,
                   const std::vector<StepSpec>& now, std::vector<Difference>& out) {
  const std::vector<std::string> a = texts_of(locked), b = texts_of(now);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    compare(fmt::format("step {} of {}", i + 1, of), i < a.size() ? a[i] : "",
            i < b.size() ? b[i] : "", out);
}

Result<void> read_item(Fields& fields, std::string_view key, Lock::Item& out) {
  const Toml* table = TRY(fields.table(key));
  if (table == nullptr) return {};
  Fields own(*table);
  out.name = TRY(own.text("name"));
  out.sha256 = TRY(own.text("sha256"));
  return own.finish();
}

Result<void> read_settings(Fields& fields, std::string_view key, std::vector<Setting>& out) {
  const Toml* table = TRY(fields.table(key));
  if (table == nullptr) return {};
  for (const TomlMember& m : table->members) {
    std::string value = TRY(scalar_text(m.value, m.key));
    out.push_back({m.key, std::move(value), m.place});
  }
  return {};
}

Result<void> read_pipeline(Fields& fields, Pipeline& out) {
  for (const Toml* input : TRY(fields.tables("inputs"))) {
    Fields own(*input);
    const Toml* steps = own.take("steps");
    out.before.push_back(steps == nullptr ? std::vector<StepSpec>() : TRY(read_step_list(*steps)));
    TRY(own.finish());
  }
  if (const Toml* outputs = TRY(fields.table("outputs"))) {
    Fields own(*outputs);
    if (const Toml* steps = own.take("steps")) out.after = TRY(read_step_list(*steps));
    TRY(own.finish());
  }
  return {};
}

void write_texts(const std::vector<std::string>& texts, JsonWriter& json) {
  json.begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

}  // namespace

bool Lock::operator==(const Lock& other) const { return differences(*this, other).empty(); }

std::string pipeline_sha256(const Pipeline& pipeline) {
  Sha256 hash;
  const auto add = [&](const std::vector<StepSpec>& steps) {
    for (const std::string& text : texts_of(steps)) hash.add(text + "\n");
    hash.add("\n");
  };
  for (const auto& steps : pipeline.before) add(steps);
  hash.add("\n");
  add(pipeline.after);
  return hash.hex();
}

std::string to_toml(const Lock& lock) {
  TomlText toml;
  toml.text("format", kFormat);
  for (const auto& row : kItems) {
    const Lock::Item& item = lock.*row.item;
    if (item == Lock::Item{}) continue;
    toml.begin_table(row.key);
    toml.text("name", item.name);
    toml.text("sha256", item.sha256);
  }
  for (const auto& row : kSettings) {
    if ((lock.*row.settings).empty()) continue;
    toml.begin_table(row.key);
    for (const Setting& s : lock.*row.settings) toml.text(s.name, s.value);
  }
  for (const auto& steps : lock.pipeline.before) {
    toml.begin_array_table("inputs");
    toml.texts("steps", texts_of(steps));
  }
  toml.begin_table("outputs");
  toml.texts("steps", texts_of(lock.pipeline.after));
  return std::move(toml).file();
}

Result<Lock> read_lock(std::string_view text) {
  const Toml file = TRY(read_table(text, Syntax::kToml));
  Fields fields(file);
  const Toml* format = fields.take("format");
  const std::string named = TRY(fields.required("format"));
  if (named != kFormat) return not_allowed(*format, "format", named, {std::string(kFormat)});
  Lock out;
  for (const auto& row : kItems) TRY(read_item(fields, row.key, out.*row.item));
  for (const auto& row : kSettings) TRY(read_settings(fields, row.key, out.*row.settings));
  TRY(read_pipeline(fields, out.pipeline));
  TRY(fields.finish());
  return out;
}

void write_json(const Lock& lock, JsonWriter& json) {
  json.begin_object().key("format").value(kFormat);
  for (const auto& row : kItems) {
    const Lock::Item& item = lock.*row.item;
    json.line().name(row.key).begin_object().key("name").value_or_null(item.name);
    json.key("sha256").value_or_null(item.sha256).end_object();
  }
  for (const auto& row : kSettings) {
    json.line().name(row.key).begin_object();
    for (const Setting& s : lock.*row.settings) json.name(s.name).value(s.value);
    json.end_object();
  }
  json.line().key("pipeline").begin_object();
  json.key("sha256").value(pipeline_sha256(lock.pipeline)).key("before").begin_array();
  for (const auto& steps : lock.pipeline.before) write_texts(texts_of(steps), json);
  json.end_array().key("after");
  write_texts(texts_of(lock.pipeline.after), json);
  json.end_object().line().end_object();
}

std::vector<Difference> differences(const Lock& locked, const Lock& now) {
  std::vector<Difference> out;
  for (const auto& row : kItems) {
    const Lock::Item &then = locked.*row.item, &today = now.*row.item;
    compare(std::string(row.name), then.name, today.name, out);
    compare(fmt::format("SHA-256 of the {}", row.name), then.sha256, today.sha256, out);
  }
  const auto& a = locked.pipeline.before;
  const auto& b = now.pipeline.before;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    compare_steps(fmt::format("input {}", i), i < a.size() ? a[i] : std::vector<StepSpec>(),
                  i < b.size() ? b[i] : std::vector<StepSpec>(), out);
  compare_steps("the outputs", locked.pipeline.after, now.pipeline.after, out);
  for (const auto& row : kSettings)
    compare_settings(row.name, locked.*row.settings, now.*row.settings, out);
  return out;
}

}  // namespace ridge::manifest
