// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a manifest (the first byte chooses the syntax), a lock, an entry of the
// registry and code: what can be read survives a round trip, and everything ends.
#include "manifest/code_forms.h"
#include "manifest/lock.h"
#include "manifest/manifest_reader.h"
#include "manifest/manifest_writer.h"
#include "manifest/pipeline.h"
#include "manifest/registry_entry.h"
#include "manifest/run_steps.h"
#include "manifest/yaml.h"

#include "check.h"

namespace {

using namespace ridge;            // NOLINT(google-build-using-namespace)
using namespace ridge::manifest;  // NOLINT(google-build-using-namespace)
using ridge::fuzz::check;

constexpr std::string_view kErrors = "RIDGE-MAN-";

void check_round_trip(const Manifest& manifest) {
  const std::string toml = to_toml(manifest);
  const auto again = read_manifest(toml, Syntax::kToml);
  // A YAML file may be larger than a TOML file is read.
  check(toml.size() > kMaxTomlBytes || (again.ok() && *again == manifest));
  const std::string yaml = to_yaml(manifest);
  const auto same = read_manifest(yaml, Syntax::kYaml);
  check(yaml.size() > kMaxYamlBytes || (same.ok() && *same == manifest));
}

void try_manifest(std::string_view text, Syntax syntax) {
  const auto manifest = read_manifest(text, syntax);
  if (!manifest.ok()) return check(manifest.error().code().starts_with(kErrors));
  check_round_trip(*manifest);
  const auto* model = std::get_if<ModelManifest>(&*manifest);
  if (model == nullptr) return;
  for (const Prefer prefer : {Prefer::kNeither, Prefer::kCode, Prefer::kParameters}) {
    const auto steps = with_steps(*model, prefer);
    if (steps.ok()) check_round_trip(*steps);
    const auto pipeline = pipeline_of(*model, prefer);
    if (!pipeline.ok()) continue;
    for (const auto& specs : pipeline->before)
      if (const auto run = input_steps(specs); !run.ok()) check(!run.error().where().empty());
  }
}

void try_code(std::string_view text) {
  for (const auto& steps : {preprocess_steps(text, {1, 1}), postprocess_steps(text, {1, 1})})
    if (steps.ok())
      for (const StepSpec& step : *steps) check(*parse_step(step_text(step)) == step);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.empty()) return 0;
  const std::string_view text = bytes.substr(1);
  switch (bytes[0]) {
    case 'y':
      try_manifest(text, Syntax::kYaml);
      break;
    case 't':
      try_manifest(text, Syntax::kToml);
      break;
    case 'l':
      if (const auto lock = read_lock(text); lock.ok()) check(*read_lock(to_toml(*lock)) == *lock);
      break;
    case 'e':
      if (const auto entry = parse_entry(text); entry.ok())
        check(*parse_entry(entry_text(*entry)) == *entry);
      break;
    default:
      try_code(text);
  }
  return 0;
}
