// SPDX-License-Identifier: Apache-2.0
#include "manifest/lock.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash/sha256.h"
#include "manifest/fields.h"
#include "manifest/manifest_reader.h"
#include "manifest/toml_text.h"

namespace ridge::manifest {
namespace {

using Of = Difference::Of;

constexpr struct {
  std::string_view key;
  std::string_view name;  ///< in sentences
  Lock::Item Lock::*item;
} kItems[] = {{"model", "model", &Lock::model},
              {"data", "data set", &Lock::data},
              {"labels", "labels", &Lock::labels}};

constexpr struct {
  std::string_view key;
  std::string_view name;
  std::vector<Setting> Lock::*settings;
  Of of;
} kSettings[] = {{"options", "option", &Lock::options, Of::kSetting},
                 {"seeds", "seed", &Lock::seeds, Of::kSetting},
                 {"host", "host", &Lock::host, Of::kHost}};

/// Differences of one lock to another, as they are found.
class LockComparison {
 public:
  void compare(Of of, std::string what, const std::string& locked, const std::string& now) {
    if (locked != now) out_.push_back({of, std::move(what), locked, now});
  }

  void settings(Of of, std::string_view what, const std::vector<Setting>& locked,
                const std::vector<Setting>& now) {
    const auto name_of = [&](const Setting& s) { return fmt::format("{} {}", what, s.name); };
    // Empty text is stated as well.
    const auto value_of = [](const Setting& s) { return s.value.empty() ? "\"\"" : s.value; };
    for (const Setting& s : locked) {
      const Setting* other = find(now, s.name);
      compare(of, name_of(s), value_of(s), other == nullptr ? "" : value_of(*other));
    }
    for (const Setting& s : now)
      if (find(locked, s.name) == nullptr) compare(of, name_of(s), "", value_of(s));
  }

  void steps(std::string_view of, const std::vector<std::string>& a,
             const std::vector<std::string>& b) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      compare(Of::kContent, fmt::format("step {} of {}", i + 1, of), i < a.size() ? a[i] : "",
              i < b.size() ? b[i] : "");
  }

  /// Runtimes or files, one after the other.
  template <typename Row>
  void rows(const std::vector<Row>& a, const std::vector<Row>& b,
            void (LockComparison::*row)(const Row&, const Row&)) {
    const Row none;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      (this->*row)(i < a.size() ? a[i] : none, i < b.size() ? b[i] : none);
  }

  void runtime(const Lock::Runtime& a, const Lock::Runtime& b) {
    compare(Of::kContent, "runtime", a.name, b.name);
    if (a.name != b.name) return;
    compare(Of::kContent, fmt::format("version of {}", a.name), a.version, b.version);
    compare(Of::kContent, fmt::format("{}{}", kLibraryHash, a.name), a.sha256, b.sha256);
  }

  void file(const Lock::File& a, const Lock::File& b) {
    const std::string& use = a.use.empty() ? b.use : a.use;
    compare(Of::kSetting, "use of a file", a.use, b.use);
    compare(Of::kName, fmt::format("file of {}", use), a.name, b.name);
    compare(Of::kContent, fmt::format("SHA-256 of the file of {}", use), a.sha256, b.sha256);
  }

  std::vector<Difference> take() && { return std::move(out_); }

 private:
  std::vector<Difference> out_;
};

Result<void> read_item(Fields& fields, std::string_view key, Lock::Item& out) {
  const Toml* table = TRY(fields.table(key));
  if (table == nullptr) return {};
  Fields own(*table);
  out.name = TRY(own.text("name"));
  out.sha256 = TRY(own.text("sha256"));
  out.entry = TRY(own.text("entry"));
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

Result<void> read_runtimes(Fields& fields, std::vector<Lock::Runtime>& out) {
  for (const Toml* table : TRY(fields.tables("runtimes"))) {
    Fields own(*table);
    Lock::Runtime& r = out.emplace_back();
    r.name = TRY(own.required("name"));
    r.version = TRY(own.text("version"));
    r.sha256 = TRY(own.text("sha256"));
    TRY(own.finish());
  }
  return {};
}

Result<void> read_locked_files(Fields& fields, std::vector<Lock::File>& out) {
  for (const Toml* table : TRY(fields.tables("files"))) {
    Fields own(*table);
    Lock::File& f = out.emplace_back();
    f.use = TRY(own.required("use"));
    f.name = TRY(own.required("name"));
    f.sha256 = TRY(own.text("sha256"));
    TRY(own.finish());
  }
  return {};
}

Result<void> read_pipeline(Fields& fields, Lock::Steps& out) {
  for (const Toml* input : TRY(fields.tables("inputs"))) {
    Fields own(*input);
    out.before.push_back(TRY(own.texts("steps")));
    TRY(own.finish());
  }
  if (const Toml* outputs = TRY(fields.table("outputs"))) {
    Fields own(*outputs);
    out.after = TRY(own.texts("steps"));
    TRY(own.finish());
  }
  return {};
}

}  // namespace

bool Lock::operator==(const Lock& other) const { return differences(*this, other).empty(); }

std::string pipeline_sha256(const Lock::Steps& pipeline) {
  Sha256 hash;
  const auto add = [&](const std::vector<std::string>& steps) {
    for (const std::string& text : steps) hash.add(text + "\n");
    hash.add("\n");
  };
  for (const auto& steps : pipeline.before) add(steps);
  hash.add("\n");
  add(pipeline.after);
  return hash.hex();
}

std::string to_toml(const Lock& lock) {
  TomlText toml;
  toml.text("format", kLockFormat);
  toml.text("ridge", lock.ridge);
  for (const auto& row : kItems) {
    const Lock::Item& item = lock.*row.item;
    if (item == Lock::Item{}) continue;
    toml.begin_table(row.key);
    toml.text("name", item.name);
    toml.text("sha256", item.sha256);
    if (!item.entry.empty()) toml.text("entry", item.entry);
  }
  for (const Lock::Runtime& r : lock.runtimes) {
    toml.begin_array_table("runtimes");
    toml.text("name", r.name);
    toml.text("version", r.version);
    toml.text("sha256", r.sha256);
  }
  for (const Lock::File& f : lock.files) {
    toml.begin_array_table("files");
    toml.text("use", f.use);
    toml.text("name", f.name);
    toml.text("sha256", f.sha256);
  }
  for (const auto& steps : lock.pipeline.before) {
    toml.begin_array_table("inputs");
    toml.texts("steps", steps);
  }
  if (!lock.pipeline.after.empty()) {
    toml.begin_table("outputs");
    toml.texts("steps", lock.pipeline.after);
  }
  for (const auto& row : kSettings) {
    if ((lock.*row.settings).empty()) continue;
    toml.begin_table(row.key);
    for (const Setting& s : lock.*row.settings) toml.whole_text(s.name, s.value);
  }
  return std::move(toml).file();
}

Result<Lock> read_lock(std::string_view text) {
  const Toml file = TRY(read_table(text, Syntax::kToml));
  Fields fields(file);
  const Toml* format = fields.take("format");
  const std::string named = TRY(fields.required("format"));
  if (named != kLockFormat)
    return not_allowed(*format, "format", named, {std::string(kLockFormat)});
  Lock out;
  out.ridge = TRY(fields.text("ridge"));
  for (const auto& row : kItems) TRY(read_item(fields, row.key, out.*row.item));
  TRY(read_runtimes(fields, out.runtimes));
  TRY(read_locked_files(fields, out.files));
  TRY(read_pipeline(fields, out.pipeline));
  for (const auto& row : kSettings) TRY(read_settings(fields, row.key, out.*row.settings));
  TRY(fields.finish());
  return out;
}

std::vector<Difference> differences(const Lock& locked, const Lock& now) {
  LockComparison out;
  out.compare(Of::kHost, "version of ridge", locked.ridge, now.ridge);
  for (const auto& row : kItems) {
    const Lock::Item &then = locked.*row.item, &today = now.*row.item;
    out.compare(Of::kName, std::string(row.name), then.name, today.name);
    out.compare(Of::kName, fmt::format("entry of the {}", row.name), then.entry, today.entry);
    out.compare(Of::kContent, fmt::format("SHA-256 of the {}", row.name), then.sha256,
                today.sha256);
  }
  out.rows(locked.runtimes, now.runtimes, &LockComparison::runtime);
  out.rows(locked.files, now.files, &LockComparison::file);
  const auto& a = locked.pipeline.before;
  const auto& b = now.pipeline.before;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    out.steps(fmt::format("input {}", i), i < a.size() ? a[i] : std::vector<std::string>(),
              i < b.size() ? b[i] : std::vector<std::string>());
  out.steps("the outputs", locked.pipeline.after, now.pipeline.after);
  for (const auto& row : kSettings)
    out.settings(row.of, row.name, locked.*row.settings, now.*row.settings);
  return std::move(out).take();
}

std::string text_of(const Difference& d) {
  const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
  return fmt::format("{}: {} then, {} now", d.what, shown(d.locked), shown(d.now));
}

}  // namespace ridge::manifest
