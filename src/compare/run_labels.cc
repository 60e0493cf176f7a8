#include "compare/run_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "profile/summary.h"

namespace ridge::compare {
namespace {

void append(std::string& text, std::string_view separator, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += separator;
  text += part;
}

}  // namespace

RunFacts facts_of(const profile::Profile& p) {
  const profile::Subject& s = p.subject;
  RunFacts out{.runtime = s.runtime};
  append(out.runtime, " ", s.runtime_version);
  for (const auto& [size, binding] : s.bindings)
    append(out.sizes, ", ", fmt::format("{}={}", size, binding.value));
  for (const auto& [key, value] : s.options)
    if (key == "threads")
      out.threads = value + (value == "1" ? " thread" : " threads");
    else
      append(out.options, ", ", fmt::format("{}={}", key, value));
  out.model = s.path;
  out.machine = profile::machine_name(p.host_json);
  return out;
}

std::vector<std::string> distinguishing_labels(std::span<const RunFacts> facts) {
  constexpr std::array kFacts = {&RunFacts::model,   &RunFacts::runtime, &RunFacts::sizes,
                                 &RunFacts::threads, &RunFacts::options, &RunFacts::machine};
  std::vector<std::string> out(facts.size());
  for (std::string RunFacts::*const fact : kFacts) {
    const bool differs = std::any_of(facts.begin(), facts.end(),
                                     [&](const RunFacts& f) { return f.*fact != facts[0].*fact; });
    if (!differs) continue;
    for (std::size_t i = 0; i < facts.size(); ++i) append(out[i], ", ", facts[i].*fact);
  }
  const std::vector<std::string> told = out;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (std::count(told.begin(), told.end(), told[i]) > 1)
      append(out[i], " ", fmt::format("#{}", i + 1));
  return out;
}

}  // namespace ridge::compare
