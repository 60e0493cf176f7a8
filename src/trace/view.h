// One run as the queries see it: rows of layers and of kernels with a time each, whether they come
// from the joined tables or from spans.
//
//   View view(profile);              // correlates profile.timeline in place
//   for (const LayerRow& l : view.layers) l.time_ns;
//
// Layers are the rows of Profile::layers where there are any, else spans of level layer: the k-th
// of a name in each run is one row. Kernels are spans of level kernel, else the implementations
// that the layers name, else spans of level library. Times are medians over recorded runs of sums
// within a run, own time only where layers lie in layers; what overlaps on devices counts once in
// device_ns. A span outside every run belongs to the one that started last before it. Imports say
// by attributes which row a layer or a kernel is of ("layer"; "none": of no run), and of how many
// runs the spans of a row are ("recorded_runs"). Calls of a library that lie in each other have the
// time that is theirs alone.
//
// Times past 2^61 ns either way are cut, so that differences of two fit.
//
// Ownership: borrows the profile, which must outlive it. Cost: O(n log n) in the spans.
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

/// What counters say of kernels; nullopt: at least one of them does not say it. Per run.
struct Counters {
  std::optional<double> flops, dram_read_bytes, dram_write_bytes;
  std::optional<double> occupancy;  ///< 0 to 1, weighted by time
};

struct LayerRow {
  std::string name, type, module, implementation, precision, output_shape, nodes;
  const profile::Layer* joined = nullptr;  ///< its row of the profile
  double time_ns = 0;             ///< corrected, else of its kernels on devices, else of its spans
  std::optional<double> host_ns;  ///< of its spans, less layers inside
  std::optional<double> device_ns;  ///< of its kernels on devices, what overlaps once
  double kernel_ns = 0;             ///< of its kernels, the sum
  double recorded_runs = 1;         ///< that its spans are of, where none says when it begins
  std::optional<double> operations, bytes, output_bytes, allocated_bytes;
};

struct KernelRow {
  std::string name, implementation, device;
  std::uint32_t layer = kNone;
  double count = 0;    ///< per run
  double time_ns = 0;  ///< per run, the sum
  Counters counters;
  std::optional<double> operations, bytes;  ///< of its layer where it is the only kernel there
};

enum class KernelSource : std::uint8_t { kNothing, kDevice, kImplementation, kLibrary };

struct View {
  explicit View(profile::Profile& measured);

  /// "model (12 spans), layer (234 spans)"; "no spans, 54 layers in its table".
  std::string levels_text() const;

  std::int64_t number = 0;  ///< of the run in its store; 0: it is called by its place
  std::string label;        ///< "2 threads": what tells it from the others, "" where nothing does

  const profile::Profile* profile;
  std::uint64_t out_of_range = 0;  ///< spans whose times were cut
  Correlation correlation;
  std::array<std::uint64_t, kLevels> spans_of{};
  std::vector<profile::SpanId> runs;  ///< of level model with something inside, by start; kNoSpan:
                                      ///< the spans of a trace that names no run
  std::vector<std::uint32_t> run_of, layer_of;  ///< by span: position in runs and in layers, kNone
  std::vector<LayerRow> layers;
  std::vector<KernelRow> kernels;
  KernelSource kernel_source = KernelSource::kNothing;
  std::optional<double> latency_ns;  ///< median; of the model's spans where none was measured
  std::vector<bool> left_out;        ///< by span: no part of any run
  bool made_starts = false;          ///< spans laid end to end: gaps mean nothing
};

/// By layer: the time that its spans and its kernels on devices cover together.
std::vector<std::optional<double>> layer_extents(const View& view);

}  // namespace ridge::trace
