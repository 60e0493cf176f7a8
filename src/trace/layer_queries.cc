// SPDX-License-Identifier: Apache-2.0
// Queries A2 to A7 and A14: layers with their times, the memory they write, and their roofline.
#include <map>
#include <string>

#include "trace/query_tables.h"

namespace ridge::trace {
namespace {

constexpr std::string_view kNotSaid = "neither the runtime nor a model says it";
constexpr std::string_view kNoBytes =
    "the run is not joined to a model, or a size of the layer's tensors is not known";

std::int64_t index_of(const View& run, const LayerRow& layer) { return &layer - run.layers.data(); }

/// Sums of the layers of one type.
struct TypeSum {
  std::string type;
  std::int64_t layers = 0;
  double time_ns = 0;
  std::optional<double> output_bytes = 0, bytes = 0, allocated_bytes = 0;
};

std::vector<TypeSum> by_type(const View& run) {
  std::map<std::string, TypeSum> sums;
  for (const LayerRow& layer : run.layers) {
    TypeSum& s = sums[layer.type];
    s.type = layer.type;
    ++s.layers;
    s.time_ns += layer.time_ns;
    s.output_bytes = sum(s.output_bytes, layer.output_bytes);
    s.bytes = sum(s.bytes, layer.bytes);
    s.allocated_bytes = sum(s.allocated_bytes, layer.allocated_bytes);
  }
  std::vector<TypeSum> out;
  for (auto& [type, s] : sums) out.push_back(std::move(s));
  return out;
}

}  // namespace

Table layer_information(const View& run) {
  Table t;
  const auto index = t.column("layer"), name = t.column("name"),
             type = t.column("type", "", kNotSaid), time = t.column("time_ns", "ns"),
             share = t.column("share", "1", "the layers took no time"),
             shape = t.column("output_shape", "", kNotSaid),
             precision = t.column("precision", "", kNotSaid),
             implementation = t.column("implementation", "", kNotSaid),
             output = t.column("output_bytes", "B", kNoBytes),
             nodes = t.column("nodes", "", "no node of the model is attributed to it"),
             module = t.column("module", "", "the layer lies in no module");
  const double all_ns = layer_sum_ns(run);
  for (const LayerRow& l : run.layers)
    t.row()
        .set(index, index_of(run, l))
        .set(name, l.name)
        .set(type, l.type)
        .set(time, l.time_ns)
        .set(share, share_of(l.time_ns, all_ns))
        .set(shape, l.output_shape)
        .set(precision, l.precision)
        .set(implementation, l.implementation)
        .set(output, l.output_bytes)
        .set(nodes, l.nodes)
        .set(module, l.module);
  t.notes.push_back(layer_note(run));
  return t;
}

Table layer_latency(const View& run) {
  Table t;
  const auto index = t.column("layer"), name = t.column("name"),
             type = t.column("type", "", kNotSaid), third = t.column("third"),
             time = t.column("time_ns", "ns"),
             share = t.column("share", "1", "the layers took no time"),
             until = t.column("share_until", "1", "the layers took no time");
  const double all_ns = layer_sum_ns(run);
  const std::size_t count = run.layers.size();
  double so_far_ns = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const LayerRow& l = run.layers[i];
    so_far_ns += l.time_ns;
    t.row()
        .set(index, static_cast<std::int64_t>(i))
        .set(name, l.name)
        .set(type, l.type)
        .set(third, 3 * i < count       ? "beginning"
                    : 3 * i < 2 * count ? "middle"
                                        : "end")
        .set(time, l.time_ns)
        .set(share, share_of(l.time_ns, all_ns))
        .set(until, share_of(so_far_ns, all_ns));
  }
  t.notes.push_back(layer_note(run));
  return t;
}

Table layer_memory(const View& run) {
  Table t;
  const auto index = t.column("layer"), name = t.column("name"),
             type = t.column("type", "", kNotSaid),
             allocated = t.column("allocated_bytes", "B", "no profiler said what it allocated"),
             output = t.column("output_bytes", "B", kNoBytes),
             bytes = t.column("bytes", "B", kNoBytes);
  for (const LayerRow& l : run.layers)
    t.row()
        .set(index, index_of(run, l))
        .set(name, l.name)
        .set(type, l.type)
        .set(allocated, l.allocated_bytes)
        .set(output, l.output_bytes)
        .set(bytes, l.bytes);
  t.notes.emplace_back(
      "output_bytes: of the tensors that the layer writes; bytes: of all that cross its boundary");
  return t;
}

Table layer_types(const View& run) {
  Table t;
  const auto type = t.column("type", "", kNotSaid), layers = t.column("layers"),
             share = t.column("share", "1");
  std::vector<TypeSum> sums = by_type(run);
  std::stable_sort(sums.begin(), sums.end(),
                   [](const TypeSum& a, const TypeSum& b) { return a.layers > b.layers; });
  for (const TypeSum& s : sums)
    t.row()
        .set(type, s.type)
        .set(layers, s.layers)
        .set(share,
             share_of(static_cast<double>(s.layers), static_cast<double>(run.layers.size())));
  return t;
}

Table latency_by_type(const View& run) {
  Table t;
  const auto type = t.column("type", "", kNotSaid), layers = t.column("layers"),
             time = t.column("time_ns", "ns"),
             share = t.column("share", "1", "the layers took no time"),
             mean = t.column("mean_ns", "ns");
  const double all_ns = layer_sum_ns(run);
  const std::vector<TypeSum> sums = by_type(run);
  for (const TypeSum* s : longest_first(sums))
    t.row()
        .set(type, s->type)
        .set(layers, s->layers)
        .set(time, s->time_ns)
        .set(share, share_of(s->time_ns, all_ns))
        .set(mean, s->time_ns / static_cast<double>(s->layers));
  t.notes.push_back(layer_note(run));
  return t;
}

Table memory_by_type(const View& run) {
  Table t;
  const auto type = t.column("type", "", kNotSaid), layers = t.column("layers"),
             allocated = t.column("allocated_bytes", "B", "no profiler said what it allocated"),
             output = t.column("output_bytes", "B", kNoBytes),
             bytes = t.column("bytes", "B", kNoBytes);
  std::vector<TypeSum> sums = by_type(run);
  std::stable_sort(sums.begin(), sums.end(), [](const TypeSum& a, const TypeSum& b) {
    return a.output_bytes.value_or(-1) > b.output_bytes.value_or(-1);
  });
  for (const TypeSum& s : sums)
    t.row()
        .set(type, s.type)
        .set(layers, s.layers)
        .set(allocated, s.allocated_bytes)
        .set(output, s.output_bytes)
        .set(bytes, s.bytes);
  return t;
}

Table layer_roofline(const View& run) {
  Table t;
  const auto index = t.column("layer"), name = t.column("name"), time = t.column("time_ns", "ns"),
             operations = t.column("operations", "FLOP", kNoWork),
             bytes = t.column("bytes", "B", kNoBytes),
             intensity = t.column("intensity", "FLOP/B", kNoWork),
             flop_rate = t.column("flop_per_s", "FLOP/s", kNoWork),
             byte_rate = t.column("bytes_per_s", "B/s", kNoBytes),
             bound = t.column("bound", "", kNoRoofs), share = t.column("roof_share", "1", kNoRoofs);
  for (const LayerRow& l : run.layers) {
    Row& row = t.row();
    row.set(index, index_of(run, l)).set(name, l.name).set(time, l.time_ns);
    row.set(operations, l.operations).set(bytes, l.bytes);
    row.set(intensity, ratio(l.operations, l.bytes));
    row.set(flop_rate, rate(l.operations, l.time_ns)).set(byte_rate, rate(l.bytes, l.time_ns));
    if (l.joined != nullptr)
      row.set(bound, l.joined->bound.kind).set(share, l.joined->bound.roof_share);
  }
  t.notes.emplace_back(
      "operations: 2 MACs + flops + special + int_ops of the nodes it executes, as the model "
      "defines them; bytes: of the tensors that cross its boundary");
  return t;
}

}  // namespace ridge::trace
