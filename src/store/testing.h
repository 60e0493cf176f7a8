// SPDX-License-Identifier: Apache-2.0
// Test profiles with random values in every member, and temporary folders for store files.
//
//   const profile::Profile p = filled_profile(7);   // different for every seed
//
// Every struct is decomposed into all of its members, so this file does not compile until a member
// that is added later is filled here as well.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "base/sink.h"
#include "profile/json.h"
#include "profile/profile.h"
#include "profile/verified.h"

namespace ridge::store {

class Filler {
 public:
  explicit Filler(std::uint64_t seed) : random_(seed) {}

  template <typename... T>
  void all(T&... members) {
    (fill(members), ...);
  }

  void fill(bool& v) { v = random_() % 2 == 1; }
  void fill(std::int64_t& v) { v = static_cast<std::int64_t>(random_() >> (random_() % 64)); }
  void fill(std::uint32_t& v) { v = static_cast<std::uint32_t>(random_()); }
  void fill(std::int32_t& v) { v = static_cast<std::int32_t>(random_()); }
  void fill(double& v) {
    v = std::ldexp(static_cast<double>(random_()) + 1, -static_cast<int>(random_() % 200));
    if (random_() % 4 == 0) v = static_cast<double>(random_() % 1000) + 1;
  }
  /// Names that models may contain: empty, not ASCII, with quotes, with a zero byte.
  void fill(std::string& v) {
    static const std::vector<std::string> kTexts = {
        "conv1/Conv", "", "a'b\"c;--", "größe 層", std::string("zero\0byte", 9), "tab\tline\n"};
    v = kTexts[random_() % kTexts.size()] + std::to_string(random_() % 100);
    if (random_() % 8 == 0) v.clear();
  }
  template <typename T>
  void fill(std::optional<T>& v) {
    if (random_() % 3 == 0)
      v.reset();
    else
      fill(v.emplace());
  }
  template <typename T>
  void fill(std::vector<T>& v) {
    v.resize(random_() % 5);
    for (T& item : v) fill(item);
  }
  template <typename T>
  void fill(std::map<std::string, T>& v) {
    for (std::size_t i = random_() % 4; i > 0; --i) {
      std::string key;
      fill(key);
      fill(v[key]);
    }
  }
  template <typename E>
    requires std::is_enum_v<E>
  void fill(E& v) {
    v = static_cast<E>(Words<E>::list[random_() % Words<E>::list.size()].value);
  }

  void fill(analysis::Binding& b) {
    auto& [value, assumed] = b;
    all(value, assumed);
  }
  void fill(stats::Estimate& e) {
    auto& [value, interval, samples] = e;
    auto& [lo, hi] = interval.emplace();
    all(value, lo, hi);  // samples are not kept
  }
  void fill(profile::Work& w) {
    auto& [macs, flops, special, int_ops] = w;
    all(macs, flops, special, int_ops);
  }
  void fill(profile::Member& m) {
    auto& [node, role, evidence] = m;
    all(node, role, evidence);
  }
  void fill(profile::WithoutLayer& n) {
    auto& [node, why, with] = n;
    all(node, why, with);
  }
  void fill(profile::Node& n) {
    auto& [index, parent, repeat, name, op_type, domain, module, status, work, bytes_read,
           bytes_written, params, output_shape] = n;
    all(index, parent, repeat, name, op_type, domain, module, status, work, bytes_read,
        bytes_written, params, output_shape);
  }
  void fill(profile::Kernel& k) {
    auto& [name, type, time_ns] = k;
    all(name, type, time_ns);
  }
  void fill(profile::Bound& b) {
    auto& [kind, time_ns, roof_share, reason] = b;
    all(kind, time_ns, roof_share, reason);
  }
  void fill(profile::Least& l) {
    auto& [macs, bytes, line_bytes, trips, streamed] = l;
    all(macs, bytes, line_bytes, trips, streamed);
  }
  void fill(profile::Layer& l) {
    auto& [index, name, type, implementation, precision, layout, order, inserted, below_resolution,
           time_ns, corrected_ns, corrected, derived, runs_ns, unstored, share, executions, kernels,
           members, work, bytes, output_bytes, least, flop_per_s, bytes_per_s, intensity, bound,
           module] = l;
    all(index, name, type, implementation, precision, layout, order, inserted, below_resolution,
        time_ns, corrected_ns, corrected, runs_ns, share, executions, kernels, members, work, bytes,
        output_bytes, least, flop_per_s, bytes_per_s, intensity, bound, module);
  }
  void fill(profile::Module& m) {
    auto& [path, depth, time_ns, share, work, bytes, layers] = m;
    all(path, depth, time_ns, share, work, bytes, layers);
  }
  void fill(profile::ReferenceTime& t) {
    auto& [processes, kernel, ns] = t;
    all(processes, kernel, ns);
  }
  void fill(stats::Interval& i) {
    auto& [low, high] = i;
    all(low, high);
  }
  void fill(machine::Roof& r) {
    auto& [kind, dtype, level, unit, instruction, threads, value, ci, theory] = r;
    all(kind, dtype, level, unit, instruction, threads, value, ci, theory);
  }
  void fill(profile::Subject& s) {
    auto& [kind, path, graph_hash, producer, ir_version, opsets, bindings, weights, runtime,
           runtime_version, runtime_library, threads, options, ridge_version] = s;
    all(kind, path, graph_hash, producer, ir_version, opsets, bindings, weights, runtime,
        runtime_version, runtime_library, threads, options, ridge_version);
  }
  void fill(profile::Process& p) {
    auto& [samples_ns, warmup_dropped, steadiness] = p;
    all(samples_ns, warmup_dropped, steadiness);
  }
  void fill(profile::Latency& l) {
    auto& [processes, ns, rejected] = l;
    all(processes, ns, rejected);
  }
  void fill(profile::Profiling& p) {
    auto& [profiled, excess, event_cost, event_share, resolution, cheapest, raw, sum, gaps,
           disturbance, outside, residual, event, fixed, predicted, total, factor, unscaled, ratio,
           layer_times] = p;
    all(profiled, excess, event_cost, event_share, resolution, cheapest, raw, sum, gaps,
        disturbance, outside, residual, event, fixed, predicted, total, factor, unscaled, ratio,
        layer_times);
  }
  void fill(profile::LevelCost& c) {
    auto& [level, runs, events, latency_ns, event_cost, fixed_cost] = c;
    level = random_() % 2 == 0 ? profile::Level::kThread : profile::Level::kCounter;
    all(runs, events, latency_ns, event_cost, fixed_cost);
  }
  void fill(profile::ThreadWork& t) {
    auto& [name, cpu_ns, wait_ns, switches] = t;
    all(name, cpu_ns, wait_ns, switches);
  }
  void fill(profile::Counter& c) {
    auto& [name, unit, origin, value, running_share, reason] = c;
    all(name, unit, origin, value, running_share, reason);
  }
  /// The other members are filled only where at least one level was recorded.
  void fill(profile::Levels& l) {
    auto& [costs, deepest_ns, predicted_deepest_ns, threads, imbalance, counters] = l;
    fill(costs);
    if (!costs.empty()) all(deepest_ns, predicted_deepest_ns, threads, imbalance, counters);
  }
  void fill(profile::VerifiedCut& c) {
    auto& [node, tensor, layers, layers_ns, outside_ns, part_ns, inserted_ns, difference,
           explained_ns, verdict] = c;
    all(node, tensor, layers, layers_ns, outside_ns, part_ns, inserted_ns, difference,
        explained_ns);
    verdict = static_cast<profile::Verdict>(random_() % 4);
  }
  void fill(profile::Verification& v) {
    auto& [cuts, reason] = v;
    all(cuts, reason);
  }
  void fill(profile::Timeline& t) {
    for (std::size_t i = random_() % 6; i > 0; --i) add_span(t);
  }
  /// References to nodes are reduced to nodes that exist.
  void fill(profile::Profile& p) {
    auto& [subject, host_json, load_ns, first_run_ns, latency, items_per_s, batch, profiling, nodes,
           layers, without_layer, unattributed_layers, unattributed_share, modules, roofs, levels,
           reference, verification, timeline, notes] = p;
    all(subject, load_ns, first_run_ns, latency, items_per_s, batch, profiling, nodes, layers,
        without_layer, unattributed_layers, unattributed_share, modules, roofs, levels, reference,
        verification, timeline, notes);
    host_json = "{\"hostname\":\"h" + std::to_string(random_() % 9) + "\"}";
    place_nodes(p);
    for (profile::Layer& l : layers)
      if (!l.runs_ns.empty()) l.runs_ns.resize(3, 5);
    profile::mark_verified(p);
  }

 private:
  static void place_nodes(profile::Profile& p) {
    const auto n = static_cast<std::uint32_t>(p.nodes.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      profile::Node& node = p.nodes[i];
      node.index = i;
      if (i == 0) node.parent.reset();
      if (node.parent) *node.parent %= i;
    }
    for (profile::Layer& l : p.layers) {
      if (n == 0) l.members.clear();
      for (profile::Member& m : l.members) m.node %= n;
    }
    if (n == 0) p.verification.cuts.clear();
    for (profile::VerifiedCut& cut : p.verification.cuts) {
      cut.node %= n;
      cut.layers %= static_cast<std::uint32_t>(p.layers.size() + 1);
    }
    if (n == 0) p.without_layer.clear();
    for (profile::WithoutLayer& row : p.without_layer) {
      row.node %= n;
      if (row.with) *row.with %= n;
    }
  }

  void add_span(profile::Timeline& t) {
    profile::Span s;
    std::string text;
    auto& [parent, level, name, start_ns, end_ns, thread, device, queue, correlation, first,
           count] = s;
    if (!t.empty() && random_() % 2 == 0)
      parent = static_cast<std::uint32_t>(random_() % t.spans().size());
    level = static_cast<profile::Level>(random_() % 7);
    all(start_ns, end_ns);
    correlation = random_();
    for (profile::TextId* id : {&name, &thread, &device, &queue}) {
      fill(text);
      *id = t.intern(text);
    }
    first = count = 0;  // set by Timeline
    t.add(s);
    for (std::size_t i = random_() % 3; i > 0; --i) {
      std::string key;
      all(key, text);
      t.attribute(key, text);
    }
  }

  std::mt19937_64 random_;
};

inline profile::Profile filled_profile(std::uint64_t seed) {
  profile::Profile p;
  Filler(seed).fill(p);
  return p;
}

/// Entire content of a profile as text.
inline std::string text_of(const profile::Profile& p) {
  StringSink sink;
  profile::write_json(p, sink);
  std::string out = sink.text();
  for (const profile::Span& s : p.timeline.spans()) {
    for (const std::int64_t n : {std::int64_t{s.parent}, s.start_ns, s.end_ns})
      out += std::to_string(n) + " ";
    out += std::string(name(s.level)) + std::to_string(s.correlation);
    for (const auto id : {s.name, s.thread, s.device, s.queue})
      out += "|" + std::string(p.timeline.text(id));
    for (const auto* a = p.timeline.begin(s); a != p.timeline.end(s); ++a)
      out +=
          "|" + std::string(p.timeline.text(a->key)) + "=" + std::string(p.timeline.text(a->value));
    out += "\n";
  }
  return out;
}

/// Temporary folder that is deleted with the object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "ridge-store-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ridge::store
