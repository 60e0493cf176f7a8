#include "profile/summary.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace ridge::profile {
namespace {

using nlohmann::json;

Error malformed(const std::string& what) {
  return input_error("RIDGE-PROF-0001", what)
      .hint("give a document that `ridge profile --format json` wrote, or a model");
}

std::string name_of(const std::string& path, const std::map<std::string, std::int64_t>& sizes,
                    std::int64_t threads) {
  std::string name = path;
  for (const auto& [size, value] : sizes) name += fmt::format(" {}={}", size, value);
  return name + fmt::format(", {} thread{}", threads, threads == 1 ? "" : "s");
}

/// A number at a path of keys; NaN-free, or an error that names the path.
Result<double> number_at(const json& document, const json::json_pointer& at) {
  if (!document.contains(at) || !document[at].is_number())
    return malformed(fmt::format("the profile has no number at {}", at.to_string()));
  return document[at].get<double>();
}

std::string text_at(const json& document, const char* path) {
  const json::json_pointer at(path);
  return document.contains(at) && document[at].is_string() ? document[at].get<std::string>() : "";
}

std::string machine_of(const json& host) {
  const std::string model = text_at(host, "/cpu/model");
  if (model.empty()) return "";
  std::string name = fmt::format("{}, {}", text_at(host, "/hostname"), model);
  const std::string kind = text_at(host, "/cpu/microarchitecture");
  if (!kind.empty()) name += fmt::format(" ({})", kind);
  if (host.contains("logical_cpus") && host["logical_cpus"].is_number_integer())
    name += fmt::format(", {} processors", host["logical_cpus"].get<std::int64_t>());
  return name;
}

Result<ModelPoint> read_point(const json& p) {
  ModelPoint point;
  const double macs = TRY(number_at(p, json::json_pointer("/modules/0/macs")));
  point.operations = 2 * macs;
  for (const char* key : {"flops", "special", "int_ops"})
    point.operations += TRY(number_at(p, json::json_pointer(std::string("/modules/0/") + key)));
  point.bytes = TRY(number_at(p, json::json_pointer("/modules/0/bytes")));
  point.latency_ns = TRY(number_at(p, json::json_pointer("/latency/median_ns")));
  std::map<std::string, std::int64_t> sizes;
  if (p.contains("bindings") && p["bindings"].is_object())
    for (const auto& [size, binding] : p["bindings"].items())
      if (binding.is_object() && binding.contains("value") && binding["value"].is_number_integer())
        sizes[size] = binding["value"];
  const std::string threads = text_at(p, "/runtime/options/threads"),
                    path = text_at(p, "/model/path");
  if (!threads.empty()) point.threads = std::atoi(threads.c_str());
  point.name = name_of(path.empty() ? "?" : path, sizes, point.threads);
  if (p.contains("host")) point.machine = machine_of(p["host"]);
  return point;
}

}  // namespace

std::string machine_name(std::string_view host_json) {
  const json host = json::parse(host_json, nullptr, false);
  return host.is_discarded() ? "" : machine_of(host);
}

std::optional<ModelPoint> point_of(const Profile& p) {
  if (p.modules.empty()) return std::nullopt;
  const Module& whole = p.modules.front();
  const Work& w = whole.work;
  if (!w.macs || !w.flops || !w.special || !w.int_ops || !whole.bytes) return std::nullopt;
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [size, binding] : p.subject.bindings) sizes[size] = binding.value;
  const auto it = p.subject.options.find("threads");
  ModelPoint point;
  point.threads = it == p.subject.options.end() ? 1 : std::atoi(it->second.c_str());
  point.name = name_of(p.subject.path, sizes, point.threads);
  point.operations =
      2.0 * static_cast<double>(*w.macs) + static_cast<double>(*w.flops + *w.special + *w.int_ops);
  point.bytes = static_cast<double>(*whole.bytes);
  point.latency_ns = p.latency.ns.median;
  point.machine = machine_name(p.host_json);
  return point;
}

Result<std::vector<ModelPoint>> read_points(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object()) return malformed("this is no JSON object");
  const std::string schema = document.contains("schema") && document["schema"].is_string()
                                 ? document["schema"].get<std::string>()
                                 : "";
  std::vector<ModelPoint> out;
  if (schema == "ridge.profile/1") {
    out.push_back(TRY(read_point(document)));
  } else if (schema == "ridge.profiles/1" && document.contains("profiles") &&
             document["profiles"].is_array()) {
    for (const json& p : document["profiles"]) out.push_back(TRY(read_point(p)));
  } else {
    return malformed(fmt::format("schema '{}' is not ridge.profile/1 or ridge.profiles/1", schema));
  }
  return out;
}

}  // namespace ridge::profile
