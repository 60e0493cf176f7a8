// SPDX-License-Identifier: Apache-2.0
// Figures for Prometheus (OpenMetrics 1.0).
#include <fmt/format.h>

#include "base/version.h"
#include "lab/serve/service.h"
#include "store/run_filter.h"

namespace ridge::lab::serve {
namespace {

constexpr double kNanosPerSecond = 1e9;

std::string gauge(std::string_view name, std::string_view meaning, std::int64_t value) {
  return fmt::format("# TYPE {0} gauge\n# HELP {0} {1}\n{0} {2}\n", name, meaning, value);
}

}  // namespace

void RequestCounts::add(unsigned status, std::chrono::nanoseconds took) {
  ++by_class_[std::min<std::size_t>(status / 100, by_class_.size() - 1)];
  const double seconds = static_cast<double>(took.count()) / kNanosPerSecond;
  std::size_t cell = 0;
  while (cell < kBounds.size() && seconds > kBounds[cell]) ++cell;
  ++by_time_[cell];
  total_ns_ += static_cast<std::uint64_t>(took.count());
}

std::string RequestCounts::text() const {
  std::string out =
      "# TYPE ridge_serve_requests counter\n# HELP ridge_serve_requests answers by the class of "
      "their status\n";
  for (std::size_t i = 2; i < by_class_.size(); ++i)
    out +=
        fmt::format("ridge_serve_requests_total{{status=\"{}xx\"}} {}\n", i, by_class_[i].load());
  out +=
      "# TYPE ridge_serve_request_seconds histogram\n# UNIT ridge_serve_request_seconds seconds\n"
      "# HELP ridge_serve_request_seconds time of the handler of a request\n";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i <= kBounds.size(); ++i) {
    sum += by_time_[i].load();
    out += fmt::format("ridge_serve_request_seconds_bucket{{le=\"{}\"}} {}\n",
                       i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf", sum);
  }
  return out + fmt::format(
                   "ridge_serve_request_seconds_count {}\n"
                   "ridge_serve_request_seconds_sum {}\n",
                   sum, static_cast<double>(total_ns_.load()) / kNanosPerSecond);
}

Result<Answer> show_metrics(Service& service, const Call&) {
  constexpr store::Window kNone{.limit = 0, .offset = 0};
  const auto [runs,
              evaluations] = TRY(service.stores.with([&](const store::Store& store)
                                                         -> Result<std::array<std::int64_t, 2>> {
    return std::array{TRY(store.runs({}, kNone)).total, TRY(store.evaluations({}, kNone)).total};
  }));
  Answer out;
  out.body = fmt::format(
                 "# TYPE ridge_build info\n# HELP ridge_build the program\n"
                 "ridge_build_info{{version=\"{}\"}} 1\n",
                 version()) +
             gauge("ridge_store_runs", "runs that the store has", runs) +
             gauge("ridge_store_evaluations", "evaluations that the store has", evaluations) +
             service.counts.text() + (service.pusher ? service.pusher->metrics() : "") + "# EOF\n";
  return out;
}

}  // namespace ridge::lab::serve
