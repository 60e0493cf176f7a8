// SPDX-License-Identifier: Apache-2.0
#include "manifest/manifest_writer.h"

#include <algorithm>

#include "base/number.h"
#include "manifest/manifest_target.h"
#include "manifest/parameters.h"
#include "manifest/toml_text.h"

namespace ridge::manifest {
namespace {

class TomlTarget final : public ManifestTarget {
 public:
  void begin(std::string_view table) override { toml_.begin_table(table); }
  void begin_inner(std::string_view table, std::string_view name) override {
    toml_.begin_inner_table(table, name);
  }
  void end() override {}
  void begin_list(std::string_view) override {}
  void end_list() override {}
  void begin_item(std::string_view key) override { toml_.begin_array_table(key); }
  void text(std::string_view key, std::string_view value) override { toml_.text(key, value); }
  void texts(std::string_view key, const std::vector<std::string>& values) override {
    toml_.texts(key, values);
  }
  void truth(std::string_view key, bool value) override { toml_.truth(key, value); }
  void whole(std::string_view key, std::int64_t value) override { toml_.whole(key, value); }
  void numbers(std::string_view key, std::string_view list) override { toml_.numbers(key, list); }
  std::string file() && { return std::move(toml_).file(); }

 private:
  TomlText toml_;
};

class JsonTarget final : public ManifestTarget {
 public:
  explicit JsonTarget(JsonWriter& json) : json_(json) {}

  void begin(std::string_view table) override { json_.line().name(table).begin_object(); }
  void begin_inner(std::string_view, std::string_view name) override { begin(name); }
  void end() override { json_.end_object(); }
  void begin_list(std::string_view key) override { json_.line().name(key).begin_array(); }
  void end_list() override { json_.end_array(); }
  void begin_item(std::string_view) override { json_.line().begin_object(); }
  void text(std::string_view key, std::string_view value) override {
    if (!value.empty()) json_.line().name(key).value(value);
  }
  void texts(std::string_view key, const std::vector<std::string>& values) override {
    json_.line().name(key).begin_array();
    for (const std::string& value : values) json_.value(value);
    json_.end_array();
  }
  void truth(std::string_view key, bool value) override { json_.line().name(key).value(value); }
  void whole(std::string_view key, std::int64_t value) override {
    json_.line().name(key).value(value);
  }
  void numbers(std::string_view key, std::string_view list) override {
    json_.line().name(key).begin_array();
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(", "), list.size());
      json_.value(finite_number(list.substr(0, end)).value_or(0));
      list.remove_prefix(std::min(end + 2, list.size()));
    }
    json_.end_array();
  }

 private:
  JsonWriter& json_;
};

void write_texts_at(std::string_view key, const std::vector<std::string>& values,
                    ManifestTarget& out) {
  if (!values.empty()) out.texts(key, values);
}

void write_settings(std::string_view table, const std::vector<Setting>& settings,
                    ManifestTarget& out) {
  if (settings.empty()) return;
  out.begin(table);
  for (const Setting& s : settings) out.text(s.name, s.value);
  out.end();
}

void write_requirements(const Requirements& r, ManifestTarget& out) {
  if (r == Requirements{}) return;
  out.begin("requirements");
  out.text("architecture", r.architecture);
  write_texts_at("isa", r.isa, out);
  if (r.memory_bytes) out.whole("memory", *r.memory_bytes);
  if (r.cores) out.whole("cores", *r.cores);
  out.text("device", r.device);
  out.end();
}

void write_tensors(std::string_view key, const std::vector<Tensor>& tensors, TensorRole role,
                   ManifestTarget& out) {
  if (tensors.empty()) return;
  out.begin_list(key);
  for (const Tensor& t : tensors) {
    out.begin_item(key);
    out.text("type", t.type);
    out.text("description", t.description);
    for (const Setting& p : t.parameters) {
      const ParameterRow* row = parameter_row(p.name, role);
      if (row->kind == ParameterRow::Kind::kTruth)
        out.truth(p.name, p.value == "true");
      else if (row->kind == ParameterRow::Kind::kNumber ||
               row->kind == ParameterRow::Kind::kNumbers)
        out.numbers(p.name, p.value);
      else
        out.text(p.name, p.value);
    }
    if (t.steps) {
      std::vector<std::string> steps;
      for (const StepSpec& s : *t.steps) steps.push_back(step_text(s));
      out.texts("steps", steps);
    }
    out.end();
  }
  out.end_list();
}

void write_containers(const std::vector<Container>& containers, ManifestTarget& out) {
  if (containers.empty()) return;
  out.begin("container");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const bool first = i == 0 || containers[i].architecture != containers[i - 1].architecture;
    if (first && i > 0) out.end();
    if (first) out.begin_inner("container", containers[i].architecture);
    out.text(containers[i].device, containers[i].image);
  }
  out.end();
  out.end();
}

void write_asset(std::string_view key, std::string_view checksum_key, const Asset& asset,
                 ManifestTarget& out) {
  out.text(key, asset.path);
  out.text(checksum_key, asset.checksum.text());
}

void write(const ModelManifest& m, ManifestTarget& out) {
  out.text("modality", m.modality);
  if (m.hidden) out.truth("hidden", true);
  out.text("dataset", m.dataset);
  for (const auto& [key, code] : {std::pair{"before_preprocess", &m.before_preprocess},
                                  {"preprocess", &m.preprocess},
                                  {"after_preprocess", &m.after_preprocess},
                                  {"before_postprocess", &m.before_postprocess},
                                  {"postprocess", &m.postprocess},
                                  {"after_postprocess", &m.after_postprocess}})
    out.text(key, code->text);
  if (!m.framework.empty()) {
    out.begin("framework");
    out.text("name", m.framework);
    out.text("version", m.framework_version);
    out.end();
  }
  write_tensors("inputs", m.inputs, TensorRole::kInput, out);
  write_tensors("outputs", m.outputs, TensorRole::kOutput, out);
  out.begin("model");
  out.text("base_url", m.base_url);
  write_asset("graph_path", "graph_checksum", m.graph, out);
  write_asset("weights_path", "weights_checksum", m.weights, out);
  write_asset("features_path", "features_checksum", m.features, out);
  if (m.is_archive) out.truth("is_archive", true);
  out.end();
  write_settings("attributes", m.attributes, out);
  write_requirements(m.requirements, out);
  write_containers(m.containers, out);
}

void write(const DataManifest& m, ManifestTarget& out) {
  out.text("loader", name(m.loader));
  out.text("folder", m.folder);
  write_texts_at("files", m.files, out);
  write_asset("labels", "labels_checksum", m.labels, out);
  write_asset("samples", "samples_checksum", m.samples, out);
  out.text("checksum", m.checksum.text());
}

void write(const RuntimeManifest& m, ManifestTarget& out) {
  write_settings("options", m.options, out);
  write_requirements(m.requirements, out);
}

void write_head(const Manifest& manifest, ManifestTarget& out) {
  out.text("kind", kind_name(manifest));
  out.text("name", name_of(manifest));
  out.text("version", version_of(manifest));
  std::visit([&](const auto& m) { out.text("description", m.description); }, manifest);
  std::visit(
      [&](const auto& m) {
        if constexpr (requires { m.license; }) {
          out.text("license", m.license);
          write_texts_at("references", m.references, out);
        }
      },
      manifest);
}

void write_all(const Manifest& manifest, ManifestTarget& out) {
  write_head(manifest, out);
  std::visit([&](const auto& m) { write(m, out); }, manifest);
}

}  // namespace

std::string to_toml(const Manifest& manifest) {
  TomlTarget target;
  write_all(manifest, target);
  return std::move(target).file();
}

std::string to_yaml(const Manifest& manifest) {
  YamlTarget target;
  write_all(manifest, target);
  return std::move(target).file();
}

void write_json(const Manifest& manifest, JsonWriter& json) {
  JsonTarget target(json);
  json.begin_object();
  write_all(manifest, target);
  json.line().end_object();
}

}  // namespace ridge::manifest
