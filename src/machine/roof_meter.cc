// SPDX-License-Identifier: Apache-2.0
#include "machine/roof_meter.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <system_error>

#include "kernels/cpu/clock_chain.h"
#include "machine/pinned.h"
#include "stats/samples.h"

namespace ridge::machine {
namespace {

constexpr int kTrialBursts = 6, kTrialRounds = 4;
constexpr std::int64_t kChainRounds = 10'000;  // 640,000 cycles, a fifth of a millisecond
constexpr std::size_t kHugePage = std::size_t{2} << 20;
// Arrays start at different offsets within a page: a load whose address agrees with the address of
// an earlier store in the low 12 bits would falsely depend on it (Intel 248966, "4K aliasing").
constexpr std::int64_t kStagger = 1088;

/// True if three of the `undisturbed` rates are within 2 % of `best`, the best of all rates.
bool settled(double best, std::vector<double> undisturbed) {
  constexpr std::size_t kWitnesses = 3;
  if (undisturbed.size() < kWitnesses) return false;
  std::partial_sort(undisturbed.begin(), undisturbed.begin() + kWitnesses, undisturbed.end(),
                    std::greater<>());
  return undisturbed[kWitnesses - 1] >= 0.98 * best;
}

/// Updates each thread's highest clock from a burst of the chain.
void note_clocks(const Burst& chain, std::vector<double>& clocks) {
  for (std::size_t t = 0; t < clocks.size(); ++t) {
    const double adds = static_cast<double>(kChainRounds * kernels::kChainAdds);
    clocks[t] = std::max(clocks[t], adds / seconds(chain.thread[t]));
  }
}

}  // namespace

/// Anonymous memory, on huge pages if the system provides them.
class RoofMeter::Block {
 public:
  static Result<std::unique_ptr<Block>> of(std::size_t bytes) {
    const std::size_t size = (bytes + 2 * kHugePage - 1) / kHugePage * kHugePage;
    void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
      return environment_error("RIDGE-MACH-0002",
                               fmt::format("cannot allocate {} MiB to measure bandwidth: {}",
                                           size >> 20, std::generic_category().message(errno)))
          .hint("free some memory, or raise the limit of this process (ulimit -v)");
    }
    ::madvise(at, size, MADV_HUGEPAGE);  // only a request: small pages make the roof a little lower
    return std::unique_ptr<Block>(new Block(at, size));
  }
  ~Block() { ::munmap(at_, size_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Returns the first huge page boundary inside.
  float* data() const {
    const auto address = reinterpret_cast<std::uintptr_t>(at_);
    return reinterpret_cast<float*>((address + kHugePage - 1) / kHugePage * kHugePage);
  }
  std::size_t usable() const { return size_ - kHugePage; }

  /// Touches all pages; the first touch determines the node, so the thread that uses the memory
  /// must call this.
  void touch() {
    if (touched_) return;
    touched_ = true;
    float* p = data();
    for (std::size_t i = 0; i < usable() / sizeof(float); ++i) {
      p[i] = 1.0f + static_cast<float>(i & 255) / 256.0f;
    }
  }

 private:
  Block(void* at, std::size_t size) : at_(at), size_(size) {}
  void* at_;
  std::size_t size_;
  bool touched_ = false;
};

/// Work that a thread repeats, and the amount of work of one repetition.
struct RoofMeter::Job {
  std::function<void(int thread)> set_up;
  std::function<void(int thread, std::int64_t repetitions)> run;
  double work = 0;  ///< FLOP or bytes of one repetition on one thread
};

RoofMeter::RoofMeter(std::vector<int> cpus, const Clock& clock, MeterOptions options)
    : cpus_(std::move(cpus)), clock_(clock), options_(options), blocks_(cpus_.size()) {}

RoofMeter::~RoofMeter() = default;

Result<RoofMeter::Job> RoofMeter::compute_job(const kernels::ComputeKernel& kernel) {
  auto buffers = std::make_shared<std::vector<kernels::ComputeBuffers>>();
  for (std::size_t t = 0; t < cpus_.size(); ++t) buffers->emplace_back(kernel);
  constexpr std::int64_t kSteps = 1000;
  return Job{{},
             [buffers, &kernel](int thread, std::int64_t repetitions) {
               kernels::ComputeBuffers& b = (*buffers)[static_cast<std::size_t>(thread)];
               kernel.run(b.accumulators(), b.operands(), repetitions * kSteps);
             },
             kernel.operations() * kSteps};
}

Result<RoofMeter::Job> RoofMeter::stream_job(const kernels::StreamKernel& kernel,
                                             std::int64_t bytes_per_thread) {
  constexpr std::int64_t kBlockBytes = kernels::kStreamBlock * 4;
  const int arrays = kernels::arrays_of(kernel.kind);
  const std::int64_t blocks = std::max<std::int64_t>(1, bytes_per_thread / arrays / kBlockBytes);
  const std::int64_t array_bytes = blocks * kBlockBytes;
  const std::int64_t stride = array_bytes + kStagger;
  for (std::unique_ptr<Block>& block : blocks_) {
    const auto needed = static_cast<std::size_t>(stride * arrays);
    if (block == nullptr || block->usable() < needed) {
      block.reset();
      block = TRY(Block::of(needed));
    }
  }
  const auto view = [this, stride, blocks, arrays](int thread) {
    float* base = blocks_[static_cast<std::size_t>(thread)]->data();
    const std::int64_t step = stride / 4;
    return kernels::StreamArrays{base, arrays == 1 ? base : base + step,
                                 arrays == 3 ? base + 2 * step : base, 0.5f,
                                 blocks * kernels::kStreamBlock};
  };
  return Job{[this](int thread) { blocks_[static_cast<std::size_t>(thread)]->touch(); },
             [view, &kernel](int thread, std::int64_t passes) { kernel.run(view(thread), passes); },
             static_cast<double>(array_bytes * arrays)};
}

Result<std::int64_t> RoofMeter::repetitions_for(const Job& job) {
  constexpr std::int64_t kMax = std::int64_t{1} << 40;
  for (std::int64_t repetitions = 1;; repetitions *= 4) {
    // Uses the fastest thread of several rounds: with waiting or preempted time included, the
    // bursts would become too short for the clock.
    const auto trials = TRY(
        run_together(cpus_, 5, clock_, {job.set_up, [&](int t, int) { job.run(t, repetitions); }}));
    std::int64_t took = INT64_MAX;
    for (const Burst& b : trials) {
      for (const Nanos own : b.thread) took = std::min(took, own.count);
    }
    took = std::max<std::int64_t>(took, 1);
    if (took < options_.burst.count / 4 && repetitions < kMax) continue;
    const double scale = static_cast<double>(options_.burst.count) / static_cast<double>(took);
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(scale * static_cast<double>(repetitions)));
  }
}

Result<RoofSamples> RoofMeter::measure(const Job& job, int bursts, int max_rounds) {
  const std::int64_t repetitions = TRY(repetitions_for(job));
  const double work =
      job.work * static_cast<double>(repetitions) * static_cast<double>(cpus_.size());
  RoofSamples out;
  std::vector<double> undisturbed, clocks(cpus_.size(), 0);
  const Nanos start = clock_.now();
  for (int round = 0; round < max_rounds; ++round) {
    // Even bursts run the chain, odd ones the kernel, so both see the same clock within a
    // millisecond.
    const auto timed =
        TRY(run_together(cpus_, 2 * bursts, clock_, {{}, [&](int t, int b) {
                                                       if (b % 2 == 1)
                                                         return job.run(t, repetitions);
                                                       kernels::run_clock_chain(0, 1, kChainRounds);
                                                     }}));
    for (std::size_t b = 0; b < timed.size(); ++b) {
      if (b % 2 == 0) {
        note_clocks(timed[b], clocks);
        continue;
      }
      out.rates.push_back(work / seconds(timed[b].wall));
      out.best = std::max(out.best, out.rates.back());
      if (timed[b].undisturbed) undisturbed.push_back(out.rates.back());
    }
    if (settled(out.best, undisturbed) || clock_.now() - start > options_.max_time) break;
  }
  if (kernels::clock_chain_known()) out.clock_hz = stats::mean(clocks);
  return out;
}

Result<RoofSamples> RoofMeter::compute(const kernels::ComputeKernel& kernel) {
  const Job job = TRY(compute_job(kernel));
  return measure(job, options_.bursts, options_.max_rounds);
}

Result<RoofSamples> RoofMeter::stream(const kernels::StreamKernel& kernel,
                                      std::int64_t bytes_per_thread) {
  const Job job = TRY(stream_job(kernel, bytes_per_thread));
  return measure(job, options_.bursts, options_.max_rounds);
}

Result<double> RoofMeter::try_compute(const kernels::ComputeKernel& kernel) {
  const Job job = TRY(compute_job(kernel));
  return TRY(measure(job, kTrialBursts, kTrialRounds)).best;
}

Result<double> RoofMeter::try_stream(const kernels::StreamKernel& kernel,
                                     std::int64_t bytes_per_thread) {
  const Job job = TRY(stream_job(kernel, bytes_per_thread));
  return TRY(measure(job, kTrialBursts, kTrialRounds)).best;
}

}  // namespace ridge::machine
