// SPDX-License-Identifier: Apache-2.0
#include "scenario/arrivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "scenario/exact_random.h"

namespace ridge::scenario {
namespace {

constexpr double kNanosPerSecond = 1e9;

/// A point in time that gaps are added to.
class Timeline {
 public:
  /// `gap` in nanoseconds, not negative.
  void advance(double gap) {
    ticks_ += gap < kMaxGap ? static_cast<Ticks>(gap * kTicksPerNano) : kEnd;
    ticks_ = std::min(ticks_, kEnd);
  }
  std::int64_t ns() const { return static_cast<std::int64_t>((ticks_ + kHalf) >> kShift); }

 private:
  __extension__ using Ticks = unsigned __int128;
  static constexpr int kShift = 40;
  static constexpr Ticks kHalf = Ticks{1} << (kShift - 1);
  static constexpr double kTicksPerNano = 0x1.0p40;
  static constexpr double kMaxGap = 0x1.0p63;
  static constexpr Ticks kEnd = static_cast<Ticks>(kNever) << kShift;
  Ticks ticks_ = 0;
};

class ConstantArrivals final : public Arrivals {
 public:
  explicit ConstantArrivals(const Constant& process) : gap_(kNanosPerSecond / process.rate) {}
  std::int64_t next() override {
    const std::int64_t now = time_.ns();
    time_.advance(gap_);
    return now;
  }

 private:
  double gap_;
  Timeline time_;
};

class PoissonArrivals final : public Arrivals {
 public:
  PoissonArrivals(const Poisson& process, std::uint64_t seed)
      : random_(seed), gap_(kNanosPerSecond / process.rate) {}
  std::int64_t next() override {
    time_.advance(exponential(random_) * gap_);
    return time_.ns();
  }

 private:
  stats::Random random_;
  double gap_;
  Timeline time_;
};

class GammaArrivals final : public Arrivals {
 public:
  GammaArrivals(const Gamma& process, std::uint64_t seed)
      : random_(seed), shape_(process.shape), scale_(kNanosPerSecond / process.rate / shape_) {}
  std::int64_t next() override {
    time_.advance(gamma(random_, shape_) * scale_);
    return time_.ns();
  }

 private:
  stats::Random random_;
  double shape_, scale_;
  Timeline time_;
};

class BurstyArrivals final : public Arrivals {
 public:
  BurstyArrivals(const Bursty& process, std::uint64_t seed)
      : random_(seed),
        rates_{process.quiet_rate / kNanosPerSecond, process.burst_rate / kNanosPerSecond},
        stays_{process.quiet_s * kNanosPerSecond, process.burst_s * kNanosPerSecond} {
    state_ = random_.uniform() * (stays_[0] + stays_[1]) < stays_[0] ? 0 : 1;
    left_ = exponential(random_) * stays_[state_];
  }

  // Exponential times have no memory: a gap that would outlast the state is drawn again in the next
  // one, from the change on.
  std::int64_t next() override {
    while (time_.ns() < kNever) {
      const double unit = exponential(random_);
      if (unit < left_ * rates_[state_]) {
        const double gap = unit / rates_[state_];
        left_ -= gap;
        time_.advance(gap);
        return time_.ns();
      }
      time_.advance(left_);
      state_ = 1 - state_;
      left_ = exponential(random_) * stays_[state_];
    }
    return kNever;
  }

 private:
  stats::Random random_;
  double rates_[2];  ///< per nanosecond
  double stays_[2];  ///< nanoseconds
  std::size_t state_ = 0;
  double left_ = 0;  ///< until the state changes
  Timeline time_;
};

class ReplayArrivals final : public Arrivals {
 public:
  explicit ReplayArrivals(Replay process) : process_(std::move(process)) {}
  std::int64_t next() override {
    const std::vector<std::int64_t>& times = process_.times_ns;
    if (at_ == times.size()) {
      if (++round_ >= process_.rounds) return at_ = times.size(), round_ = process_.rounds, kNever;
      at_ = 0;
      const auto gaps = static_cast<double>(std::max<std::size_t>(times.size() - 1, 1));
      time_.advance(static_cast<double>(times.back() - times.front()) / gaps / process_.speed);
    } else if (at_ > 0) {
      time_.advance(static_cast<double>(times[at_] - times[at_ - 1]) / process_.speed);
    }
    ++at_;
    return time_.ns();
  }

 private:
  Replay process_;
  std::size_t at_ = 0;
  std::uint32_t round_ = 0;
  Timeline time_;
};

Result<void> within(std::string_view what, double value, double least, double most) {
  if (value >= least && value <= most) return {};  // false for NaN
  return input_error("RIDGE-SCEN-0001", fmt::format("{} is {}, out of range", what, value))
      .hint(fmt::format("choose {} to {}", least, most));
}

Result<void> check_process(const Constant& p) {
  return within("the rate", p.rate, kMinRate, kMaxRate);
}
Result<void> check_process(const Poisson& p) {
  return within("the rate", p.rate, kMinRate, kMaxRate);
}
Result<void> check_process(const Gamma& p) {
  TRY(within("the rate", p.rate, kMinRate, kMaxRate));
  return within("the shape of the gaps", p.shape, 0.01, 1000);
}
Result<void> check_process(const Bursty& p) {
  TRY(within("the rate of the quiet state", p.quiet_rate, 0, kMaxRate));
  TRY(within("the rate of bursts", p.burst_rate, 0, kMaxRate));
  TRY(within("the mean length of the quiet state in seconds", p.quiet_s, 1e-6, 1e6));
  TRY(within("the mean length of bursts in seconds", p.burst_s, 1e-6, 1e6));
  return within("the mean rate", p.mean_rate(), kMinRate, kMaxRate);
}
Result<void> check_process(const Replay& p) {
  TRY(within("the speed of the replay", p.speed, 1e-6, 1e6));
  TRY(within("the number of rounds", p.rounds, 1, 1e9));
  if (p.times_ns.empty()) return input_error("RIDGE-SCEN-0002", "the trace has no arrivals");
  if (p.times_ns.front() < 0 || !std::is_sorted(p.times_ns.begin(), p.times_ns.end()))
    return input_error("RIDGE-SCEN-0002", "the times of the trace are not ascending from 0");
  return {};
}

struct Maker {
  std::uint64_t seed;

  std::unique_ptr<Arrivals> operator()(const Constant& p) const {
    return std::make_unique<ConstantArrivals>(p);
  }
  std::unique_ptr<Arrivals> operator()(const Poisson& p) const {
    return std::make_unique<PoissonArrivals>(p, seed);
  }
  std::unique_ptr<Arrivals> operator()(const Gamma& p) const {
    return std::make_unique<GammaArrivals>(p, seed);
  }
  std::unique_ptr<Arrivals> operator()(const Bursty& p) const {
    return std::make_unique<BurstyArrivals>(p, seed);
  }
  std::unique_ptr<Arrivals> operator()(Replay& p) const {
    return std::make_unique<ReplayArrivals>(std::move(p));
  }
};

}  // namespace

double Bursty::mean_rate() const {
  return (quiet_rate * quiet_s + burst_rate * burst_s) / (quiet_s + burst_s);
}

Result<std::unique_ptr<Arrivals>> make_arrivals(ArrivalProcess process, std::uint64_t seed) {
  TRY(std::visit([](const auto& p) { return check_process(p); }, process));
  return std::visit(Maker{seed}, process);
}

}  // namespace ridge::scenario
