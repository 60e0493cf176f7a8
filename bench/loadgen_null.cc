// SPDX-License-Identifier: Apache-2.0
// MLPerf's LoadGen with a system under test that answers at once, for comparison with the null
// runtime. Built by eval_loadgen.py with the sources of mlcommons-loadgen 6.0.17.
//
//   loadgen_null rate SECONDS FOLDER        one query after the other
//   loadgen_null late SECONDS FOLDER QPS    a server's Poisson arrivals
//   loadgen_null logs QUERIES FOLDER QPS    so many queries of a server, for its set-up and logs
//
// Prints a line of JSON: queries, seconds from the first to the last, and of a server how late they
// were. LoadGen does not tell the system under test when a query was scheduled: the schedule is
// drawn again from its seed, and the most punctual query counts as punctual, which is in LoadGen's
// favor.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "loadgen.h"
#include "query_sample_library.h"
#include "system_under_test.h"
#include "test_settings.h"

namespace {

constexpr std::int64_t kLateNs = 20'000;
constexpr std::size_t kSamples = 64;
constexpr std::uint64_t kSeed = 7;

std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

class NullSystem : public mlperf::SystemUnderTest {
 public:
  explicit NullSystem(std::size_t room) { issued.reserve(room); }
  const std::string& Name() override { return name_; }
  void IssueQuery(const std::vector<mlperf::QuerySample>& samples) override {
    issued.push_back(now());
    for (const mlperf::QuerySample& sample : samples) {
      mlperf::QuerySampleResponse response{sample.id, 0, 0};
      mlperf::QuerySamplesComplete(&response, 1);
    }
  }
  void FlushQueries() override {}

  std::vector<std::int64_t> issued;  // when

 private:
  std::string name_ = "null";
};

class Samples : public mlperf::QuerySampleLibrary {
 public:
  const std::string& Name() override { return name_; }
  std::size_t TotalSampleCount() override { return kSamples; }
  std::size_t PerformanceSampleCount() override { return kSamples; }
  void LoadSamplesToRam(const std::vector<mlperf::QuerySampleIndex>&) override {}
  void UnloadSamplesFromRam(const std::vector<mlperf::QuerySampleIndex>&) override {}

 private:
  std::string name_ = "numbers";
};

std::vector<std::int64_t> lateness(const std::vector<std::int64_t>& issued, double qps) {
  std::mt19937 random(kSeed);
  std::exponential_distribution<double> gaps(qps);
  std::vector<std::int64_t> out;
  std::int64_t due_ns = 0;
  for (const std::int64_t at : issued) {
    out.push_back(at - due_ns);
    due_ns += static_cast<std::int64_t>(gaps(random) * 1e9);
  }
  std::sort(out.begin(), out.end());
  for (std::int64_t i = 0, least = out.front(); i < static_cast<std::int64_t>(out.size()); ++i)
    out[static_cast<std::size_t>(i)] -= least;
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 3 ? argv[1] : "";
  const double amount = argc > 3 ? std::atof(argv[2]) : 0, qps = argc > 4 ? std::atof(argv[4]) : 0;
  if ((what != "rate" && what != "late" && what != "logs") || (what != "rate" && qps <= 0)) {
    std::fprintf(stderr, "usage: %s rate|late|logs SECONDS FOLDER [QPS]\n", argv[0]);
    return 2;
  }
  mlperf::TestSettings settings;
  settings.mode = mlperf::TestMode::PerformanceOnly;
  settings.min_query_count = what == "logs" ? static_cast<std::uint64_t>(amount) : 100;
  settings.min_duration_ms = what == "logs" ? 0 : static_cast<std::uint64_t>(amount * 1000);
  settings.schedule_rng_seed = kSeed;
  if (what == "rate") {
    settings.scenario = mlperf::TestScenario::SingleStream;
    settings.single_stream_expected_latency_ns = 500;  // a list that no run of it outlasts
  } else {
    settings.scenario = mlperf::TestScenario::Server;
    settings.server_target_qps = qps;
  }
  mlperf::LogSettings logs;
  logs.log_output.outdir = argv[3];
  const double room = what == "rate" ? amount * 4e6 : what == "late" ? amount * 2 * qps : amount;
  NullSystem system(static_cast<std::size_t>(room) + 1000);
  Samples samples;
  mlperf::StartTest(&system, &samples, settings, logs);
  const std::vector<std::int64_t>& issued = system.issued;
  if (issued.size() < 2) return 1;
  std::printf("{\"queries\":%zu,\"seconds\":%.6f,\"first_ns\":%lld,\"last_ns\":%lld", issued.size(),
              static_cast<double>(issued.back() - issued.front()) * 1e-9,
              static_cast<long long>(issued.front()), static_cast<long long>(issued.back()));
  if (what != "rate") {
    const std::vector<std::int64_t> late = lateness(issued, qps);
    const auto at = [&](std::size_t percent) { return late[(late.size() - 1) * percent / 100]; };
    const auto many = late.end() - std::upper_bound(late.begin(), late.end(), kLateNs);
    std::printf(",\"late\":%lld,\"p50_ns\":%lld,\"p99_ns\":%lld", static_cast<long long>(many),
                static_cast<long long>(at(50)), static_cast<long long>(at(99)));
  }
  std::printf("}\n");
}
