// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "base/lines.h"
#include "base/text.h"

namespace ridge::scenario {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20, kLongestConfigLine = 4096,
                      kMaxKeys = 100'000;
constexpr std::string_view kAny;  // the scenario of the test

struct Value {
  double number = 0;
  std::uint64_t whole = 0;  ///< if integer
  bool integer = false;
  std::size_t line = 0;
};

using Entries = std::map<std::string, Value, std::less<>>;

Error fault_in_config(std::size_t line, std::string message) {
  return input_error("RIDGE-SCEN-0040", std::move(message)).in(fmt::format("line {}", line));
}

/// Takes the next word off the line.
std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBlank = " \t\r\v\f";
  const std::size_t begin = std::min(line.find_first_not_of(kBlank), line.size());
  const std::size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
  const std::string_view out = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return out;
}

/// An integer in any of C's bases, or a decimal number.
std::optional<Value> number(std::string_view text) {
  Value out;
  std::string_view digits = text;
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits.starts_with('0') &&
             digits.find_first_not_of("01234567") == std::string_view::npos) {
    base = 8;
  }
  const char* end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, out.whole, base);
  if (problem == std::errc() && stop == end) {
    out.number = static_cast<double>(out.whole);
    out.integer = true;
    return out;
  }
  const auto [at, wrong] = std::from_chars(text.data(), text.data() + text.size(), out.number);
  if (wrong != std::errc() || at != text.data() + text.size() || !std::isfinite(out.number))
    return {};
  return out;
}

Result<void> read_line(std::string_view line, std::size_t at, Entries& entries) {
  const std::string_view key = next_word(line);
  if (key.empty() || key == "#") return {};
  if (std::count(key.begin(), key.end(), '.') < 2) {
    if (key.starts_with('#')) return {};
    return fault_in_config(
        at, fmt::format("'{}' is not of the form model.scenario.key", shorten(printable(key), 60)));
  }
  if (const std::string_view equals = next_word(line); equals != "=") {
    if (key.starts_with('#') || equals.empty() || equals == "#") return {};
    return fault_in_config(at,
                           fmt::format("'{}' where '=' belongs", shorten(printable(equals), 60)))
        .hint("put spaces around '='");
  }
  // LoadGen reads every word behind '=' as a value, a comment's as well; ours ends at '#'.
  for (std::string_view text = next_word(line); !text.empty(); text = next_word(line)) {
    if (text.starts_with('#')) break;
    std::optional<Value> value = number(text);
    if (!value)
      return fault_in_config(at, fmt::format("'{}' is no number", shorten(printable(text), 60)));
    if (entries.size() == kMaxKeys)
      return fault_in_config(at, fmt::format("more than {} keys", kMaxKeys));
    value->line = at;
    entries[std::string(key)] = *value;
  }
  return {};
}

Result<Entries> read_entries(std::string_view text) {
  if (text.size() > kMaxConfigBytes)
    return input_error("RIDGE-SCEN-0040",
                       fmt::format("the configuration has {} bytes, the limit is {}", text.size(),
                                   kMaxConfigBytes));
  Entries entries;
  for (Lines lines(text); lines.next();) {
    const std::size_t at = lines.number(), bytes = lines.line().size();
    if (bytes > kLongestConfigLine)
      return fault_in_config(
          at, fmt::format("the line has {} bytes, the limit is {}", bytes, kLongestConfigLine));
    TRY(read_line(lines.line(), at, entries));
  }
  return entries;
}

/// A key of LoadGen: for which scenario, in which kind of file, and what it sets.
struct Key {
  std::string_view scenario, name;
  std::optional<ConfigKind> only;
  bool integer;  ///< an integer is needed
  std::function<void(LoadgenSettings&, const Value&)> set;
};

using Settings = LoadgenSettings;

Key whole_key(std::string_view scenario, std::string_view name, std::uint64_t Settings::*field,
              std::uint64_t factor = 1, std::optional<ConfigKind> only = {}) {
  return {scenario, name, only, true, [field, factor](Settings& s, const Value& v) {
            s.*field = v.whole <= UINT64_MAX / factor ? v.whole * factor : UINT64_MAX;
          }};
}
Key real(std::string_view scenario, std::string_view name, double Settings::*field,
         double factor = 1, std::optional<ConfigKind> only = {}) {
  return {scenario, name, only, false,
          [field, factor](Settings& s, const Value& v) { s.*field = v.number * factor; }};
}
/// LoadGen compares some flags with 1 and others with 0.
enum class True : std::uint8_t { kOne, kNotZero };
Key flag(std::string_view scenario, std::string_view name, bool Settings::*field, True when) {
  return {scenario, name, {}, true, [field, when](Settings& s, const Value& v) {
            s.*field = when == True::kOne ? v.whole == 1 : v.whole != 0;
          }};
}

/// A key that is read only after use_token_latencies is set.
Key if_tokens(Key key) {
  key.set = [set = std::move(key.set)](Settings& s, const Value& v) {
    if (s.use_token_latencies) set(s, v);
  };
  return key;
}

const std::vector<Key>& keys() {
  constexpr std::uint64_t kMilli = 1'000'000;
  constexpr auto kMlperf = ConfigKind::kMlperf;
  static const std::vector<Key> kKeys = {
      {kAny,
       "mode",
       {},
       true,
       [](Settings& s, const Value& v) {
         if (v.whole <= 3) s.mode = static_cast<LoadgenMode>(v.whole);
       }},
      whole_key(kAny, "qsl_rng_seed", &Settings::qsl_rng_seed, 1, kMlperf),
      whole_key(kAny, "sample_index_rng_seed", &Settings::sample_index_rng_seed, 1, kMlperf),
      whole_key(kAny, "schedule_rng_seed", &Settings::schedule_rng_seed, 1, kMlperf),
      real(kAny, "accuracy_log_probability", &Settings::accuracy_log_probability, 0.01, kMlperf),
      flag(kAny, "use_token_latencies", &Settings::use_token_latencies, True::kOne),
      real("SingleStream", "target_latency_percentile",
           &Settings::single_stream_target_latency_percentile, 0.01),
      real("MultiStream", "target_latency_percentile",
           &Settings::multi_stream_target_latency_percentile, 0.01),
      whole_key("MultiStream", "samples_per_query", &Settings::multi_stream_samples_per_query),
      real("Server", "target_latency_percentile", &Settings::server_target_latency_percentile,
           0.01),
      whole_key("Server", "target_latency", &Settings::server_target_latency_ns, kMilli),
      if_tokens(whole_key("Server", "ttft_latency", &Settings::server_ttft_latency, kMilli)),
      if_tokens(whole_key("Server", "tpot_latency", &Settings::server_tpot_latency, kMilli)),
      flag(kAny, "performance_issue_unique", &Settings::performance_issue_unique, True::kNotZero),
      flag(kAny, "performance_issue_same", &Settings::performance_issue_same, True::kNotZero),
      whole_key(kAny, "performance_issue_same_index", &Settings::performance_issue_same_index),
      flag(kAny, "sample_concatenate_permutation", &Settings::sample_concatenate_permutation,
           True::kOne),
      flag("Server", "coalesce_queries", &Settings::server_coalesce_queries, True::kNotZero),
      whole_key("Server", "max_async_queries", &Settings::server_max_async_queries),
      whole_key(kAny, "min_duration", &Settings::min_duration_ms),
      whole_key(kAny, "max_duration", &Settings::max_duration_ms),
      whole_key(kAny, "min_query_count", &Settings::min_query_count),
      whole_key(kAny, "max_query_count", &Settings::max_query_count),
      whole_key(kAny, "performance_sample_count_override",
                &Settings::performance_sample_count_override),
      whole_key(kAny, "accuracy_sample_count_override", &Settings::accuracy_sample_count_override),
      real("SingleStream", "target_latency", &Settings::single_stream_expected_latency_ns, kMilli),
      real("MultiStream", "target_latency", &Settings::multi_stream_expected_latency_ns, kMilli),
      real("Server", "target_qps", &Settings::server_target_qps),
      real("Offline", "target_qps", &Settings::offline_expected_qps),
      flag(kAny, "print_timestamps", &Settings::print_timestamps, True::kNotZero),
      whole_key(kAny, "accuracy_log_rng_seed", &Settings::accuracy_log_rng_seed),
      whole_key(kAny, "accuracy_log_sampling_target", &Settings::accuracy_log_sampling_target),
  };
  return kKeys;
}

const Value* found(const Entries& entries, std::string_view model, std::string_view scenario,
                   std::string_view key) {
  for (const std::string& path :
       {fmt::format("{}.{}.{}", model, scenario, key), fmt::format("*.{}.{}", scenario, key),
        fmt::format("{}.*.{}", model, key), fmt::format("*.*.{}", key)})
    if (const auto at = entries.find(path); at != entries.end()) return &at->second;
  return nullptr;
}

/// Keys of LoadGen that are read and not used here.
constexpr std::string_view kUnused[] = {"test05",
                                        "test05_qsl_rng_seed",
                                        "test05_sample_index_rng_seed",
                                        "test05_schedule_rng_seed",
                                        "infer_token_latencies",
                                        "token_latency_scaling_factor"};

ConfigNotes unknown_keys(const Entries& entries, std::string_view model) {
  ConfigNotes notes;
  for (const auto& [path, value] : entries) {
    const std::string_view key = std::string_view(path).substr(path.find_last_of('.') + 1);
    if (!path.starts_with("*.") && !path.starts_with(fmt::format("{}.", model))) continue;
    if (std::find(std::begin(kUnused), std::end(kUnused), key) != std::end(kUnused)) continue;
    if (std::none_of(keys().begin(), keys().end(), [&](const Key& k) { return k.name == key; }))
      notes.unknown.push_back(fmt::format("line {}: {}", value.line, printable(path)));
  }
  return notes;
}

}  // namespace

Result<ConfigNotes> read_loadgen_config(std::string_view text, std::string_view model,
                                        ConfigKind kind, LoadgenSettings& settings) {
  const Entries entries = TRY(read_entries(text));
  const std::string_view scenario = name(settings.scenario);
  LoadgenSettings out = settings;
  for (const Key& key : keys()) {
    if (key.only && *key.only != kind) continue;
    const std::string_view applies = key.scenario.empty() ? scenario : key.scenario;
    const Value* value = found(entries, model, applies, key.name);
    if (value == nullptr) continue;
    if (key.integer && !value->integer)
      return fault_in_config(value->line, fmt::format("{} is {}, an integer from 0 is needed",
                                                      key.name, value->number));
    key.set(out, *value);
  }
  settings = out;
  return unknown_keys(entries, model);
}

}  // namespace ridge::scenario
