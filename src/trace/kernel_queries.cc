// SPDX-License-Identifier: Apache-2.0
// Queries A8 to A13 and A15: single kernels, and kernels by name, by layer and per run.
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "trace/query_tables.h"

namespace ridge::trace {
namespace {

/// Work and traffic of a kernel: from counters, else the figures of the layer whose only kernel it
/// is.
struct Figures {
  std::optional<double> operations, bytes;
  std::string_view from;
};

Figures figures_of(const KernelRow& k) {
  const Counters& c = k.counters;
  if (c.flops) return {c.flops, sum(c.dram_read_bytes, c.dram_write_bytes), "counters"};
  return {k.operations, k.bytes, k.operations ? "model" : ""};
}

/// Sums over kernels; a figure that one of them lacks has no sum.
struct KernelSum {
  double count = 0, time_ns = 0;
  std::set<std::string_view> names;
  std::set<std::uint32_t> layers;
  std::optional<double> operations = 0, bytes = 0, flops = 0, dram_read = 0, dram_write = 0,
                        weighted_occupancy = 0;
  std::string_view from;

  void add(const KernelRow& k) {
    const Figures f = figures_of(k);
    from = count > 0 && from != f.from ? "" : f.from;
    count += k.count;
    time_ns += k.time_ns;
    names.insert(k.name);
    if (k.layer != kNone) layers.insert(k.layer);
    operations = sum(operations, f.operations);
    bytes = sum(bytes, f.bytes);
    flops = sum(flops, k.counters.flops);
    dram_read = sum(dram_read, k.counters.dram_read_bytes);
    dram_write = sum(dram_write, k.counters.dram_write_bytes);
    // Occupancy is a mean over time: 0.5 during 3 us and 1.0 during 1 us are 2.5 / 4 = 0.625.
    weighted_occupancy = k.counters.occupancy
                             ? sum(weighted_occupancy, *k.counters.occupancy * k.time_ns)
                             : std::nullopt;
  }
  std::optional<double> occupancy() const { return ratio(weighted_occupancy, time_ns); }
};

/// Columns of the hardware counters.
struct CounterColumns {
  std::size_t flops, dram_read, dram_write, occupancy;

  explicit CounterColumns(Table& t)
      : flops(t.column("flops", "FLOP", kNoCounters)),
        dram_read(t.column("dram_read_bytes", "B", kNoCounters)),
        dram_write(t.column("dram_write_bytes", "B", kNoCounters)),
        occupancy(t.column("occupancy", "1", kNoCounters)) {}
  void set(Row& row, const KernelSum& s) const {
    row.set(flops, s.flops).set(dram_read, s.dram_read).set(dram_write, s.dram_write);
    row.set(occupancy, s.occupancy());
  }
};

struct RooflineColumns {
  std::size_t operations, bytes, intensity, flop_rate, from;

  explicit RooflineColumns(Table& t)
      : operations(t.column("operations", "FLOP", "neither counters nor a model say it")),
        bytes(t.column("bytes", "B", "neither counters nor a model say it")),
        intensity(t.column("intensity", "FLOP/B", "operations or bytes are not known")),
        flop_rate(t.column("flop_per_s", "FLOP/s", "operations are not known")),
        from(t.column("from", "", "operations are not known, or not all from one source")) {}
  void set(Row& row, const Figures& f, double time_ns) const {
    row.set(operations, f.operations).set(bytes, f.bytes);
    row.set(intensity, ratio(f.operations, f.bytes)).set(flop_rate, rate(f.operations, time_ns));
    row.set(from, f.from);
  }
};

void set_layer(const View& run, std::uint32_t layer, Row& row, std::size_t index,
               std::size_t name) {
  if (layer == kNone) return;
  row.set(index, std::int64_t{layer}).set(name, run.layers[layer].name);
}

std::vector<KernelSum> by_layer(const View& run) {
  std::vector<KernelSum> sums(run.layers.size());
  for (const KernelRow& k : run.kernels)
    if (k.layer != kNone) sums[k.layer].add(k);
  return sums;
}

constexpr std::string_view kNoLayer = "the kernel is not correlated with a layer";

}  // namespace

Table kernel_information(const View& run) {
  Table t;
  const auto name = t.column("kernel"), layer = t.column("layer", "", kNoLayer),
             layer_name = t.column("layer_name", "", kNoLayer),
             implementation = t.column("implementation", "", "the trace does not name one"),
             device = t.column("device", "", "the kernel runs on no device of its own"),
             count = t.column("count"), time = t.column("time_ns", "ns"),
             share = t.column("share", "1", "the kernels took no time");
  const CounterColumns counters(t);
  const double all_ns = kernel_sum_ns(run);
  for (const KernelRow* k : longest_first(run.kernels)) {
    Row& row = t.row();
    row.set(name, k->name).set(implementation, k->implementation).set(device, k->device);
    set_layer(run, k->layer, row, layer, layer_name);
    row.set(count, k->count).set(time, k->time_ns).set(share, share_of(k->time_ns, all_ns));
    KernelSum sums;
    sums.add(*k);
    counters.set(row, sums);
  }
  t.notes.push_back(kernel_note(run));
  return t;
}

Table kernel_roofline(const View& run) {
  Table t;
  const auto name = t.column("kernel"), layer = t.column("layer", "", kNoLayer),
             layer_name = t.column("layer_name", "", kNoLayer), time = t.column("time_ns", "ns");
  const RooflineColumns roofline(t);
  const auto bound = t.column("bound", "", kNoRoofs),
             roof_share = t.column("roof_share", "1", kNoRoofs);
  for (const KernelRow* k : longest_first(run.kernels)) {
    Row& row = t.row();
    row.set(name, k->name).set(time, k->time_ns);
    set_layer(run, k->layer, row, layer, layer_name);
    roofline.set(row, figures_of(*k), k->time_ns);
    const profile::Layer* joined =
        k->layer != kNone && k->operations ? run.layers[k->layer].joined : nullptr;
    if (joined != nullptr)
      row.set(bound, joined->bound.kind).set(roof_share, joined->bound.roof_share);
  }
  t.notes.push_back(kernel_note(run));
  return t;
}

Table kernels_by_name(const View& run) {
  Table t;
  const auto name = t.column("kernel"), count = t.column("count"), layers = t.column("layers"),
             time = t.column("time_ns", "ns"),
             share = t.column("share", "1", "the kernels took no time"),
             mean = t.column("mean_ns", "ns", "it ran no time");
  const RooflineColumns roofline(t);
  const CounterColumns counters(t);
  std::map<std::string_view, KernelSum> sums;
  for (const KernelRow& k : run.kernels) sums[k.name].add(k);
  std::vector<std::pair<std::string_view, const KernelSum*>> rows;
  for (const auto& [key, s] : sums) rows.emplace_back(key, &s);
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.second->time_ns > b.second->time_ns;
  });
  const double all_ns = kernel_sum_ns(run);
  for (const auto& [key, s] : rows) {
    Row& row = t.row();
    row.set(name, key).set(count, s->count).set(time, s->time_ns);
    row.set(layers, static_cast<std::int64_t>(s->layers.size()));
    row.set(share, share_of(s->time_ns, all_ns)).set(mean, share_of(s->time_ns, s->count));
    roofline.set(row, {s->operations, s->bytes, s->from}, s->time_ns);
    counters.set(row, *s);
  }
  t.notes.push_back(kernel_note(run));
  return t;
}

Table kernels_by_layer(const View& run) {
  Table t;
  const auto layer = t.column("layer"), name = t.column("name"), count = t.column("kernels"),
             distinct = t.column("distinct"), time = t.column("time_ns", "ns"),
             share = t.column("share", "1", "the kernels took no time");
  const double all_ns = kernel_sum_ns(run);
  const std::vector<KernelSum> sums = by_layer(run);
  for (std::size_t i = 0; i < sums.size(); ++i)
    t.row()
        .set(layer, static_cast<std::int64_t>(i))
        .set(name, run.layers[i].name)
        .set(count, sums[i].count)
        .set(distinct, static_cast<std::int64_t>(sums[i].names.size()))
        .set(time, run.layers[i].kernel_ns)
        .set(share, share_of(run.layers[i].kernel_ns, all_ns));
  double astray = 0;
  for (const KernelRow& k : run.kernels) astray += k.layer == kNone ? k.count : 0;
  t.notes.push_back(kernel_note(run));
  if (astray > 0)
    t.notes.push_back(fmt::format("{:g} kernels of a run are correlated with no layer", astray));
  return t;
}

Table counters_by_layer(const View& run) {
  Table t;
  const auto layer = t.column("layer"), name = t.column("name"), time = t.column("time_ns", "ns"),
             operations = t.column("operations", "FLOP", kNoWork);
  const CounterColumns counters(t);
  const std::vector<KernelSum> sums = by_layer(run);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    Row& row = t.row();
    row.set(layer, static_cast<std::int64_t>(i)).set(name, run.layers[i].name);
    row.set(time, run.layers[i].time_ns).set(operations, run.layers[i].operations);
    if (sums[i].count > 0) counters.set(row, sums[i]);
  }
  t.notes.emplace_back(
      "flops, dram_read_bytes, dram_write_bytes and occupancy are what counters said of its "
      "kernels; operations are those of the model");
  return t;
}

Table device_time_by_layer(const View& run) {
  constexpr std::string_view kNoDevice = "no kernel of the layer ran on a device of its own";
  constexpr std::string_view kNoSpan = "the recorded runs have no span of the layer";
  Table t;
  const auto layer = t.column("layer"), name = t.column("name"),
             extent = t.column("extent_ns", "ns", kNoSpan),
             host = t.column("host_ns", "ns", kNoSpan),
             device = t.column("device_ns", "ns", kNoDevice),
             other = t.column("other_ns", "ns", kNoDevice),
             share = t.column("device_share", "1", kNoDevice);
  const std::vector<std::optional<double>> extents = layer_extents(run);
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    const LayerRow& l = run.layers[i];
    Row& row = t.row();
    row.set(layer, static_cast<std::int64_t>(i)).set(name, l.name);
    row.set(extent, extents[i]).set(host, l.host_ns).set(device, l.device_ns);
    if (!extents[i] || !l.device_ns) continue;
    row.set(other, std::max(0.0, *extents[i] - *l.device_ns));
    row.set(share, share_of(*l.device_ns, *extents[i]));
  }
  t.notes.emplace_back(
      "extent_ns: time in which the layer's own spans or its kernels on devices ran; device_ns: "
      "its kernels, what overlaps counted once; other_ns: the rest");
  return t;
}

Table kernels_by_model(const View& run) {
  Table t;
  const auto kernels = t.column("kernels"), distinct = t.column("distinct"),
             time = t.column("time_ns", "ns"),
             latency = t.column("latency_ns", "ns", "the run has no latency"),
             share = t.column("share", "1", "the run has no latency");
  const RooflineColumns roofline(t);
  const CounterColumns counters(t);
  KernelSum all;
  for (const KernelRow& k : run.kernels) all.add(k);
  Row& row = t.row();
  row.set(kernels, all.count).set(distinct, static_cast<std::int64_t>(all.names.size()));
  row.set(time, all.time_ns).set(latency, run.latency_ns);
  if (run.latency_ns) row.set(share, share_of(all.time_ns, *run.latency_ns));
  roofline.set(row, {all.operations, all.bytes, all.from}, all.time_ns);
  counters.set(row, all);
  t.notes.push_back(kernel_note(run));
  return t;
}

}  // namespace ridge::trace
