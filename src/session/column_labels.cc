// SPDX-License-Identifier: Apache-2.0
#include "session/column_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/suggest.h"
#include "runtime/paths.h"

namespace ridge::session {
namespace {

/// "results/before.json" -> "before".
std::string file_stem(const std::string& source) {
  if (source == "-") return "standard input";
  const std::string file = source.substr(source.rfind('/') + 1);
  return file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
}

using Names = std::vector<std::pair<std::string, std::string>>;  ///< source, name

Result<Names> given_names(const CompareSources& given, const std::vector<Column>& columns) {
  Names out;
  std::vector<std::string> sources;
  for (const Column& c : columns) sources.push_back(c.source);
  for (auto [name, source] : given.labels) {
    const std::string written = source;
    if (const auto* known = runtime::known_runtime(source); known && given.is_single_model())
      source = known->name;
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
      const std::vector<std::string> near = near_names(source, sources);
      return usage_error("RIDGE-WB-0055",
                         fmt::format("--label '{}={}': unknown run '{}'", name, written, source))
          .hint(near.empty() ? fmt::format("runs: {}", fmt::join(sources, ", "))
                             : fmt::format("did you mean '{}'?", near[0]));
    }
    out.emplace_back(std::move(source), std::move(name));
  }
  return out;
}

/// Maximum length of a label made of differing facts.
constexpr std::size_t kLongestLabel = 24;

/// Replaces the runtimes of `facts` by their names in --runtimes, with the version if the columns
/// have several versions of that runtime.
void shorten_runtimes(const std::vector<Column>& columns, std::vector<compare::RunFacts>& facts,
                      const std::vector<std::size_t>& members) {
  const auto subject = [&](std::size_t k) -> const profile::Subject& {
    return columns[members[k]].profile.subject;
  };
  for (std::size_t k = 0; k < members.size(); ++k) {
    const profile::Subject& own = subject(k);
    bool versions = false;
    for (std::size_t other = 0; other < members.size(); ++other)
      versions |= subject(other).runtime == own.runtime &&
                  subject(other).runtime_version != own.runtime_version;
    std::string name = own.runtime;
    for (const runtime::KnownRuntime& known : runtime::known_runtimes())
      if (own.runtime == known.title) name = known.name;
    facts[k].runtime = versions ? name + " " + own.runtime_version : name;
  }
}

/// Labels made of differing facts, by column; "" for columns with a --label. Empty if these labels
/// would be too long or not distinct, or if one of them equals a given label.
std::vector<std::string> brief_names(const Names& names, const std::vector<Column>& columns) {
  std::vector<std::size_t> members;
  std::vector<compare::RunFacts> facts;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::ranges::any_of(names, [&](const auto& n) { return n.first == columns[i].source; }))
      continue;
    members.push_back(i);
    facts.push_back(columns[i].facts);
  }
  shorten_runtimes(columns, facts, members);
  const std::vector<std::string> brief = compare::brief_labels(facts, kLongestLabel);
  if (brief.empty()) return {};
  std::vector<std::string> out(columns.size());
  for (std::size_t k = 0; k < members.size(); ++k) out[members[k]] = brief[k];
  for (const auto& [source, name] : names)
    if (std::ranges::find(brief, name) != brief.end()) return {};
  return out;
}

}  // namespace

Result<std::vector<compare::Run>> label_columns(const CompareSources& given,
                                                std::vector<Column> columns) {
  const Names names = TRY(given_names(given, columns));
  const auto called = [&](const std::string& source) {
    for (const auto& [of, name] : names)
      if (of == source) return name;
    return given.is_single_model() ? std::string() : file_stem(source);
  };
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < columns.size(); ++i) by_name[called(columns[i].source)].push_back(i);
  std::vector<std::string> labels(columns.size());
  for (const auto& [name, members] : by_name) {
    std::vector<compare::RunFacts> facts;
    for (const std::size_t i : members) facts.push_back(columns[i].facts);
    const std::vector<std::string> apart = compare::distinguishing_labels(facts);
    for (std::size_t k = 0; k < members.size(); ++k)
      labels[members[k]] = name.empty()          ? apart[k]
                           : members.size() == 1 ? name
                                                 : name + " " + apart[k];
  }
  const std::vector<std::string> brief = brief_names(names, columns);
  std::vector<compare::Run> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool by_file = brief.empty() || brief[i].empty();
    std::string label = by_file ? labels[i] : brief[i];
    const std::string file = file_stem(columns[i].source);
    // Of models measured now the facts name the file.
    const bool said = given.are_models() || (by_file ? label.starts_with(file) : label == file);
    out.push_back({std::move(label), std::move(columns[i].profile),
                   said                       ? ""
                   : columns[i].source == "-" ? file
                                              : columns[i].source});
  }
  return out;
}

}  // namespace ridge::session
