// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/job_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/list.h"
#include "base/text.h"
#include "manifest/registry.h"
#include "record/json_tree.h"
#include "runtime/paths.h"
#include "zoo/zoo.h"

namespace ridge::lab::serve {
namespace {

using record::JsonNode;
using record::JsonTree;

constexpr std::size_t kLargestRequest = std::size_t{64} << 10;
constexpr std::size_t kShown = 60;
constexpr std::string_view kNullRuntime = "null";

enum class Verbs : std::uint8_t { kEval = 1, kBench = 2, kBoth = 3 };
enum class Rule : std::uint8_t {
  kValue,     ///< numbers, words, sizes
  kFrame,     ///< schema and verb
  kModel,     ///< names of models
  kRuntime,   ///< names of runtimes
  kArrivals,  ///< without a file of times
};

struct AllowedKey {
  std::string_view key;
  Verbs verbs;
  Rule rule = Rule::kValue;
};

constexpr AllowedKey kAllowed[] = {
    {"schema", Verbs::kBoth, Rule::kFrame},
    {"verb", Verbs::kBoth, Rule::kFrame},
    {"model", Verbs::kBoth, Rule::kModel},
    {"runtime", Verbs::kBoth, Rule::kRuntime},
    {"arrivals", Verbs::kEval, Rule::kArrivals},
    {"batch", Verbs::kEval},
    {"batching", Verbs::kEval},
    {"bind", Verbs::kBoth},
    {"bound", Verbs::kEval},
    {"budget", Verbs::kBoth},
    {"clients", Verbs::kEval},
    {"duration", Verbs::kEval},
    {"find-peak", Verbs::kEval},
    {"max-duration", Verbs::kEval},
    {"min-queries", Verbs::kEval},
    {"no-pin", Verbs::kBench},
    {"optimization", Verbs::kBoth},
    {"processes", Verbs::kBench},
    {"qps", Verbs::kEval},
    {"refresh-roofs", Verbs::kBench},
    {"runtime-option", Verbs::kBoth},
    {"samples", Verbs::kEval},
    {"samples-per-query", Verbs::kEval},
    {"scenario", Verbs::kEval},
    {"seed", Verbs::kBoth},
    {"shape", Verbs::kBoth},
    {"threads", Verbs::kBoth},
    {"warmup", Verbs::kEval},
    {"weights", Verbs::kBoth},
    {"workers", Verbs::kEval},
};

std::string shown_value(std::string_view text) { return shorten(printable(text), kShown); }

bool is_for(Verbs verbs, std::string_view verb) {
  const unsigned bit = static_cast<unsigned>(verb == "eval" ? Verbs::kEval : Verbs::kBench);
  return (static_cast<unsigned>(verbs) & bit) != 0;
}

/// Texts of a value: of a list those of its items.
std::vector<std::string> texts_of(const JsonTree& tree, std::uint32_t node) {
  std::vector<std::string> out;
  const auto add = [&](std::uint32_t at) {
    if (tree[at].kind == JsonNode::Kind::kText)
      out.push_back(tree.text(at));
    else
      out.emplace_back(tree.raw(at));
  };
  if (tree[node].kind != JsonNode::Kind::kList) return add(node), out;
  for (std::uint32_t at = node + 1; at != tree[node].end; at = tree[at].end) add(at);
  return out;
}

bool is_model_name_known(const std::string& name, std::string_view verb,
                         const std::string& registry) {
  constexpr std::string_view kZoo = "zoo:";
  if (name.starts_with(kZoo)) return zoo::find(name.substr(kZoo.size())) != nullptr;
  const auto reference = manifest::parse_reference(name);
  if (verb != "eval" || registry.empty() || !reference.ok()) return false;
  return manifest::Registry(registry).resolve(manifest::EntryKind::kModel, *reference).ok();
}

Result<void> check_value(const AllowedKey& allowed, const std::string& text, std::string_view verb,
                         const std::string& registry) {
  if (allowed.rule == Rule::kModel) TRY(check_model_name(text, verb, registry));
  if (allowed.rule == Rule::kRuntime)
    for (const std::string_view name : split(text)) TRY(check_runtime_name(name));
  if (allowed.rule == Rule::kArrivals && text.starts_with("trace"))
    return input_error("RIDGE-SERVE-0033", "no request names a file of times")
        .hint("arrivals: poisson, constant, gamma:SHAPE, bursty:FACTOR");
  return {};
}

Result<std::string> verb_of(const JsonTree& tree) {
  if (tree[0].kind == JsonNode::Kind::kObject)
    for (std::uint32_t at = 1; at != tree[0].end; at = tree[at + 1].end)
      if (tree.is(at, "verb"))
        for (const std::string& verb : texts_of(tree, at + 1))
          if (verb == "eval" || verb == "bench") return verb;
  return input_error("RIDGE-SERVE-0030", "a request without the verb eval or bench")
      .hint(R"({"verb": "eval", "model": "zoo:resnet18", ...}, as for ridge eval --request)");
}

}  // namespace

Result<void> check_model_name(const std::string& name, std::string_view verb,
                              const std::string& registry) {
  if (is_model_name_known(name, verb, registry)) return {};
  return input_error("RIDGE-SERVE-0031",
                     fmt::format("there is no model '{}' here", shown_value(name)))
      .hint(verb == "eval" ? "a model of the registry (/models), or zoo:NAME" : "zoo:NAME");
}

Result<void> check_runtime_name(std::string_view name) {
  if (name == kNullRuntime || runtime::known_runtime(name) != nullptr) return {};
  return input_error("RIDGE-SERVE-0032", fmt::format("'{}' is no runtime", shown_value(name)))
      .hint("runtimes are asked for by their names: ort, openvino, null");
}

Result<JobRequest> read_job_request(std::string_view body, const std::string& registry) {
  const JsonTree tree = TRY(JsonTree::parse(body, {.bytes = kLargestRequest}));
  const std::string verb = TRY(verb_of(tree));
  bool has_model = false;
  for (std::uint32_t at = 1; at != tree[0].end; at = tree[at + 1].end) {
    std::string key = tree.text(at);
    std::ranges::replace(key, '_', '-');
    const auto* allowed = std::ranges::find(kAllowed, key, &AllowedKey::key);
    if (allowed == std::end(kAllowed) || !is_for(allowed->verbs, verb))
      return input_error("RIDGE-SERVE-0034",
                         fmt::format("no request to this server decides '{}'", shown_value(key)))
          .hint(fmt::format("start ridge {} on the machine itself", verb));
    for (const std::string& text : texts_of(tree, at + 1)) {
      TRY_IN(key, check_value(*allowed, text, verb, registry));
      has_model |= allowed->rule == Rule::kModel;
    }
  }
  if (!has_model)
    return input_error("RIDGE-SERVE-0031", "a request without a model")
        .hint(R"({"verb": "eval", "model": "zoo:resnet18", ...})");
  return JobRequest{verb, std::string(body)};
}

}  // namespace ridge::lab::serve
