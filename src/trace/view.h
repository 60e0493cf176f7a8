// SPDX-License-Identifier: Apache-2.0
// View of one run for the queries: layers and kernels as rows with a time each, built from the
// joined tables or from spans (build_view.h). Plain data.
//
// Layers are the rows of Profile::layers, plus rows for spans of level layer that match none of
// them: the k-th span of a name in each run belongs to one row. Kernels are spans of level kernel,
// else the implementations that the layers name, else calls (spans of levels layer and library).
// Times are medians over recorded runs of sums within a run. Nested layers and nested calls count
// their own time only; kernels that overlap on devices count once in device_ns. A span outside
// every run belongs to the run that started last before it. Importers set attributes of spans:
// "layer" is the row of a layer or kernel ("none": part of no run), "recorded_runs" the number of
// runs that the spans of a row cover.
//
// Times beyond 2^61 ns in either direction are clamped, so that the difference of two times fits.
//
// Ownership: borrows the profile, which must outlive it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "trace/correlate.h"

namespace ridge::trace {

inline constexpr std::uint32_t kNone = 0xffffffffU;
inline constexpr std::size_t kLevels = 7;

/// Hardware counters of kernels, per run; nullopt where at least one of the kernels lacks the
/// value.
struct Counters {
  std::optional<double> flops, dram_read_bytes, dram_write_bytes;
  std::optional<double> occupancy;  ///< 0 to 1, weighted by time
};

struct LayerRow {
  std::string name, type, module, implementation, precision, output_shape, nodes;
  const profile::Layer* joined = nullptr;  ///< its row of the profile
  /// From the table (corrected, else the median), else of its kernels on devices, else of its
  /// spans.
  double time_ns = 0;
  std::optional<double> host_ns;    ///< spans of the layer, without nested layers
  std::optional<double> device_ns;  ///< time covered by its kernels on devices
  double kernel_ns = 0;             ///< sum over its kernels
  double recorded_runs = 1;  ///< runs that its spans cover in a trace that does not delimit runs
  std::optional<double> operations, bytes, output_bytes, allocated_bytes;
};

struct KernelRow {
  std::string name, implementation, device;
  std::uint32_t layer = kNone;
  double count = 0;    ///< per run
  double time_ns = 0;  ///< per run, the sum
  Counters counters;
  std::optional<double> operations, bytes;  ///< layer's, if this is its only kernel
};

enum class KernelSource : std::uint8_t { kNothing, kDevice, kImplementation, kLibrary };

struct View {
  /// Levels with their spans: "model (12 spans), layer (234 spans)"; "no spans and 54 layers in its
  /// table".
  std::string levels_text() const;

  std::int64_t number = 0;  ///< id of the run in its store; 0: identified by its position
  std::string label;        ///< difference from the other runs, such as "2 threads", or ""

  const profile::Profile* profile = nullptr;
  std::uint64_t out_of_range = 0;  ///< spans whose times were clamped
  Correlation correlation;
  std::array<std::uint64_t, kLevels> spans_of{};
  /// Spans of level model that contain other spans (all of them if none does), by start. A trace
  /// without spans of level model is one run, kNoSpan.
  std::vector<profile::SpanId> runs;
  std::vector<std::uint32_t> run_of, layer_of;  ///< by span: position in runs and in layers, kNone
  std::vector<LayerRow> layers;
  std::vector<KernelRow> kernels;
  KernelSource kernel_source = KernelSource::kNothing;
  std::optional<double> latency_ns;  ///< median; from spans of level model where not measured
  std::vector<bool> left_out;        ///< by span: excluded from every run
  bool made_starts = false;          ///< starts are synthetic (spans end to end): gaps mean nothing
};

/// Time per layer that its spans and its kernels on devices cover together; nullopt where it has
/// neither.
std::vector<std::optional<double>> layer_extents(const View& view);

}  // namespace ridge::trace
