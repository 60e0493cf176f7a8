// SPDX-License-Identifier: Apache-2.0
#include "runtime/testing/known_layers.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <protozero/pbf_reader.hpp>
#include <sstream>

namespace ridge::runtime::testing {
namespace {

/// Simulated CLOCK_MONOTONIC of this process; 0 until the simulation starts.
std::atomic<std::int64_t> driven_ns = 0;

std::int64_t system_ns() {
  timespec time{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

std::vector<std::int64_t> microseconds(const std::map<std::string, std::string>& options,
                                       const char* key) {
  std::vector<std::int64_t> out;
  const auto found = options.find(key);
  std::istringstream list(found == options.end() ? "" : found->second);
  for (std::string us; std::getline(list, us, ',');)
    out.push_back(std::llround(std::atof(us.c_str()) * 1000));
  return out;
}

std::int64_t first_of(const std::vector<std::int64_t>& values) {
  return values.empty() ? 0 : values[0];
}

/// Parses the nodes. ModelProto.graph is field 7, GraphProto.node 1; in NodeProto input is 1,
/// output 2, name 3, op_type 4.
std::vector<KnownNode> nodes_of(std::string_view model) {
  std::vector<KnownNode> out;
  protozero::pbf_reader document(model.data(), model.size());
  while (document.next(7)) {
    protozero::pbf_reader graph = document.get_message();
    while (graph.next(1)) {
      protozero::pbf_reader node = graph.get_message();
      KnownNode& known = out.emplace_back();
      while (node.next()) switch (node.tag()) {
          case 1:
            known.inputs.push_back(node.get_string());
            break;
          case 2:
            known.outputs.push_back(node.get_string());
            break;
          case 3:
            known.name = node.get_string();
            break;
          case 4:
            known.type = node.get_string();
            break;
          default:
            node.skip();
        }
    }
  }
  return out;
}

const std::vector<const char*>& pointers(const std::vector<std::string>& names,
                                         std::vector<std::vector<const char*>>& kept) {
  std::vector<const char*>& out = kept.emplace_back();
  for (const std::string& name : names) out.push_back(name.c_str());
  return out;
}

}  // namespace

KnownLayers::KnownLayers(const std::map<std::string, std::string>& options, std::string_view model)
    : used_(options.contains("layers")) {
  if (!used_) return;
  nodes_ = nodes_of(model);
  layers_ns_ = microseconds(options, "layers");
  std::int64_t none = 0;
  driven_ns.compare_exchange_strong(none, system_ns());
  chain_ = layers_ns_.size() != nodes_.size();
  if (chain_) layers_ns_.assign(nodes_.size(), first_of(microseconds(options, "chain")));
  slowest_ = static_cast<std::size_t>(std::ranges::max_element(layers_ns_) - layers_ns_.begin());
  gap_ns_ = first_of(microseconds(options, "gap"));
  outside_ns_ = first_of(microseconds(options, "outside"));
  if (const auto event = microseconds(options, "event"); event.size() == 2) {
    wall_ns_ = event[0];
    inside_ns_ = event[1];
  }
  if (const auto lie = options.find("lie"); lie != options.end()) lie_ = lie->second;
}

void KnownLayers::list(RidgeGraph& graph) {
  listed_.clear();
  names_.clear();
  names_.reserve(2 * nodes_.size());
  for (const KnownNode& node : nodes_) {
    const auto& outputs = pointers(node.outputs, names_);
    const auto& inputs = pointers(node.inputs, names_);
    listed_.push_back({sizeof(RidgeLayer), 0, node.name.c_str(), node.type.c_str(), "known",
                       "float32", "plain", outputs.data(), outputs.size(), inputs.data(),
                       inputs.size(), outputs.data(), outputs.size()});
  }
  graph.layers = listed_.data();
  graph.layer_count = listed_.size();
  graph.layer_stride = sizeof(RidgeLayer);
}

/// Advances the time and returns the reading of the profiler's clock.
std::int64_t KnownLayers::pass(std::int64_t ns) const { return (driven_ns += ns) + step_ns_; }

/// Varies by up to 1 % (the generator of Numerical Recipes, section 7.1: quick and dirty).
std::int64_t KnownLayers::varied(std::int64_t ns) {
  random_ = random_ * 6364136223846793005U + 1442695040888963407U;
  const double share = static_cast<double>(random_ >> 40) / static_cast<double>(1U << 24);
  return std::llround(static_cast<double>(ns) * (0.99 + 0.02 * share));
}

/// Cost of an event; with drifting_cost it grows with every run, in the model only.
std::int64_t KnownLayers::event_ns(std::int64_t planned_ns) const {
  if (!lies("drifting_cost") || chain_) return planned_ns;
  return planned_ns * (2 + profiled_runs_) / 2;
}

void KnownLayers::work(std::size_t layer, bool profiled, std::vector<Reported>& events) {
  std::int64_t ns = varied(layers_ns_[layer]);
  if (!profiled) {
    pass(gap_ns_);
    pass(ns);
    return;
  }
  if (lies("faster_copy")) ns = ns * 8 / 10;
  if (lies("slower_copy")) ns = ns * 13 / 10;
  if (lies("stalled_copy") && !chain_) ns = ns * 4;
  Reported event{.layer = layer};
  event.start_ns = pass(gap_ns_ + event_ns(wall_ns_ - inside_ns_));
  // In one of four runs, during the slowest layer.
  const bool steps = layer == slowest_ && profiled_runs_ % 4 == 3;
  if (steps && lies("clock_forward")) step_ns_ += 1'000'000'000;
  if (steps && lies("clock_backward")) step_ns_ -= 1'000'000'000;
  event.stop_ns = pass(ns + event_ns(inside_ns_));
  event.duration_ns = event.stop_ns - event.start_ns;
  events.push_back(event);
}

/// Duration that the profiler reports.
std::int64_t KnownLayers::told(const Reported& event) const {
  const std::int64_t ns = event.duration_ns;
  const auto cut = [&](std::int64_t unit) { return ns / unit * unit; };
  if (lies("halved")) return ns / 2;
  if (lies("doubled")) return ns * 2;
  if (lies("slowest_zero") && event.layer == slowest_) return 0;
  if (lies("offset")) return ns + 100'000;
  if (lies("milliseconds")) return cut(1'000'000);
  return cut(1000);
}

void KnownLayers::change(std::vector<Reported>& events) const {
  const auto slowest = [&](const Reported& e) { return e.layer == slowest_; };
  if (lies("missing")) std::erase_if(events, slowest);
  if (lies("sometimes_missing") && profiled_runs_ % 3 == 0) std::erase_if(events, slowest);
  if (lies("twice")) {
    const std::vector<Reported> once = events;
    events.clear();
    for (const Reported& e : once) events.insert(events.end(), 2, e);
  }
  if (lies("disorder")) std::ranges::reverse(events);
}

void KnownLayers::run(const RidgeProfileSink& sink) {
  const bool profiled = sink.event != nullptr;
  std::vector<Reported> events;
  const std::int64_t begun = pass(0);
  pass(outside_ns_);
  for (std::size_t i = 0; i < layers_ns_.size(); ++i) work(i, profiled, events);
  const std::int64_t ended = pass(0);
  if (!profiled) return;
  for (Reported& e : events) {
    e.duration_ns = told(e);
    if (lies("halved") || lies("doubled") || lies("slowest_zero"))
      e.stop_ns = e.start_ns + e.duration_ns;
  }
  change(events);
  ++profiled_runs_;
  RidgeEvent event{};
  event.size = sizeof(event);
  event.implementation = "known";
  event.shapes = "[]";
  const auto send = [&](RidgeLevel level, const char* name, const char* type, std::uint32_t depth,
                        const Reported& r) {
    event.level = level;
    event.name = name;
    event.type = type;
    event.depth = depth;
    event.start_ns = r.start_ns;
    event.stop_ns = r.stop_ns;
    event.duration_ns = r.duration_ns;
    sink.event(sink.context, &event);
  };
  for (const Reported& e : events)
    send(RIDGE_LEVEL_LAYER, nodes_[e.layer].name.c_str(), nodes_[e.layer].type.c_str(), 1, e);
  send(RIDGE_LEVEL_RUN, "model_run", "", 0, {0, begun, ended, ended - begun});
}

}  // namespace ridge::runtime::testing

/// Overrides libc's function if this object is preloaded.
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock,
                                                                    timespec* time) noexcept {
  using ridge::runtime::testing::driven_ns;
  if (clock != CLOCK_MONOTONIC || driven_ns == 0)
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  const std::int64_t now = driven_ns += 20;  // advances, because code may wait for the clock
  *time = {now / 1'000'000'000, now % 1'000'000'000};
  return 0;
}
