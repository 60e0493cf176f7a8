#include "evaluation/repeat/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <type_traits>

#include "analysis/sizes/shape_text.h"
#include "base/list.h"
#include "base/number.h"
#include "base/suggest.h"
#include "evaluation/load/arrivals_text.h"
#include "runtime/read_options.h"

namespace ridge::evaluation {
namespace {

using manifest::Setting;
using scenario::Kind;

constexpr std::string_view kAccuracyAlone = "accuracy";
constexpr std::string_view kSize = "size.", kShape = "shape.", kRuntimeOption = "runtime_option.";

/// A setting: its name, its text ("" where it does not apply), and how the text is read, false
/// where it is none.
struct SettingRow {
  const char* name;
  std::string (*text)(const EvaluationRequest&);
  bool (*read)(const std::string&, EvaluationRequest&);
};

template <typename T>
bool read_number(const std::string& text, T& out) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto number = finite_number(text);
    if (number) out = *number;
    return number.has_value();
  } else {
    const auto number = whole_number<T>(text);
    if (number) out = *number;
    return number.has_value();
  }
}

/// A number of every request for which `applies` is true; `member` returns a reference to it.
template <typename Member, typename Applies>
constexpr SettingRow number(const char* name, Member, Applies) {
  return {
      name,
      [](const EvaluationRequest& r) {
        if (!Applies()(r)) return std::string();
        return fmt::format("{}", Member()(r));
      },
      [](const std::string& text, EvaluationRequest& r) { return read_number(text, Member()(r)); }};
}

constexpr auto kAlways = [](const EvaluationRequest&) { return true; };
constexpr auto kWithLoad = [](const EvaluationRequest& r) { return r.load; };
constexpr auto kWithData = [](const EvaluationRequest& r) {
  return !r.data.source.empty() && r.data.limit > 0;
};
constexpr auto kWithSamples = [](const EvaluationRequest& r) { return r.data.source.empty(); };
constexpr auto kWithPeak = [](const EvaluationRequest& r) { return r.find_peak; };
constexpr auto kWithBatching = [](const EvaluationRequest& r) {
  return r.load && r.scenario.batching.has_value();
};
constexpr auto kWithLogs = [](const EvaluationRequest& r) { return r.mlperf.asked(); };
constexpr auto kWithBound = [](const EvaluationRequest& r) { return r.bound.has_value(); };

const scenario::LatencyBound& bound_of(const EvaluationRequest& r) { return *r.bound; }
scenario::LatencyBound& bound_of(EvaluationRequest& r) {
  if (!r.bound) r.bound.emplace();
  return *r.bound;
}

const scenario::Batching& batching_of(const EvaluationRequest& r) { return *r.scenario.batching; }
scenario::Batching& batching_of(EvaluationRequest& r) {
  if (!r.scenario.batching) r.scenario.batching.emplace();
  return *r.scenario.batching;
}

const int& first_threads(const EvaluationRequest& r) { return r.spec.threads.at(0); }
int& first_threads(EvaluationRequest& r) {
  if (r.spec.threads.empty()) r.spec.threads.push_back(1);
  return r.spec.threads.front();
}

/// Numbers separated by commas.
template <typename T>
std::string list_text(const std::vector<T>& list) {
  return fmt::format("{}", fmt::join(list, ","));
}
template <typename T>
bool read_list(std::string_view text, std::vector<T>& out) {
  out.clear();
  return std::ranges::all_of(split(text), [&](std::string_view part) {
    return read_number(std::string(part), out.emplace_back());
  });
}

template <typename T>
bool assign(const std::optional<T>& value, T& out) {
  if (value) out = *value;
  return value.has_value();
}

constexpr SettingRow kOptions[] = {
    {"scenario",
     [](const EvaluationRequest& r) {
       return std::string(r.load ? word(r.scenario.kind) : kAccuracyAlone);
     },
     [](const std::string& text, EvaluationRequest& r) {
       r.load = text != kAccuracyAlone;
       return !r.load || assign(find_word<Kind>(text), r.scenario.kind);
     }},
    {"arrivals",
     [](const EvaluationRequest& r) {
       const bool server = r.load && r.scenario.kind == Kind::kServer;
       return server ? arrivals_text(r.scenario.arrivals) : std::string();
     },
     [](const std::string& text, EvaluationRequest& r) {
       return assign(read_arrivals(text), r.scenario.arrivals);
     }},
    number(
        "lanes", [](auto& r) -> auto& { return r.scenario.workers; }, kWithLoad),
    number(
        "samples_per_query", [](auto& r) -> auto& { return r.scenario.samples_per_query; },
        kWithLoad),
    {"order",
     [](const EvaluationRequest& r) {
       if (!r.load) return std::string();
       return std::string(r.scenario.order == scenario::Order::kInTurn ? "in_turn" : "random");
     },
     [](const std::string& text, EvaluationRequest& r) {
       r.scenario.order = text == "random" ? scenario::Order::kRandom : scenario::Order::kInTurn;
       return text == "random" || text == "in_turn";
     }},
    number(
        "clients", [](auto& r) -> auto& { return r.scenario.clients; }, kWithLoad),
    {"mix", [](const EvaluationRequest& r) { return list_text(r.scenario.mix); },
     [](const std::string& text, EvaluationRequest& r) { return read_list(text, r.scenario.mix); }},
    number(
        "batch_max", [](auto& r) -> auto& { return batching_of(r).most; }, kWithBatching),
    number(
        "batch_wait_ns", [](auto& r) -> auto& { return batching_of(r).wait.count; }, kWithBatching),
    {"batch_sizes",
     [](const EvaluationRequest& r) {
       return kWithBatching(r) ? list_text(batching_of(r).sizes) : std::string();
     },
     [](const std::string& text, EvaluationRequest& r) {
       return read_list(text, batching_of(r).sizes);
     }},
    number(
        "warmup_duration_ns", [](auto& r) -> auto& { return r.scenario.warmup_duration.count; },
        kWithLoad),
    number(
        "warmup_queries", [](auto& r) -> auto& { return r.scenario.warmup_queries; }, kWithLoad),
    number(
        "warmup_runs", [](auto& r) -> auto& { return r.scenario.warmup_runs; }, kWithLoad),
    number(
        "min_duration_ns", [](auto& r) -> auto& { return r.scenario.min_duration.count; },
        kWithLoad),
    number(
        "max_duration_ns", [](auto& r) -> auto& { return r.scenario.max_duration.count; },
        kWithLoad),
    number(
        "min_queries", [](auto& r) -> auto& { return r.scenario.min_queries; }, kWithLoad),
    number(
        "max_queries", [](auto& r) -> auto& { return r.scenario.max_queries; }, kWithLoad),
    number(
        "bound_share", [](auto& r) -> auto& { return bound_of(r).percentile; }, kWithBound),
    number(
        "bound_ns", [](auto& r) -> auto& { return bound_of(r).latency_ns; }, kWithBound),
    {"find_peak", [](const EvaluationRequest& r) { return std::string(r.find_peak ? "yes" : ""); },
     [](const std::string& text, EvaluationRequest& r) {
       r.find_peak = text == "yes";
       return r.find_peak;
     }},
    number(
        "peak_budget_s", [](auto& r) -> auto& { return r.peak_budget_s; }, kWithPeak),
    number(
        "samples", [](auto& r) -> auto& { return r.samples; }, kWithSamples),
    number(
        "limit", [](auto& r) -> auto& { return r.data.limit; }, kWithData),
    number(
        "threads", [](auto& r) -> auto& { return first_threads(r); }, kAlways),
    {"metric",
     [](const EvaluationRequest& r) {
       return r.data.metric == Metric::kTopK ? std::string() : std::string(name(r.data.metric));
     },
     [](const std::string& text, EvaluationRequest& r) {
       return assign(metric_named(text), r.data.metric);
     }},
    {"optimization",
     [](const EvaluationRequest& r) { return std::string(word(r.spec.optimization)); },
     [](const std::string& text, EvaluationRequest& r) {
       return assign(find_word<runtime::Optimization>(text), r.spec.optimization);
     }},
    {"mlperf_audit",
     [](const EvaluationRequest& r) {
       return std::string(r.mlperf.asked() ? name(r.mlperf.audit) : "");
     },
     [](const std::string& text, EvaluationRequest& r) {
       return assign(audit_named(text), r.mlperf.audit);
     }},
    number(
        "mlperf_queries_per_s", [](auto& r) -> auto& { return r.mlperf.queries_per_s; }, kWithLogs),
    number(
        "mlperf_max_duration_ms", [](auto& r) -> auto& { return r.mlperf.max_duration_ms; },
        kWithLogs),
    {"weights", [](const EvaluationRequest& r) { return std::string(word(r.spec.weights)); },
     [](const std::string& text, EvaluationRequest& r) {
       return assign(find_word<session::WeightSource>(text), r.spec.weights);
     }},
};

constexpr SettingRow kSeeds[] = {
    number(
        "inputs", [](auto& r) -> auto& { return r.spec.seed; }, kAlways),
    number(
        "schedule", [](auto& r) -> auto& { return r.scenario.seed; }, kWithLoad),
};

void add_rows(std::span<const SettingRow> rows, const EvaluationRequest& request,
              std::vector<Setting>& out) {
  for (const SettingRow& row : rows)
    if (std::string text = row.text(request); !text.empty())
      out.push_back({row.name, std::move(text), {}});
}

Error bad_value(const Setting& setting) {
  return input_error("RIDGE-WB-0161",
                     fmt::format("'{}' cannot be '{}'", setting.name, setting.value))
      .in(setting.place.text());
}

/// Reads a setting that the user named (a size, a shape, an option of the runtime); false for
/// others.
Result<bool> read_named(const Setting& s, EvaluationRequest& out) {
  const std::string_view name = s.name;
  analysis::Bindings& sizes = out.spec.sizes.front();
  if (name.starts_with(kSize)) {
    const auto size = whole_number<std::int64_t>(s.value);
    if (!size || *size < 1) return bad_value(s);
    sizes.sizes[std::string(name.substr(kSize.size()))].value = *size;
    return true;
  }
  if (name.starts_with(kShape)) {
    sizes.shapes[std::string(name.substr(kShape.size()))] = TRY(analysis::shape_from(
        s.value, [&](std::string why) { return bad_value(s).evidence(std::move(why)); }));
    return true;
  }
  if (!name.starts_with(kRuntimeOption)) return false;
  if (auto allowed = runtime::check_read_option(name.substr(kRuntimeOption.size())); !allowed.ok())
    return std::move(allowed).error().in(s.place.text());
  out.spec.runtime_options.emplace_back(name.substr(kRuntimeOption.size()), s.value);
  return true;
}

Result<void> read_row(const Setting& s, std::span<const SettingRow> rows, EvaluationRequest& out) {
  std::vector<std::string> names;
  for (const SettingRow& row : rows) {
    if (s.name == row.name) return row.read(s.value, out) ? Result<void>() : bad_value(s);
    names.emplace_back(row.name);
  }
  const std::vector<std::string> near = near_names(s.name, names);
  return input_error("RIDGE-WB-0160", fmt::format("unknown setting '{}'", s.name))
      .in(s.place.text())
      .hint(near.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                         : fmt::format("did you mean '{}'?", near[0]));
}

}  // namespace

void write_settings(const EvaluationRequest& request, manifest::Lock& lock) {
  add_rows(kOptions, request, lock.options);
  const auto add = [&](std::string_view kind, const std::string& name, std::string value) {
    lock.options.push_back({std::string(kind) + name, std::move(value), {}});
  };
  for (const analysis::Bindings& point : request.spec.sizes) {
    for (const auto& [name, size] : point.sizes) add(kSize, name, fmt::format("{}", size.value));
    for (const auto& [name, shape] : point.shapes)
      add(kShape, name, fmt::format("{}", fmt::join(shape, "x")));
  }
  for (const auto& [name, value] : request.spec.runtime_options) add(kRuntimeOption, name, value);
  add_rows(kSeeds, request, lock.seeds);
}

Result<void> read_settings(const manifest::Lock& lock, EvaluationRequest& request) {
  if (request.spec.sizes.empty()) request.spec.sizes.emplace_back();
  for (const Setting& s : lock.options)
    if (!TRY(read_named(s, request))) TRY(read_row(s, kOptions, request));
  for (const Setting& s : lock.seeds) TRY(read_row(s, kSeeds, request));
  return {};
}

}  // namespace ridge::evaluation
