// SPDX-License-Identifier: Apache-2.0
#include "compare/run_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/text.h"
#include "profile/summary.h"
#include "profile/sweep.h"

namespace ridge::compare {
namespace {

void append_part(std::string& text, std::string_view separator, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += separator;
  text += part;
}

constexpr std::array kFacts = {&RunFacts::model,   &RunFacts::runtime, &RunFacts::sizes,
                               &RunFacts::threads, &RunFacts::options, &RunFacts::machine};

std::string options_text(const std::map<std::string, std::string>& values) {
  std::string out;
  for (const auto& [key, value] : values) append_part(out, ", ", fmt::format("{}={}", key, value));
  return out;
}

/// Returns the differing facts of each run; "" if nothing differs.
std::vector<std::string> told_apart(std::span<const RunFacts> facts) {
  std::vector<std::string> out(facts.size());
  for (std::string RunFacts::*const fact : kFacts) {
    const bool differs = std::any_of(facts.begin(), facts.end(),
                                     [&](const RunFacts& f) { return f.*fact != facts[0].*fact; });
    if (!differs) continue;
    for (std::size_t i = 0; i < facts.size(); ++i) append_part(out[i], ", ", facts[i].*fact);
  }
  return out;
}

/// Number of processors that threads are pinned to; 0: not pinned, or unknown.
std::ptrdiff_t pinned_to(const RunFacts& f) {
  const auto pinned = f.values.find("pinned");
  if (pinned == f.values.end() || pinned->second == "no") return 0;
  return std::ranges::count(pinned->second, ',') + 1;
}

/// Drops a pinning that adds no information: if thread counts differ, it differs as well; if all
/// runs have as many processors, which ones depends on those that were free.
void forget_pinning(std::span<RunFacts> facts) {
  if (facts.empty()) return;
  const auto differ = [&](auto&& of) {
    return std::ranges::any_of(facts, [&](const RunFacts& f) { return of(f) != of(facts[0]); });
  };
  const bool free_ones = pinned_to(facts[0]) > 0 && !differ(pinned_to) &&
                         differ([](const RunFacts& f) { return f.values.at("pinned"); });
  if (!free_ones && !differ([](const RunFacts& f) { return f.threads; })) return;
  for (RunFacts& f : facts) f.values.erase("pinned");
}

std::vector<RunFacts> with_differing_options(std::span<const RunFacts> facts) {
  std::vector<RunFacts> out(facts.begin(), facts.end());
  forget_pinning(out);
  take_shared_options(out);
  return out;
}

}  // namespace

RunFacts facts_of(const profile::Profile& p) {
  const profile::Subject& s = p.subject;
  RunFacts out{.runtime = s.runtime};
  append_part(out.runtime, " ", s.runtime_version);
  out.sizes = profile::sizes_text(s.bindings);
  if (s.threads) out.threads = counted(*s.threads, "thread");
  out.values.insert(s.options.begin(), s.options.end());
  out.options = options_text(out.values);
  out.model = s.path;
  out.machine = profile::machine_name(p.host_json);
  return out;
}

bool on_different_machines(const profile::Profile& a, const profile::Profile& b) {
  const std::string first = profile::machine_name(a.host_json);
  const std::string second = profile::machine_name(b.host_json);
  return !first.empty() && !second.empty() && first != second;
}

std::string take_shared_options(std::span<RunFacts> facts) {
  if (facts.empty()) return "";
  std::map<std::string, std::string> shared = facts[0].values;
  std::erase_if(shared, [&](const auto& option) {
    return std::any_of(facts.begin(), facts.end(), [&](const RunFacts& f) {
      const auto own = f.values.find(option.first);
      return own == f.values.end() || own->second != option.second;
    });
  });
  for (RunFacts& f : facts) {
    for (const auto& [key, value] : shared) f.values.erase(key);
    f.options = options_text(f.values);
  }
  return options_text(shared);
}

FactsApart part_facts(std::vector<RunFacts> facts) {
  struct Titled {
    std::string_view title;
    std::string RunFacts::*text;
  };
  constexpr std::array<Titled, 6> kTitled = {
      Titled{"model", &RunFacts::model}, {"runtime", &RunFacts::runtime},
      {"threads", &RunFacts::threads},   {"sizes", &RunFacts::sizes},
      {"options", &RunFacts::options},   {"machine", &RunFacts::machine}};
  forget_pinning(facts);
  const std::string options = take_shared_options(facts);
  FactsApart out;
  for (const Titled& titled : kTitled) {
    FactColumn column{std::string(titled.title), {}};
    for (const RunFacts& f : facts) column.texts.push_back(f.*titled.text);
    const bool alike = std::adjacent_find(column.texts.begin(), column.texts.end(),
                                          std::not_equal_to<>()) == column.texts.end();
    (alike ? out.shared : out.differing).push_back(std::move(column));
  }
  for (FactColumn& column : out.shared)
    if (column.title == "options") column.texts.assign(facts.size(), options);
  if (!options.empty() &&
      std::ranges::find(out.shared, "options", &FactColumn::title) == out.shared.end())
    out.shared.push_back({"options", std::vector(facts.size(), options)});
  return out;
}

std::vector<std::string> shared_texts(std::vector<RunFacts> facts, std::string_view without) {
  std::vector<std::string> out;
  for (FactColumn& fact : part_facts(std::move(facts)).shared)
    if (fact.title != without && !fact.texts[0].empty()) out.push_back(std::move(fact.texts[0]));
  return out;
}

std::vector<std::string> distinguishing_labels(std::span<const RunFacts> facts) {
  const std::vector<std::string> told = told_apart(with_differing_options(facts));
  std::vector<std::string> out = told;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (std::count(told.begin(), told.end(), told[i]) > 1)
      append_part(out[i], " ", fmt::format("#{}", i + 1));
  return out;
}

std::vector<std::string> brief_labels(std::span<const RunFacts> facts, std::size_t longest) {
  const auto usable = [&](std::vector<std::string> labels) {
    const bool fit = std::all_of(labels.begin(), labels.end(), [&](const std::string& label) {
      return !label.empty() && label.size() <= longest;
    });
    std::sort(labels.begin(), labels.end());
    return fit && std::adjacent_find(labels.begin(), labels.end()) == labels.end();
  };
  if (facts.size() < 2) return {};
  const std::vector<RunFacts> apart = with_differing_options(facts);
  if (std::vector<std::string> all = told_apart(apart); usable(all)) return all;
  for (std::string RunFacts::*const fact : kFacts) {
    std::vector<std::string> one;
    for (const RunFacts& f : apart) one.push_back(f.*fact);
    if (usable(one)) return one;
  }
  return {};
}

}  // namespace ridge::compare
