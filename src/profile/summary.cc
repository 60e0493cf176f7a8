// SPDX-License-Identifier: Apache-2.0
#include "profile/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/number.h"
#include "profile/rows.h"

namespace ridge::profile {
namespace {

using nlohmann::json;

std::string name_of(const std::string& path, const std::map<std::string, std::int64_t>& sizes,
                    std::int64_t threads) {
  std::string name = path;
  for (const auto& [size, value] : sizes) name += fmt::format(" {}={}", size, value);
  return name + fmt::format(", {} thread{}", threads, threads == 1 ? "" : "s");
}

std::string host_text(const json& document, const char* path) {
  const json::json_pointer at(path);
  return document.contains(at) && document[at].is_string() ? document[at].get<std::string>() : "";
}

std::string machine_of(const json& host) {
  const std::string model = host_text(host, "/cpu/model");
  if (model.empty()) return "";
  std::string name = fmt::format("{}, {}", host_text(host, "/hostname"), model);
  const std::string kind = host_text(host, "/cpu/microarchitecture");
  if (!kind.empty()) name += fmt::format(" ({})", kind);
  if (host.contains("logical_cpus") && host["logical_cpus"].is_number_integer())
    name += fmt::format(", {} processors", host["logical_cpus"].dump());
  return name;
}

std::vector<TypedWork> by_type(const Profile& p) {
  std::map<std::string, TypedWork> types;
  for (const Layer& layer : p.layers) {
    TypedWork& type = types[layer.precision];
    type.dtype = layer.precision;
    type.operations += operations(layer.work).value_or(0);
    type.macs += static_cast<double>(layer.work.macs.value_or(0));
  }
  std::vector<TypedWork> out;
  for (auto& [name, type] : types)
    if (type.operations > 0) out.push_back(std::move(type));
  std::ranges::stable_sort(out, std::greater<>(), &TypedWork::operations);
  return out;
}

}  // namespace

std::string machine_name(std::string_view host_json) {
  const json host = json::parse(host_json, nullptr, false);
  return host.is_discarded() ? "" : machine_of(host);
}

bool is_imported(const Profile& profile) { return profile.subject.kind == "imported"; }

bool is_corrected(const Profile& profile) {
  return profile.subject.kind == "measured" && profile.profiling.layer_times != kReportedTimes;
}

std::vector<std::string> input_notes(const Profile& profile) {
  std::vector<std::string> out;
  for (const std::string& note : profile.notes)
    if (note.starts_with(kInputNote) || note.starts_with(kInputsNote)) out.push_back(note);
  return out;
}

std::optional<ModelPoint> point_of(const Profile& p) {
  if (p.modules.empty()) return std::nullopt;
  const Module& whole = p.modules.front();
  const std::optional<double> work = operations(whole.work);
  if (!work || !whole.bytes) return std::nullopt;
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [size, binding] : p.subject.bindings) sizes[size] = binding.value;
  ModelPoint point;
  point.threads = p.subject.threads.value_or(1);
  point.name = name_of(p.subject.path, sizes, point.threads);
  point.runtime = p.subject.runtime;
  point.operations = *work;
  point.by_type = by_type(p);
  point.bytes = static_cast<double>(*whole.bytes);
  point.latency_ns = p.latency.ns.value;
  point.machine = machine_name(p.host_json);
  return point;
}

void add_input_notes(const std::string& source, const Profile& profile,
                     std::vector<std::string>& notes) {
  for (const std::string& note : input_notes(profile))
    if (std::string text = fmt::format("{}: {}", source, note); !std::ranges::count(notes, text))
      notes.push_back(std::move(text));
}

}  // namespace ridge::profile
