// SPDX-License-Identifier: Apache-2.0
#include "evaluation/repeat/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "analysis/sizes/shape_text.h"
#include "evaluation/load/arrivals_text.h"
#include "record/describe.h"
#include "record/settings.h"
#include "runtime/read_options.h"

namespace ridge::evaluation {
namespace {

using record::computed;
using record::field;
using record::one_of;
using record::when;
using scenario::Batching;
using scenario::Kind;
using scenario::LatencyBound;
using scenario::Scenario;
using Request = EvaluationRequest;
using Names = std::span<const std::string_view>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kAccuracyAlone = "accuracy";

// When an option has a meaning.

bool with_load(const Request& r) { return r.load; }
bool with_limit(const Request& r) { return !r.data.source.empty() && r.data.limit > 0; }
bool with_seeded(const Request& r) { return r.data.source.empty(); }
bool with_peak(const Request& r) { return r.find_peak; }
bool with_logs(const Request& r) { return r.mlperf.asked(); }
bool with_metric(const Request& r) { return r.data.metric != Metric::kTopK; }

Error bad_value(std::string_view name, std::string_view value) {
  return input_error("RIDGE-WB-0161", fmt::format("'{}' cannot be '{}'", name, value));
}

/// Members of a part that a request may lack.
struct OfBound {
  static auto& in(auto& request) { return request.bound; }
};
struct OfBatching {
  static auto& in(auto& request) { return request.scenario.batching; }
};

template <typename Part, auto kMember>
struct Within {
  using Value = typename record::detail::MemberOf<decltype(kMember)>::Value;

  static std::optional<Value> get(const Request& r) {
    const auto& part = Part::in(r);
    if (!part) return std::nullopt;
    if constexpr (requires(const Value& v) { v.empty(); })
      if (((*part).*kMember).empty()) return std::nullopt;
    return (*part).*kMember;
  }
  static void set(Request& r, std::optional<Value> value) {
    auto& part = Part::in(r);
    if (!part) part.emplace();
    if (value) (*part).*kMember = *std::move(value);
  }
};

template <typename Part, auto kMember, typename... Options>
constexpr record::Field member_of(std::string_view name, std::string_view text,
                                  Options... options) {
  return computed<Within<Part, kMember>::get, Within<Part, kMember>::set>(name, text, options...);
}

// Texts of their own.

Names scenario_names() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, Words<Kind>::list.size() + 1> names;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) names[i] = Words<Kind>::list[i].text;
    names.back() = kAccuracyAlone;
    return names;
  }();
  return kNames;
}
std::string_view scenario_named(const Request& r) {
  return r.load ? word(r.scenario.kind) : kAccuracyAlone;
}
void set_scenario(Request& r, const std::string& name) {
  r.load = name != kAccuracyAlone;
  if (r.load) r.scenario.kind = find_word<Kind>(name).value_or(r.scenario.kind);
}

std::optional<std::string> arrivals_asked_text(const Request& r) {
  if (!r.load || r.scenario.kind != Kind::kServer) return std::nullopt;
  return arrivals_text(r.scenario.arrivals);
}
Result<void> set_arrivals(Request& r, const std::optional<std::string>& text) {
  const auto arrivals = read_arrivals(text.value_or(""));
  if (!arrivals) return bad_value("arrivals", text.value_or(""));
  r.scenario.arrivals = *arrivals;
  return {};
}

/// Others are no wish of a user.
constexpr std::array<std::string_view, 2> kOrders = {"random", "in_turn"};
Names order_names() { return kOrders; }
std::string_view order_named(const Request& r) {
  return kOrders[r.scenario.order == scenario::Order::kInTurn ? 1 : 0];
}
void set_order(Request& r, const std::string& name) {
  r.scenario.order = name == kOrders[0] ? scenario::Order::kRandom : scenario::Order::kInTurn;
}

constexpr std::array<std::string_view, 1> kYes = {"yes"};
Names yes() { return kYes; }
std::optional<std::string> peak_asked(const Request& r) {
  return r.find_peak ? std::optional<std::string>(kYes[0]) : std::nullopt;
}
void set_peak_asked(Request& r, const std::optional<std::string>& text) {
  r.find_peak = text.has_value();
}

int first_threads(const Request& r) { return r.spec.threads.at(0); }
void set_first_threads(Request& r, int threads) { r.spec.threads = {threads}; }

// Sizes, shapes and options that the user names: an evaluation has one set of sizes.

std::map<std::string, std::int64_t> sizes_bound(const Request& r) {
  std::map<std::string, std::int64_t> out;
  for (const analysis::Bindings& point : r.spec.sizes)
    for (const auto& [name, size] : point.sizes) out.emplace(name, size.value);
  return out;
}
Result<void> set_sizes(Request& r, const std::map<std::string, std::int64_t>& sizes) {
  for (const auto& [name, size] : sizes) {
    if (size < 1) return bad_value("size." + name, std::to_string(size));
    r.spec.sizes.at(0).sizes[name].value = size;
  }
  return {};
}

std::map<std::string, std::string> shapes_bound(const Request& r) {
  std::map<std::string, std::string> out;
  for (const analysis::Bindings& point : r.spec.sizes)
    for (const auto& [name, shape] : point.shapes)
      out.emplace(name, fmt::format("{}", fmt::join(shape, "x")));
  return out;
}
Result<void> set_shapes(Request& r, const std::map<std::string, std::string>& shapes) {
  for (const auto& [name, text] : shapes)
    r.spec.sizes.at(0).shapes[name] = TRY(analysis::shape_from(text, [&](std::string why) {
      return bad_value("shape." + name, text).evidence(std::move(why));
    }));
  return {};
}

Pairs options_of_runtime(const Request& r) { return r.spec.runtime_options; }
Result<void> set_options_of_runtime(Request& r, Pairs options) {
  for (const auto& [name, value] : options) TRY(runtime::check_read_option(name));
  r.spec.runtime_options = std::move(options);
  return {};
}

/// Everything of a request that changes its result and is neither a file nor a runtime: a line for
/// each option.
constexpr std::array kOptions{
    computed<scenario_named, set_scenario>("scenario", "load, or accuracy alone",
                                           one_of<scenario_names>()),
    computed<arrivals_asked_text, set_arrivals>("arrivals",
                                                "process of a server's queries: poisson(12)"),
    field<&Request::scenario, &Scenario::workers>("lanes", "runs at the same time",
                                                  when<with_load>()),
    field<&Request::scenario, &Scenario::samples_per_query>(
        "samples_per_query", "samples of each query", when<with_load>()),
    computed<order_named, set_order>("order", "order in which samples are taken",
                                     one_of<order_names>(), when<with_load>()),
    field<&Request::scenario, &Scenario::clients>("clients", "clients of a closed loop",
                                                  when<with_load>()),
    field<&Request::scenario, &Scenario::mix>("mix", "shares of the other models",
                                              record::zero_is_null()),
    member_of<OfBatching, &Batching::most>("batch_max", "queries in a batch at most",
                                           when<with_load>()),
    member_of<OfBatching, &Batching::wait>("batch_wait_ns", "wait of the first query at most",
                                           when<with_load>()),
    member_of<OfBatching, &Batching::sizes>("batch_sizes", "sizes that can be run",
                                            when<with_load>()),
    field<&Request::scenario, &Scenario::warmup_duration>(
        "warmup_duration_ns", "time that figures leave out", when<with_load>()),
    field<&Request::scenario, &Scenario::warmup_queries>(
        "warmup_queries", "queries that figures leave out", when<with_load>()),
    field<&Request::scenario, &Scenario::warmup_runs>("warmup_runs", "runs before, not recorded",
                                                      when<with_load>()),
    field<&Request::scenario, &Scenario::min_duration>(
        "min_duration_ns", "time for which queries are issued", when<with_load>()),
    field<&Request::scenario, &Scenario::max_duration>(
        "max_duration_ns", "time after which none are issued", when<with_load>()),
    field<&Request::scenario, &Scenario::min_queries>("min_queries", "queries at least",
                                                      when<with_load>()),
    field<&Request::scenario, &Scenario::max_queries>("max_queries", "queries at most",
                                                      when<with_load>()),
    member_of<OfBound, &LatencyBound::percentile>("bound_share", "share within the bound"),
    member_of<OfBound, &LatencyBound::latency_ns>("bound_ns", "bound on the latency"),
    computed<peak_asked, set_peak_asked>("find_peak", "search the largest rate", one_of<yes>()),
    field<&Request::peak_budget_s>("peak_budget_s", "time of the search", when<with_peak>()),
    field<&Request::samples>("samples", "seeded samples", when<with_seeded>()),
    field<&Request::data, &EvaluationData::limit>("limit", "samples of the data at most",
                                                  when<with_limit>()),
    computed<first_threads, set_first_threads>("threads", "threads of each run"),
    field<&Request::data, &EvaluationData::metric>("metric", "how answers are judged",
                                                   when<with_metric>()),
    field<&Request::spec, &session::MeasureSpec::optimization>(
        "optimization", "what the runtime makes of the graph"),
    field<&Request::mlperf, &MlperfRequest::audit>("mlperf_audit", "compliance test",
                                                   when<with_logs>()),
    field<&Request::mlperf, &MlperfRequest::queries_per_s>("mlperf_queries_per_s", "rate expected",
                                                           when<with_logs>()),
    field<&Request::mlperf, &MlperfRequest::max_duration_ms>("mlperf_max_duration_ms",
                                                             "time at most", when<with_logs>()),
    field<&Request::spec, &session::MeasureSpec::weights>("weights", "source of weights"),
    computed<sizes_bound, set_sizes>("size", "free sizes by name"),
    computed<shapes_bound, set_shapes>("shape", "shapes of inputs: 1x3x224x224"),
    computed<options_of_runtime, set_options_of_runtime>("runtime_option",
                                                         "options of the runtime by name")};

constexpr std::array kSeeds{
    field<&Request::spec, &session::MeasureSpec::seed>("inputs", "seed of inputs"),
    field<&Request::scenario, &Scenario::seed>("schedule", "seed of the load", when<with_load>())};

const record::Type& options_type() { return *record::group<Request, kOptions>("", "").type; }
const record::Type& seeds_type() { return *record::group<Request, kSeeds>("", "").type; }

void add_settings(const record::Type& type, const Request& request,
                  std::vector<manifest::Setting>& out) {
  for (record::Setting& s : record::settings(type, &request))
    out.push_back({std::move(s.name), std::move(s.value), {}});
}

Result<void> set_all(const std::vector<manifest::Setting>& settings, const record::Type& type,
                     Request& out) {
  for (const manifest::Setting& s : settings)
    TRY_IN(s.place.text(), record::set(type, &out, s.name, s.value));
  return {};
}

}  // namespace

void write_settings(const EvaluationRequest& request, manifest::Lock& lock) {
  add_settings(options_type(), request, lock.options);
  add_settings(seeds_type(), request, lock.seeds);
}

Result<void> read_settings(const manifest::Lock& lock, EvaluationRequest& request) {
  if (request.spec.sizes.empty()) request.spec.sizes.emplace_back();
  TRY(set_all(lock.options, options_type(), request));
  return set_all(lock.seeds, seeds_type(), request);
}

}  // namespace ridge::evaluation
