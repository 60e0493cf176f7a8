// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "base/relative_path.h"
#include "base/text.h"
#include "base/toml.h"
#include "lab/agent/plan.h"
#include "manifest/manifest_file.h"
#include "onnx/external_tensors.h"
#include "onnx/reader.h"
#include "onnx/weights.h"
#include "record/json_tree.h"
#include "record/toml.h"

namespace ridge::lab {
namespace {

namespace fs = std::filesystem;
using record::JsonNode;
using record::JsonTree;

constexpr std::size_t kMostFiles = 100'000;

/// The verb and all other texts of a request.
struct RequestTexts {
  std::string verb;
  std::vector<std::string> values;
};

void add_text(const JsonTree& tree, std::uint32_t node, std::vector<std::string>& out) {
  if (tree[node].kind == JsonNode::Kind::kText) out.push_back(tree.text(node));
}

Error no_verb(const std::string& verb) {
  return input_error("RIDGE-LAB-0112",
                     verb.empty() ? "the request does not say its verb"
                                  : fmt::format("'{}' is no verb whose points can be submitted",
                                                shorten(printable(verb), 40)))
      .hint(fmt::format("verb = \"{}\"", fmt::join(submitted_verbs(), "\", \"")));
}

Result<RequestTexts> texts_in(const JsonTree& tree) {
  RequestTexts out;
  if (tree[0].kind != JsonNode::Kind::kObject) return no_verb("");
  for (std::uint32_t at = 1; at != tree[0].end; at = tree[at + 1].end) {
    const std::uint32_t value = at + 1;
    if (tree.is(at, "verb") && tree[value].kind == JsonNode::Kind::kText) {
      out.verb = tree.text(value);
      continue;
    }
    add_text(tree, value, out.values);
    if (tree[value].kind == JsonNode::Kind::kList)
      for (std::uint32_t item = value + 1; item != tree[value].end; item = tree[item].end)
        add_text(tree, item, out.values);
  }
  const auto verbs = submitted_verbs();
  if (std::ranges::find(verbs, out.verb) != verbs.end()) return out;
  return no_verb(out.verb);
}

Result<RequestTexts> texts_of(std::string_view text, bool is_json) {
  if (is_json) return texts_in(TRY(JsonTree::parse(text, {.bytes = kMaxTomlBytes})));
  const record::TomlAsJson file = TRY(record::toml_as_json(text));
  return texts_in(TRY(JsonTree::parse(file.json, {})));
}

/// Files of a job, found from what names them.
class JobFiles {
 public:
  JobFiles(JobSource& out, const HashWatch& watch) : out_(out), watch_(watch) {}

  /// A text that may name a file or folder; others are left alone.
  Result<void> add_named(const std::string& text) {
    std::error_code ignored;
    for (const std::string& path : {text, text.substr(text.find('=') + 1)})
      if (!path.empty() && fs::exists(path, ignored)) return add(path);
    return {};
  }

 private:
  Result<void> add(const std::string& path) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) return add_file(path);
    for (fs::recursive_directory_iterator it(path, failed), end; !failed && it != end;
         it.increment(failed))
      if (std::error_code ignored; it->is_regular_file(ignored)) TRY(add_file(it->path().string()));
    if (!failed) return {};
    return environment_error("RIDGE-LAB-0115", "cannot read the folder")
        .evidence(failed.message())
        .in_file(path);
  }

  Result<void> add_file(const std::string& given) {
    const std::string path = fs::path(given).lexically_normal().string();
    if (!is_below(path))
      return input_error("RIDGE-LAB-0113", "the file lies outside of this folder")
          .hint(
              "run ridge submit in a folder above all files of the request, and name them from "
              "there: on the other machine they have the same names")
          .in_file(given);
    if (!seen_.insert(path).second) return {};
    if (seen_.size() > kMostFiles)
      return input_error("RIDGE-LAB-0114",
                         fmt::format("the request has more than {} files", kMostFiles))
          .hint("keep large data sets in a registry on each machine: ridge registry add");
    const File file = TRY(File::open(path));
    std::string hash = TRY(sha256_of(file, watch_));
    out_.job.files.push_back({path, std::move(hash), file.size()});
    if (path.ends_with(".onnx")) return add_external(path);
    return manifest::is_manifest_name(path) ? add_manifest(path) : Result<void>();
  }

  Result<void> add_external(const std::string& path) {
    const onnx::Document document = TRY(onnx::read_file(path));
    for (const auto& [location, tensor] : onnx::external_tensors(document.model))
      TRY(add_file(TRY(onnx::locate(document, *tensor)).file->path()));
    return {};
  }

  /// A file that only ends as manifests do is no more than a file.
  Result<void> add_manifest(const std::string& path) {
    const auto manifest = manifest::read_manifest_file(path);
    if (!manifest.ok()) return {};
    if (const auto* model = std::get_if<manifest::ModelManifest>(&manifest->manifest))
      take_needs(*model);
    for (const manifest::NamedFile& file : TRY(manifest::files_of(*manifest, {})))
      TRY(add(file.path));
    return {};
  }

  void take_needs(const manifest::ModelManifest& model) {
    out_.requires_of_machine = model.requirements;
    out_.framework = model.framework;
    out_.framework_version = model.framework_version;
  }

  JobSource& out_;
  const HashWatch& watch_;
  std::set<std::string> seen_;
};

}  // namespace

Result<JobSource> read_job(const std::string& path, const HashWatch& watch) {
  JobSource out;
  out.job.request = TRY(read_file(path, kMaxTomlBytes));
  out.job.is_json = path.ends_with(".json");
  Result<RequestTexts> texts = texts_of(out.job.request, out.job.is_json);
  if (!texts.ok()) return std::move(texts).error().in_file(path);
  out.job.verb = texts->verb;
  JobFiles files(out, watch);
  for (const std::string& text : texts->values) TRY(files.add_named(text));
  return out;
}

}  // namespace ridge::lab
