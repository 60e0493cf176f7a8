// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/scenario_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/lines.h"
#include "base/number.h"
#include "cli/flags/duration.h"
#include "cli/flags/load_flags.h"
#include "scenario/trace_file.h"

namespace ridge::cli {
namespace {

using scenario::Kind;
using scenario::Scenario;

constexpr std::uint32_t kMultiStreamSamples = 8;
constexpr std::string_view kTracePrefix = "trace:";
constexpr std::int64_t kMaxReplayBytes = std::int64_t{256} << 20;
/// Mean durations of a burst and of the time between bursts, in seconds.
constexpr double kBurstS = 0.1, kQuietS = 0.9;
/// A load that takes this many times as long as asked ends.
constexpr double kPatience = 6;
constexpr double kDurationS = 10;

Nanos nanos(double seconds) { return Nanos{std::llround(seconds * 1e9)}; }

Error bad_arrivals(const std::string& text) {
  return usage_error("RIDGE-CLI-0160", fmt::format("--arrivals '{}' is invalid", text))
      .hint(
          "write poisson, constant, gamma:SHAPE (below 1: in bursts), bursty:FACTOR (the rate of "
          "bursts over that between them), or trace:FILE (a CSV of due times)");
}

/// A tenth of the time has `factor` times the rate of the rest, and the mean is `rate`.
scenario::Bursty bursty(double rate, double factor) {
  const double quiet = rate * (kBurstS + kQuietS) / (factor * kBurstS + kQuietS);
  return {
      .quiet_rate = quiet, .burst_rate = factor * quiet, .quiet_s = kQuietS, .burst_s = kBurstS};
}

Result<scenario::ArrivalProcess> arrivals_of(const ScenarioOptions& o) {
  const std::size_t colon = o.arrivals.find(':');
  const std::string kind = o.arrivals.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : o.arrivals.substr(colon + 1);
  const double rate = o.find_peak && !(o.queries_per_s > 0) ? 1 : o.queries_per_s;
  const auto number = finite_number(rest);
  if (!trace_of(o).empty()) {
    if (o.queries_per_s > 0)
      return usage_error("RIDGE-CLI-0160", "--qps has no effect beside a trace of due times")
          .hint("leave it out, or name the kind of arrivals: --arrivals poisson");
    if (o.find_peak)
      return usage_error("RIDGE-CLI-0160",
                         "--find-peak searches a rate, and a trace of due times has its own")
          .hint("leave --arrivals out, or name the kind of arrivals: --arrivals poisson");
    Result<scenario::Trace> trace =
        scenario::read_trace(TRY(read_text_file(rest, kMaxReplayBytes)));
    if (!trace.ok()) return std::move(trace).error().in_file(rest);
    return scenario::ArrivalProcess(scenario::Replay{.times_ns = std::move(trace->times_ns)});
  }
  if (!(rate > 0) && !o.find_peak)
    return usage_error("RIDGE-CLI-0161", "the scenario server needs a rate")
        .hint("name one: --qps 100, or let it be found: --find-peak --bound p99=15ms");
  if (o.arrivals == "poisson") return scenario::ArrivalProcess(scenario::Poisson{rate});
  if (o.arrivals == "constant") return scenario::ArrivalProcess(scenario::Constant{rate});
  if (kind == "gamma" && number && *number > 0)
    return scenario::ArrivalProcess(scenario::Gamma{rate, *number});
  if (kind == "bursty" && number && *number >= 1)
    return scenario::ArrivalProcess(bursty(rate, *number));
  return bad_arrivals(o.arrivals);
}

std::vector<std::string> kinds() {
  std::vector<std::string> out = words<Kind>();
  out.emplace_back(kAccuracyScenario);
  return out;
}

}  // namespace

void add_scenario_options(Flags& flags, ScenarioOptions& o) {
  flags.add("--scenario", o.scenario, "load under which the model is evaluated (single-stream)")
      .one_of(kinds());
  flags.add("--qps", o.queries_per_s, "queries per second of the scenario server").positive();
  flags
      .add("--arrivals", o.arrivals,
           "due times of a server's queries: poisson (default), constant, gamma:SHAPE, "
           "bursty:FACTOR, trace:FILE")
      .shown_as("KIND");
  flags
      .add("--workers", o.workers,
           "runs at the same time (1); in the scenario closed-loop the number of clients (2)")
      .positive();
  flags.add("--samples-per-query", o.samples_per_query, "samples of each query (1; multi-stream 8)")
      .positive();
  flags
      .add("--duration", o.duration,
           "time for which queries are issued at least (10s; of a trace, all of it)")
      .shown_as("TIME");
  flags
      .add("--max-duration", o.max_duration,
           "time after which none are issued; default: six times --duration")
      .shown_as("TIME");
  flags.add("--min-queries", o.min_queries, "queries that are issued at least (100)").positive();
  flags
      .add("--bound", o.bound,
           "latency within which a percentile of the queries must be answered: p99=15ms")
      .shown_as("pN=TIME");
  flags
      .add(
          "--batching", o.batching,
          "run queries together that are due at about the same time: max=8,wait=2ms, and the sizes "
          "of batches that can be run, as sizes=1/4/8; default: powers of two")
      .shown_as("max=N,wait=TIME");
  flags
      .add("--clients", o.clients,
           "clients of the scenario closed-loop, whose queries wait for a worker; default: as many "
           "as queries can run at the same time")
      .positive();
  flags
      .add(
          "--mix", o.mix,
          "another model in the same process, and its share of the queries: other.onnx=0.3; may be "
          "given several times")
      .shown_as("MODEL=SHARE")
      .single();
  flags
      .add("--warmup", o.warmup,
           "first part of the load, which is left out of the figures: a time (2s) or a number of "
           "queries (500)")
      .shown_as("TIME|N");
  flags.add("--find-peak", o.find_peak,
            "search the largest rate of a server that keeps --bound, and evaluate the model there");
  flags.add("--budget", o.budget, "time for the search of --find-peak (5m)").shown_as("TIME");
}

Result<Scenario> scenario_of(const ScenarioOptions& o, std::uint64_t seed) {
  Scenario s;
  s.kind = find_word<Kind>(o.scenario).value_or(Kind::kSingleStream);
  if (s.kind == Kind::kServer) s.arrivals = TRY(arrivals_of(o));
  s.workers = o.workers > 0 ? o.workers : s.kind == Kind::kClosedLoop ? 2 : 1;
  s.samples_per_query = o.samples_per_query > 0        ? o.samples_per_query
                        : s.kind == Kind::kMultiStream ? kMultiStreamSamples
                                                       : 1;
  s.seed = seed;
  double duration_s =
      o.duration.empty() ? kDurationS : TRY(parse_duration("--duration", o.duration));
  // A trace is played to its end, unless a time is stated.
  if (const auto* trace = std::get_if<scenario::Replay>(&s.arrivals);
      trace != nullptr && s.kind == Kind::kServer && o.duration.empty())
    duration_s = static_cast<double>(trace->times_ns.back() + 1) * 1e-9;
  s.min_duration = nanos(duration_s);
  s.max_duration =
      nanos(o.max_duration.empty() ? kPatience * duration_s
                                   : TRY(parse_duration("--max-duration", o.max_duration)));
  if (o.min_queries > 0) s.min_queries = o.min_queries;
  s.batching = TRY(parse_batching(o.batching));
  s.clients = o.clients;
  if (s.kind == Kind::kClosedLoop && s.batching && s.clients == 0)
    s.clients = s.workers * s.batching->most;
  for (const std::string& text : o.mix) s.mix.push_back(TRY(parse_mix(text)).share);
  TRY(set_warmup(o.warmup, s));
  s.max_queries = std::max(s.max_queries, s.min_queries);
  TRY(scenario::check(s));
  return s;
}

std::string trace_of(const ScenarioOptions& o) {
  return o.arrivals.starts_with(kTracePrefix) ? o.arrivals.substr(kTracePrefix.size()) : "";
}

Result<std::optional<scenario::LatencyBound>> bound_of(const std::string& text) {
  if (text.empty()) return std::optional<scenario::LatencyBound>();
  const std::size_t sign = std::min(text.find('='), text.size());
  const std::string value = text.substr(std::min(sign + 1, text.size()));
  const auto percentile =
      text.starts_with('p') ? finite_number(text.substr(1, sign - 1)) : std::nullopt;
  if (!percentile || !(*percentile > 0 && *percentile < 100) || value.empty())
    return usage_error("RIDGE-CLI-0162", fmt::format("--bound '{}' is invalid", text))
        .hint("write a percentile and a time: p99=15ms, p99.9=2s");
  const double seconds =
      TRY(parse_duration(fmt::format("--bound {}=", text.substr(0, sign)), value));
  return std::optional(
      scenario::LatencyBound{scenario::share_of_percentile(*percentile), nanos(seconds).count});
}

}  // namespace ridge::cli
