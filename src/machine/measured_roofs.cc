// SPDX-License-Identifier: Apache-2.0
#include "machine/measured_roofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "machine/cache_reach.h"
#include "machine/load.h"
#include "machine/roof_meter.h"
#include "machine/roofs_cache.h"
#include "machine/theory.h"
#include "machine/working_set.h"
#include "stats/bootstrap.h"

namespace ridge::machine {
namespace {

// Kernels this close to the best in a short trial are measured in full, at most kMaxContenders.
constexpr double kContender = 0.90;
constexpr std::size_t kMaxContenders = 3;
constexpr int kMaxAttempts = 4;

double largest(std::span<const double> values) {
  return *std::max_element(values.begin(), values.end());
}

int distinct_cores(const std::vector<Cpu>& cpus) {
  std::set<int> cores;
  for (const Cpu& c : cpus) cores.insert(c.core);
  return static_cast<int>(cores.size());
}

/// Removes the 128-bit kernels if a wider one is usable: they never win and cost time.
template <typename Kernel>
std::vector<const Kernel*> worth_trying(std::vector<const Kernel*> kernels) {
  const bool wide = std::any_of(kernels.begin(), kernels.end(),
                                [](const Kernel* k) { return k->vector_bits >= 256; });
  if (wide) std::erase_if(kernels, [](const Kernel* k) { return k->vector_bits == 128; });
  return kernels;
}

/// Measurement of all roofs for one number of threads.
class Campaign {
 public:
  Campaign(const Host& host, std::vector<Cpu> cpus, const RoofsOptions& options, MeasuredRoofs& out)
      : host_(host),
        cpus_(std::move(cpus)),
        options_(options),
        out_(out),
        meter_(ids(cpus_), steady_clock()) {}

  Result<void> run() {
    for (const char* dtype : {"float32", "int8"}) TRY(compute(dtype));
    for (WorkingSet& set : working_sets(host_, cpus_)) {
      if (set.bytes_per_thread == 0) {
        note_once(
            fmt::format("{} with {} is not measured: {}", set.level, threads_text(), set.reason));
        continue;
      }
      if (set.level == "memory") TRY(reach(set));
      for (const kernels::StreamKind kind : kernels::kStreamKinds) TRY(stream(kind, set));
    }
    return {};
  }

 private:
  template <typename Kernel>
  struct Winner {
    const Kernel* kernel = nullptr;
    RoofSamples samples;
  };

  static std::vector<int> ids(const std::vector<Cpu>& cpus) {
    std::vector<int> out;
    for (const Cpu& c : cpus) out.push_back(c.id);
    return out;
  }

  std::string threads_text() const {
    return cpus_.size() == 1 ? "1 thread" : fmt::format("{} threads", cpus_.size());
  }

  void note_once(std::string note) {
    if (std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end()) {
      out_.notes.push_back(std::move(note));
    }
  }

  bool stopped(std::string_view what) {
    if (options_.progress != nullptr) {
      options_.progress->show(fmt::format("measuring roofs: {}, {}", what, threads_text()));
    }
    if (!options_.stop || !options_.stop()) return false;
    out_.complete = false;
    return true;
  }

  /// Selects the best kernel and returns its bursts: a short trial of each, then a full measurement
  /// of those close to the best.
  template <typename Kernel, typename Try, typename Measure>
  Result<Winner<Kernel>> best_of(const std::vector<const Kernel*>& kernels, Try&& attempt,
                                 Measure&& measure) {
    std::vector<std::pair<double, const Kernel*>> trials;
    for (const Kernel* k : kernels) {
      const double rate = kernels.size() == 1 ? 1.0 : TRY(attempt(*k));
      trials.emplace_back(rate, k);
    }
    std::stable_sort(trials.begin(), trials.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    Winner<Kernel> winner;
    for (std::size_t i = 0; i < std::min(trials.size(), kMaxContenders); ++i) {
      if (trials[i].first < kContender * trials[0].first) break;
      RoofSamples samples = TRY(measure(*trials[i].second));
      if (samples.best > winner.samples.best) winner = {trials[i].second, std::move(samples)};
    }
    return winner;
  }

  MeasuredRoof row(const RoofSamples& samples) const {
    MeasuredRoof roof;
    roof.threads = static_cast<int>(cpus_.size());
    roof.value = samples.best;
    roof.ci =
        stats::percentile_bootstrap(samples.rates, largest).interval.value_or(stats::Interval{});
    roof.clock_hz = samples.clock_hz;
    roof.bursts = static_cast<int>(samples.rates.size());
    roof.slowest = *std::min_element(samples.rates.begin(), samples.rates.end());
    roof.median = stats::median(samples.rates);
    return roof;
  }

  void keep(MeasuredRoof roof, const Theory& theory) {
    roof.theory = theory.value;
    roof.theory_reason = theory.reason;
    out_.rows.push_back(std::move(roof));
  }

  Result<void> compute(const char* dtype) {
    auto usable = worth_trying(kernels::usable_compute_kernels(host_.features));
    std::erase_if(usable, [&](const auto* k) { return k->dtype != dtype; });
    if (usable.empty()) {
      note_once(fmt::format("compute {} is not measured: this processor has no instruction for it",
                            dtype));
      return {};
    }
    if (stopped(fmt::format("compute {}", dtype))) return {};
    const auto winner = TRY(best_of<kernels::ComputeKernel>(
        usable, [&](const auto& k) { return meter_.try_compute(k); },
        [&](const auto& k) { return meter_.compute(k); }));
    MeasuredRoof roof = row(winner.samples);
    roof.kind = "compute";
    roof.dtype = dtype;
    roof.unit = "FLOP/s";
    roof.kernel = winner.kernel->name;
    roof.instruction = winner.kernel->instruction;
    keep(std::move(roof),
         compute_theory(host_, dtype, {distinct_cores(cpus_), winner.samples.clock_hz}));
    return {};
  }

  Result<void> stream(kernels::StreamKind kind, const WorkingSet& set) {
    auto usable = worth_trying(kernels::usable_stream_kernels(host_.features, kind));
    if (set.level != "memory") {
      std::erase_if(usable,
                    [](const auto* k) { return k->use == kernels::StreamUse::kMemoryOnly; });
    }
    if (stopped(fmt::format("{} {}", set.level, name(kind)))) return {};
    const auto winner = TRY(best_of<kernels::StreamKernel>(
        usable, [&](const auto& k) { return meter_.try_stream(k, set.bytes_per_thread); },
        [&](const auto& k) { return meter_.stream(k, set.bytes_per_thread); }));
    MeasuredRoof roof = row(winner.samples);
    roof.kind = name(kind);
    roof.dtype = "float32";
    roof.level = set.level;
    roof.unit = "B/s";
    roof.kernel = winner.kernel->name;
    roof.instruction = winner.kernel->instruction;
    roof.working_set = set.bytes_per_thread;
    keep(std::move(roof),
         stream_theory(host_, kind, set.level, {distinct_cores(cpus_), winner.samples.clock_hz}));
    return {};
  }

  /// Measures how much the outermost cache keeps of what is read again and again, and limits the
  /// working set of memory to four times that (STREAM's rule).
  Result<void> reach(WorkingSet& memory) {
    const std::string level = host_.cache(3) != nullptr ? "L3" : "L2";
    const auto threads = static_cast<std::int64_t>(cpus_.size());
    const auto cache = std::ranges::find_if(out_.rows, [&](const MeasuredRoof& roof) {
      return roof.kind == "read" && roof.level == level && roof.threads == threads;
    });
    if (cache == out_.rows.end() || stopped("reach of " + level)) return {};
    const auto kernels = kernels::stream_kernels();
    const auto kernel = std::ranges::find(kernels, cache->kernel, &kernels::StreamKernel::name);
    std::vector<ReadRate> rates;
    for (const std::int64_t bytes : reach_sets(host_, cpus_))
      rates.push_back({bytes * threads, TRY(meter_.try_stream(*kernel, bytes))});
    const double far = TRY(meter_.try_stream(*kernel, memory.bytes_per_thread));
    cache->reach = cache_reach(rates, cache->value, far);
    if (cache->reach > 0)
      memory.bytes_per_thread =
          std::min(memory.bytes_per_thread, std::max(4 * cache->reach, kMinMemorySet) / threads);
    return {};
  }

  const Host& host_;
  std::vector<Cpu> cpus_;
  const RoofsOptions& options_;
  MeasuredRoofs& out_;
  RoofMeter meter_;
};

bool has_threads(const MeasuredRoofs& roofs, int threads) {
  return std::any_of(roofs.rows.begin(), roofs.rows.end(),
                     [&](const MeasuredRoof& roof) { return roof.threads == threads; });
}

bool disturbed(const MeasuredRoofs& roofs) {
  return roofs.foreign_cpus && *roofs.foreign_cpus > kQuietCpus;
}

/// Adds the note on disturbances; it belongs to this call, not to the rows, so it is not cached.
void add_disturbance_note(MeasuredRoofs& roofs) {
  if (!disturbed(roofs)) return;
  roofs.notes.push_back(fmt::format(
      "other programs used {:.2f} processors while the roofs were measured, so they may "
      "be too low; `ridge machine --refresh` on a quiet machine measures them again",
      *roofs.foreign_cpus));
}

}  // namespace

std::vector<int> default_threads(const Host& host) {
  const auto all = static_cast<int>(host.allowed.size());
  return all > 1 ? std::vector<int>{1, all} : std::vector<int>{1};
}

Result<MeasuredRoofs> measure_roofs(const Host& host, const SystemFiles& files,
                                    const RoofsOptions& options) {
  MeasuredRoofs out;
  const LoadSample before = sample_load(files);
  for (const int threads : options.threads.empty() ? default_threads(host) : options.threads) {
    std::vector<Cpu> cpus = place_threads(host, threads);
    if (static_cast<int>(cpus.size()) < threads || threads < 1) {
      return usage_error("RIDGE-MACH-0003",
                         fmt::format("{} threads requested, but this process may use {} processors",
                                     threads, host.allowed.size()))
          .hint(
              "request fewer, or extend the set of processors this process may use (taskset, "
              "cpuset)");
    }
    TRY(Campaign(host, std::move(cpus), options, out).run());
  }
  out.foreign_cpus = load_between(before, sample_load(files)).foreign_cpus;
  if (options.progress != nullptr) options.progress->hide();
  if (!out.complete) out.notes.emplace_back("interrupted: the roofs are not complete");
  return out;
}

Result<MeasuredRoofs> load_or_measure(const Host& host, const SystemFiles& files,
                                      const RoofsOptions& options) {
  RoofsOptions missing = options;
  if (missing.threads.empty()) missing.threads = default_threads(host);
  const std::string key = cache_key(host);
  std::optional<MeasuredRoofs> kept;
  if (!options.cache_folder.empty() && !options.refresh)
    kept = load_cache(options.cache_folder, key);
  if (kept) {
    kept->from_cache = true;
    const bool again = disturbed(*kept) && kept->attempts < kMaxAttempts;
    if (!again) std::erase_if(missing.threads, [&](int t) { return has_threads(*kept, t); });
    if (missing.threads.empty()) {
      add_disturbance_note(*kept);
      return std::move(*kept);
    }
  }

  MeasuredRoofs out = TRY(measure_roofs(host, files, missing));
  if (kept) {
    out.rows = better_of(std::move(kept->rows), out.rows);
    out.attempts = kept->attempts + 1;
  }
  if (!options.cache_folder.empty() && out.complete) {
    const Result<void> saved = save_cache(options.cache_folder, key, out);
    if (!saved.ok()) out.notes.push_back("the roofs are not kept: " + saved.error().summary());
  }
  add_disturbance_note(out);
  return out;
}

}  // namespace ridge::machine
