// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject/manifest_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "evaluation/subject/requirements.h"
#include "evaluation/subject/wanted_runtime.h"
#include "manifest/output_steps.h"
#include "manifest/pipeline.h"
#include "manifest/run_steps.h"
#include "pipeline/step_text.h"

namespace ridge::evaluation {
namespace {

using manifest::Asset;
using manifest::StepSpec;

class Viewer {
 public:
  Viewer(manifest::Prefer prefer, const session::Environment& environment)
      : prefer_(prefer), environment_(environment) {}

  Result<ManifestView> run(const manifest::Manifest& manifest) {
    out_.kind = kind_name(manifest);
    out_.name = name_of(manifest);
    out_.version = version_of(manifest);
    TRY(std::visit([&](const auto& m) { return add(m); }, manifest));
    return std::move(out_);
  }

 private:
  void fact(std::string what, std::string value) {
    if (!value.empty()) out_.facts.push_back({std::move(what), std::move(value)});
  }

  void asset(std::string_view what, const Asset& asset) {
    if (asset.path.empty()) return;
    const std::string sum = asset.checksum.text();
    fact(std::string(what), sum.empty() ? asset.path : fmt::format("{} ({})", asset.path, sum));
  }

  void requirements(const manifest::Requirements& requirements) {
    for (const RequirementCheck& c : checks_of(requirements, environment_.host)) {
      out_.met = out_.met && c.met;
      fact("requires " + c.what, fmt::format("{}: {}, this machine has {}", c.wanted,
                                             c.met ? "met" : "not met", c.found));
    }
  }

  void framework(const manifest::ModelManifest& m) {
    if (m.framework.empty()) return;
    const auto wanted = wanted_runtime(m.framework, m.framework_version);
    fact("framework", fmt::format("{} {}({})", m.framework,
                                  m.framework_version.empty() ? "" : m.framework_version + " ",
                                  wanted.ok() ? "--runtimes " + wanted->name : "no runtime here"));
  }

  Result<void> add(const manifest::ModelManifest& m) {
    fact("description", m.description);
    fact("license", m.license);
    fact("modality", m.modality);
    framework(m);
    asset("graph", m.graph);
    asset("weights", m.weights);
    asset("class names", m.features);
    fact("data set", m.dataset);
    const manifest::Pipeline pipeline = TRY(manifest::pipeline_of(m, prefer_));
    for (std::size_t i = 0; i < pipeline.before.size(); ++i) {
      const auto steps = TRY(manifest::input_steps(pipeline.before[i]));
      out_.steps += steps.size();
      std::vector<std::string> lines{tensor_text(m.inputs[i])};
      for (const pipeline::Step& step : steps) lines.push_back("  " + pipeline::print_step(step));
      fact(fmt::format("input {}", i), fmt::format("{}", fmt::join(lines, "\n")));
    }
    for (std::size_t i = 0; i < m.outputs.size(); ++i)
      fact(fmt::format("output {}", i), tensor_text(m.outputs[i]));
    std::vector<std::string> after;
    for (const StepSpec& step : pipeline.after) {
      const auto text = manifest::output_steps_text({&step, 1});
      after.push_back(text.ok() ? *text : step_text(step) + " (not computed here)");
    }
    fact("after the run", fmt::format("{}", fmt::join(after, "\n")));
    requirements(m.requirements);
    return {};
  }

  static std::string tensor_text(const manifest::Tensor& tensor) {
    const std::string_view layer = tensor.parameter("layer");
    return layer.empty() ? tensor.type : fmt::format("{}, {}", tensor.type, layer);
  }

  Result<void> add(const manifest::DataManifest& m) {
    fact("description", m.description);
    fact("license", m.license);
    fact("loader", std::string(name(m.loader)));
    fact("folder", m.folder);
    fact("files", fmt::format("{}", fmt::join(m.files, "\n")));
    asset("labels", m.labels);
    asset("samples", m.samples);
    fact("checksum", m.checksum.text());
    return {};
  }

  Result<void> add(const manifest::RuntimeManifest& m) {
    fact("description", m.description);
    const WantedRuntime wanted = TRY(wanted_runtime(m.name, m.version));
    fact("runtime", "--runtimes " + wanted.name);
    for (const manifest::Setting& s : m.options) fact("option " + s.name, s.value);
    requirements(m.requirements);
    return {};
  }

  manifest::Prefer prefer_;
  const session::Environment& environment_;
  ManifestView out_;
};

}  // namespace

Result<ManifestView> view_of(const manifest::ManifestFile& file, manifest::Prefer prefer,
                             const session::Environment& environment) {
  auto view = Viewer(prefer, environment).run(file.manifest);
  if (!view.ok()) return std::move(view).error().in_file(file.path);
  return view;
}

}  // namespace ridge::evaluation
