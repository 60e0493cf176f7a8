// SPDX-License-Identifier: Apache-2.0
#include "compare/evaluation_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "base/text.h"
#include "stats/change.h"

namespace ridge::compare {
namespace {

using accuracy::PairedShares;

constexpr double kErrorRate = 0.05;

/// Name without its ending.
std::string_view stem(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

/// Positions of samples by a form of their name; ambiguous forms have kAmbiguous.
constexpr std::size_t kAmbiguous = SIZE_MAX;
std::unordered_map<std::string_view, std::size_t> by_stem(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> out;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto [at, fresh] = out.emplace(stem(names[i]), i); !fresh) at->second = kAmbiguous;
  return out;
}

}  // namespace

std::vector<JoinedPair> joined_samples(const EvaluationRun& first, const EvaluationRun& second) {
  std::unordered_map<std::string_view, std::size_t> whole;
  for (std::size_t i = 0; i < second.samples.size(); ++i) whole.emplace(second.samples[i], i);
  const auto first_stems = by_stem(first.samples), second_stems = by_stem(second.samples);
  std::vector<JoinedPair> out;
  for (std::size_t i = 0; i < first.samples.size(); ++i) {
    if (const auto same = whole.find(first.samples[i]); same != whole.end()) {
      out.push_back({i, same->second});
      continue;
    }
    const std::string_view part = stem(first.samples[i]);
    const auto near = second_stems.find(part);
    if (near != second_stems.end() && near->second != kAmbiguous &&
        first_stems.at(part) != kAmbiguous)
      out.push_back({i, near->second});
  }
  return out;
}

namespace {

AnswerChange answer_change(const EvaluationRun& a, const EvaluationRun& b, const JoinedPair& pair) {
  if (a.correct.empty() || b.correct.empty()) return AnswerChange::kChanged;
  if (a.correct[pair.first] == b.correct[pair.second]) return AnswerChange::kChanged;
  return a.correct[pair.first] != 0 ? AnswerChange::kLost : AnswerChange::kGained;
}

void compare_answers(const EvaluationRun& a, const EvaluationRun& b,
                     const std::vector<JoinedPair>& pairs, EvaluationDifference& out) {
  if (a.predicted.empty() || b.predicted.empty()) return;
  for (const JoinedPair& pair : pairs) {
    const std::int64_t first = a.predicted[pair.first], second = b.predicted[pair.second];
    if (first != second)
      out.answers.push_back({a.samples[pair.first], first, second, a.class_text(first),
                             b.class_text(second), answer_change(a, b, pair)});
  }
  out.changed = accuracy::proportion(std::ssize(out.answers), std::ssize(pairs));
  const auto order = [](const ChangedAnswer& answer) {
    return answer.change == AnswerChange::kLost     ? 0
           : answer.change == AnswerChange::kGained ? 1
                                                    : 2;
  };
  std::ranges::stable_sort(out.answers, {}, order);
}

Result<void> compare_accuracy(const EvaluationRun& a, const EvaluationRun& b,
                              const std::vector<JoinedPair>& pairs, EvaluationDifference& out) {
  if (a.correct.empty() || b.correct.empty()) return {};
  std::vector<std::uint8_t> first, second;
  for (const JoinedPair& pair : pairs) {
    first.push_back(a.correct[pair.first]);
    second.push_back(b.correct[pair.second]);
  }
  out.accuracy = TRY(accuracy::compare_shares(first, second));
  return {};
}

void compare_preparation(const EvaluationRun& a, const EvaluationRun& b,
                         const std::vector<JoinedPair>& pairs, EvaluationDifference& out) {
  // Runtimes of one evaluation have the same samples, which were made once.
  if (a.prepare_ns.empty() || b.prepare_ns.empty() || a.prepare_ns == b.prepare_ns) return;
  std::vector<std::vector<double>> first(1), second(1);
  for (const JoinedPair& pair : pairs) {
    const double before = a.prepare_ns[pair.first], after = b.prepare_ns[pair.second];
    if (!(before > 0 && after > 0)) continue;
    first[0].push_back(before);
    second[0].push_back(after);
  }
  if (first[0].empty()) return;
  const stats::Change change(first, second, stats::Runs::kInTurns);
  out.prepare = Ratio{stats::BlockMedian(first).value(),
                      stats::BlockMedian(second).value(),
                      {change.ratio(), change.ratio_interval(1 - kErrorRate)}};
}

/// Ratio of two figures; see the header for the interval.
std::optional<Ratio> ratio_of(const stats::Estimate& a, const stats::Estimate& b) {
  if (!(a.value > 0 && b.value > 0)) return std::nullopt;
  Ratio out{a.value, b.value, {b.value / a.value}};
  if (!a.interval || !b.interval || !(a.interval->lo > 0 && b.interval->lo > 0)) return out;
  const auto distance = [](double from, double to) { return std::abs(std::log(to / from)); };
  const double down =
      std::hypot(distance(b.value, b.interval->lo), distance(a.value, a.interval->hi));
  const double up =
      std::hypot(distance(b.value, b.interval->hi), distance(a.value, a.interval->lo));
  stats::Estimate& ratio = out.ratio;
  ratio.interval = {ratio.value * std::exp(-down), ratio.value * std::exp(up)};
  return out;
}

void compare_load(const EvaluationRun& a, const EvaluationRun& b, EvaluationDifference& out) {
  for (const LatencyFigure& figure : a.latency)
    if (const stats::Estimate* other = b.latency_at(figure.percentile))
      if (const auto ratio = ratio_of(figure.ns, *other))
        out.latency.push_back({figure.percentile, *ratio});
  if (a.completed_per_s && b.completed_per_s)
    out.completed = ratio_of(*a.completed_per_s, *b.completed_per_s);
}

bool differ(const std::string& first, const std::string& second) {
  return !first.empty() && !second.empty() && first != second;
}

Result<void> check_data(const EvaluationRun& a, const EvaluationRun& b) {
  if (!differ(a.data_sha256, b.data_sha256) || !a.numbered() || !b.numbered()) return {};
  return input_error("RIDGE-CMP-0024",
                     fmt::format("'{}' and '{}' are of other data, whose samples have numbers "
                                 "alone for names",
                                 printable(a.label), printable(b.label)))
      .evidence(fmt::format("SHA-256 {}... and {}...", printable(a.data_sha256.substr(0, 12)),
                            printable(b.data_sha256.substr(0, 12))))
      .hint("evaluate both with the same --data");
}

Result<EvaluationDifference> difference_of(const EvaluationRun& a, const EvaluationRun& b,
                                           std::size_t run) {
  EvaluationDifference out;
  out.run = run;
  TRY(check_data(a, b));
  const std::vector<JoinedPair> pairs = joined_samples(a, b);
  out.samples = std::ssize(pairs);
  out.unjoined = std::ssize(a.samples) - out.samples;
  if (pairs.empty() && !a.samples.empty() && !b.samples.empty())
    return input_error("RIDGE-CMP-0022", fmt::format("'{}' and '{}' have no sample in common",
                                                     printable(a.label), printable(b.label)))
        .hint("samples are joined by their names, as in \"samples\" of the documents");
  compare_answers(a, b, pairs, out);
  TRY(compare_accuracy(a, b, pairs, out));
  compare_preparation(a, b, pairs, out);
  compare_load(a, b, out);
  if (!out.changed && !out.accuracy && out.latency.empty() && !out.completed)
    return input_error("RIDGE-CMP-0022", fmt::format("'{}' and '{}' have no figure in common",
                                                     printable(a.label), printable(b.label)))
        .hint("evaluate both with the same --data, or under the same load");
  return out;
}

void judge_together(std::vector<EvaluationDifference>& differences) {
  std::vector<double> doubts;
  for (const EvaluationDifference& d : differences)
    if (d.accuracy) doubts.push_back(d.accuracy->p_value);
  if (doubts.empty()) return;
  const double rate = 1 - stats::common_confidence(doubts, kErrorRate);
  for (EvaluationDifference& d : differences)
    if (d.accuracy) d.accuracy->significant = d.accuracy->p_value <= rate;
}

/// Differences between the runs that the figures include.
std::vector<std::string> notes_of(const std::vector<EvaluationRun>& runs) {
  std::vector<std::string> out;
  const EvaluationRun& base = runs.front();
  const auto note = [&](const EvaluationRun& run, std::string_view what, const std::string& first,
                        const std::string& second) {
    if (first != second)
      out.push_back(fmt::format("{}: another {} ({}, not {})", run.label, what,
                                second.empty() ? "none" : second, first.empty() ? "none" : first));
  };
  for (const EvaluationRun& run : std::span(runs).subspan(1)) {
    note(run, "model", base.graph_hash, run.graph_hash);
    note(run, "host", base.host, run.host);
    if (differ(base.data_sha256, run.data_sha256))
      out.push_back(run.label +
                    ": other data: samples are joined by their names, and their content is not "
                    "the same");
    if (differ(base.labels_sha256, run.labels_sha256))
      out.push_back(run.label + ": other labels: its answers are judged by another file");
    note(run, "scenario", base.scenario, run.scenario);
    if (run.scenario == "server" && run.queries_per_s != base.queries_per_s)
      out.push_back(run.label + ": another rate of queries");
    if (run.validity == "invalid") out.push_back(run.label + ": its load is invalid");
  }
  if (base.validity == "invalid") out.push_back(base.label + ": its load is invalid");
  return out;
}

}  // namespace

Result<EvaluationComparison> compare_evaluations(std::vector<EvaluationRun> runs) {
  if (runs.size() < 2)
    return usage_error("RIDGE-CMP-0021", "a comparison is of two or more evaluations")
        .hint("name a baseline and others: ridge eval compare base.json other.json");
  EvaluationComparison out;
  out.notes = notes_of(runs);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    EvaluationDifference difference = TRY(difference_of(runs[0], runs[i], i));
    if (difference.unjoined > 0)
      out.notes.push_back(fmt::format("{}: {} of the baseline not among its samples", runs[i].label,
                                      counted(difference.unjoined, "sample")));
    out.differences.push_back(std::move(difference));
  }
  judge_together(out.differences);
  out.runs = std::move(runs);
  return out;
}

}  // namespace ridge::compare
