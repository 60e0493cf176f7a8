// SPDX-License-Identifier: Apache-2.0
#include "manifest/manifest_reader.h"

#include <fmt/format.h>

#include <array>

#include "base/number.h"
#include "manifest/fields.h"
#include "manifest/tensor_reader.h"
#include "manifest/version.h"
#include "manifest/yaml.h"

namespace ridge::manifest {
namespace {

constexpr std::array kLoaders{Loader::kImages, Loader::kNpy, Loader::kCsv, Loader::kText};
constexpr std::array<std::string_view, 2> kContainerDevices{"cpu", "gpu"};

constexpr std::size_t kLongestSetting = 100, kMaxSettings = 500;

/// Units of memory; a number alone is bytes.
constexpr struct {
  std::string_view suffix;
  double bytes;
} kUnits[] = {{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}};

Error at_value(Error error, const Toml& value) { return std::move(error).in(value.place.text()); }

/// The TOML reader's errors, with codes and hints of manifests.
Error of_manifest(const Error& error) {
  const bool deep = error.message().find("nest more than") != std::string::npos;
  return input_error("RIDGE-MAN-0014", error.message())
      .evidence(error.evidence())
      .hint(deep ? "write steps as text: steps = \"resize(256, short) layout(nchw)\""
                 : "put text in double quotes and a key before '='")
      .in(error.where());
}

Result<std::string> checked_version(Fields& fields) {
  const Toml* value = fields.take("version");
  const std::string text = TRY(fields.required("version"));
  if (text == "latest") return text;
  const auto version = parse_version(text);
  if (!version.ok()) return at_value(version.error(), *value);
  return text;
}

/// Version constraint, or "" if there is none.
Result<std::string> checked_constraint(Fields& fields) {
  const Toml* value = fields.take("version");
  const std::string text = TRY(fields.text("version"));
  if (text.empty()) return text;
  const auto constraint = parse_constraint(text);
  if (!constraint.ok()) return at_value(constraint.error(), *value);
  return text;
}

Result<std::string> checked_name(Fields& fields) {
  const Toml* value = fields.take("name");
  std::string text = TRY(fields.required("name"));
  const auto valid = check_name(text);
  if (!valid.ok()) return at_value(valid.error(), *value);
  return text;
}

Result<Checksum> checksum(Fields& fields, std::string_view key) {
  const Toml* value = fields.take(key);
  const auto parsed = parse_checksum(TRY(fields.text(key)));
  if (!parsed.ok()) return at_value(parsed.error(), *value);
  return *parsed;
}

Result<Asset> asset(Fields& fields, std::string_view path_key, std::string_view checksum_key) {
  Asset out;
  out.path = TRY(fields.text(path_key));
  out.checksum = TRY(checksum(fields, checksum_key));
  return out;
}

Result<void> add_settings(const Toml& table, const std::string& prefix, std::vector<Setting>& out);

/// Adds a value under its name; tables and lists of tables as `name.key`.
Result<void> add_setting(const Toml& value, const std::string& name, std::vector<Setting>& out) {
  if (value.kind == Toml::Kind::kTable) return add_settings(value, name + ".", out);
  const bool tables = value.kind == Toml::Kind::kArray && !value.items.empty() &&
                      value.items[0].kind == Toml::Kind::kTable;
  if (tables) {
    for (const Toml& item : value.items) TRY(add_setting(item, name, out));
    return {};
  }
  std::string text = value.kind == Toml::Kind::kNumber && !value.text.empty()
                         ? value.text
                         : TRY(scalars_text(value, name));
  if (name.size() > kLongestSetting)
    return input_error("RIDGE-MAN-0029", fmt::format("a name has {} bytes, the limit is {}",
                                                     name.size(), kLongestSetting))
        .in(value.place.text());
  if (out.size() == kMaxSettings)
    return input_error("RIDGE-MAN-0034",
                       fmt::format("a table has more than {} values", kMaxSettings))
        .in(value.place.text());
  // A list of tables may state a name several times.
  std::string own = name;
  for (int i = 2; find(out, own) != nullptr; ++i) own = fmt::format("{}.{}", name, i);
  if (!text.empty()) out.push_back({std::move(own), std::move(text), value.place});
  return {};
}

Result<void> add_settings(const Toml& table, const std::string& prefix, std::vector<Setting>& out) {
  for (const TomlMember& m : table.members) TRY(add_setting(m.value, prefix + m.key, out));
  return {};
}

Result<std::vector<Setting>> settings(Fields& fields, std::string_view key) {
  std::vector<Setting> out;
  if (const Toml* table = TRY(fields.table(key))) TRY(add_settings(*table, "", out));
  return out;
}

Result<void> read_containers(const Toml* table, std::vector<Container>& out) {
  if (table == nullptr) return {};
  for (const TomlMember& m : table->members) {
    if (m.value.kind != Toml::Kind::kTable) return wrong_kind(m.value, m.key, "a table");
    TRY_IN(m.place.text(), check_name(m.key));
    Fields fields(m.value);
    for (const std::string_view device : kContainerDevices)
      if (std::string image = TRY(fields.text(device)); !image.empty())
        out.push_back({m.key, std::string(device), std::move(image)});
    TRY(fields.finish());
  }
  return {};
}

/// "8 GiB", "500MB", or bytes.
Result<std::optional<std::int64_t>> memory(Fields& fields) {
  std::optional<std::int64_t> out;
  const Toml* value = fields.take("memory");
  if (value == nullptr) return out;
  if (value->kind != Toml::Kind::kText) return fields.count("memory");
  std::string_view text = value->text;
  double unit = 1;
  for (const auto& known : kUnits)
    if (text.ends_with(known.suffix)) {
      unit = known.bytes;
      text.remove_suffix(known.suffix.size());
      break;
    }
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto number = finite_number(text);
  if (!number || *number <= 0 || *number * unit > 1e15)
    return wrong_kind(*value, "memory", "a size such as \"8 GiB\"");
  out = static_cast<std::int64_t>(*number * unit);
  return out;
}

Result<Requirements> requirements(Fields& fields) {
  Requirements out;
  const Toml* table = TRY(fields.table("requirements"));
  if (table == nullptr) return out;
  Fields own(*table);
  out.architecture = TRY(own.text("architecture"));
  out.isa = TRY(own.texts("isa"));
  out.memory_bytes = TRY(memory(own));
  out.cores = TRY(own.count("cores"));
  out.device = TRY(own.text("device"));
  TRY(own.finish());
  return out;
}

Result<void> read_framework(Fields& fields, ModelManifest& out) {
  TRY(read_containers(TRY(fields.table("container")), out.containers));
  const Toml* table = TRY(fields.table("framework"));
  if (table == nullptr) return {};
  Fields own(*table);
  out.framework = TRY(own.required("name"));
  out.framework_version = TRY(checked_constraint(own));
  TRY(read_containers(TRY(own.table("container")), out.containers));
  return own.finish();
}

Result<void> read_model_files(Fields& fields, ModelManifest& out) {
  const Toml* table = TRY(fields.table("model"));
  if (table == nullptr) return {};
  Fields own(*table);
  out.base_url = TRY(own.text("base_url"));
  out.graph = TRY(asset(own, "graph_path", "graph_checksum"));
  // The paper's listing has one checksum, of the graph.
  const Checksum only = TRY(checksum(own, "checksum"));
  if (out.graph.checksum.kind == Checksum::Kind::kNone) out.graph.checksum = only;
  out.weights = TRY(asset(own, "weights_path", "weights_checksum"));
  out.features = TRY(asset(own, "features_path", "features_checksum"));
  out.is_archive = TRY(own.truth("is_archive"));
  return own.finish();
}

Result<Code> code(Fields& fields, std::string_view key) {
  Code out;
  if (const Toml* value = fields.take(key)) {
    out.text = TRY(scalar_text(*value, key));
    out.place = value->place;
  }
  return out;
}

Result<void> read_code(Fields& fields, ModelManifest& out) {
  out.before_preprocess = TRY(code(fields, "before_preprocess"));
  out.preprocess = TRY(code(fields, "preprocess"));
  out.after_preprocess = TRY(code(fields, "after_preprocess"));
  out.before_postprocess = TRY(code(fields, "before_postprocess"));
  out.postprocess = TRY(code(fields, "postprocess"));
  out.after_postprocess = TRY(code(fields, "after_postprocess"));
  return {};
}

Result<Manifest> read_model(Fields& fields) {
  ModelManifest out;
  out.name = TRY(checked_name(fields));
  out.version = TRY(checked_version(fields));
  TRY(read_framework(fields, out));
  out.description = TRY(fields.text("description"));
  out.references = TRY(fields.texts("references"));
  out.license = TRY(fields.text("license"));
  out.modality = TRY(fields.text("modality"));
  out.hidden = TRY(fields.truth("hidden"));
  out.dataset = TRY(fields.text("dataset"));
  for (const Toml* table : TRY(fields.tables("inputs")))
    out.inputs.push_back(TRY(read_tensor(*table, TensorRole::kInput)));
  for (const Toml* table : TRY(fields.tables("outputs")))
    out.outputs.push_back(TRY(read_tensor(*table, TensorRole::kOutput)));
  // The catalogue's first manifests have one output.
  if (const Toml* table = TRY(fields.table("output")))
    out.outputs.push_back(TRY(read_tensor(*table, TensorRole::kOutput)));
  TRY(read_model_files(fields, out));
  TRY(read_code(fields, out));
  out.attributes = TRY(settings(fields, "attributes"));
  out.requirements = TRY(requirements(fields));
  TRY(fields.finish());
  return Manifest(std::move(out));
}

Result<Loader> read_loader(Fields& fields) {
  const Toml* value = fields.take("loader");
  const std::string text = TRY(fields.required("loader"));
  std::vector<std::string> names;
  for (const Loader l : kLoaders) {
    if (name(l) == text) return l;
    names.emplace_back(name(l));
  }
  return not_allowed(*value, "loader", text, names);
}

Result<Manifest> read_data(Fields& fields) {
  DataManifest out;
  out.name = TRY(checked_name(fields));
  out.version = TRY(checked_version(fields));
  out.description = TRY(fields.text("description"));
  out.license = TRY(fields.text("license"));
  out.references = TRY(fields.texts("references"));
  out.loader = TRY(read_loader(fields));
  out.folder = TRY(fields.text("folder"));
  out.files = TRY(fields.texts("files"));
  if (out.folder.empty() == out.files.empty())
    return input_error("RIDGE-MAN-0025", "a data set has either a folder or files")
        .hint("state one of the keys 'folder' and 'files'")
        .in(fields.place().text());
  out.labels = TRY(asset(fields, "labels", "labels_checksum"));
  out.samples = TRY(asset(fields, "samples", "samples_checksum"));
  out.checksum = TRY(checksum(fields, "checksum"));
  TRY(fields.finish());
  return Manifest(std::move(out));
}

Result<Manifest> read_runtime(Fields& fields) {
  RuntimeManifest out;
  out.name = TRY(checked_name(fields));
  out.version = TRY(checked_constraint(fields));
  out.description = TRY(fields.text("description"));
  out.options = TRY(settings(fields, "options"));
  out.requirements = TRY(requirements(fields));
  TRY(fields.finish());
  return Manifest(std::move(out));
}

}  // namespace

Syntax syntax_of(std::string_view path) {
  return path.ends_with(".toml") ? Syntax::kToml : Syntax::kYaml;
}

Result<Toml> read_table(std::string_view text, Syntax syntax) {
  if (syntax == Syntax::kYaml) return read_yaml(text);
  auto file = read_toml(text);
  if (!file.ok()) return of_manifest(file.error());
  return file;
}

Result<Manifest> read_manifest(std::string_view text, Syntax syntax) {
  const Toml file = TRY(read_table(text, syntax));
  if (file.kind != Toml::Kind::kTable) return wrong_kind(file, "manifest", "a table");
  Fields fields(file);
  const Toml* value = fields.take("kind");
  const std::string kind = TRY(fields.text("kind"));
  if (kind.empty() || kind == "model") return read_model(fields);
  if (kind == "dataset") return read_data(fields);
  if (kind == "runtime") return read_runtime(fields);
  return not_allowed(*value, "kind", kind, {"model", "dataset", "runtime"});
}

}  // namespace ridge::manifest
