// SPDX-License-Identifier: Apache-2.0
// Test checked findings with random values in every member.
//
//   const profile::CheckedFinding c = filled_check(7);   // different for every seed
//   EXPECT_EQ(text_of(read), text_of(c));                // NaN equals NaN
//
// Every struct is decomposed into all of its members, so this file does not compile until a member
// that is added later is filled and compared here as well.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "profile/checked_finding.h"
#include "store/suite_testing.h"

namespace ridge::store {

using profile::CheckedFinding;

/// Sets figures to NaN at random, like the figures of checks that came to no measurement.
inline void fill_figures(Filler& filler, stats::Estimate& e) {
  bool known = false, interval = false;
  filler.all(known, interval, e);
  if (!known) e = {CheckedFinding::kNone};
  if (!interval) e.interval.reset();
}

inline CheckedFinding filled_check(std::uint64_t seed) {
  Filler filler(seed);
  CheckedFinding out;
  auto& [recorded_s, model, graph_hash, point, runtime, runtime_version, ridge_version, threads,
         host, finding, question, kind, nodes, predicted_ns, gain_ns, before_ns, after_ns, state,
         prediction, reason, max_abs, max_rel, lossless] = out;
  filler.all(recorded_s, model, graph_hash, point, runtime, runtime_version, ridge_version, threads,
             host, finding, question, kind, reason, max_abs, max_rel, lossless);
  for (stats::Estimate* e : {&predicted_ns, &gain_ns, &before_ns, &after_ns})
    fill_figures(filler, *e);
  std::vector<std::uint32_t> any;
  for (int i = 0; i < 3; ++i) filler.fill(any.emplace_back());
  const std::set<std::uint32_t> ascending(any.begin(), any.end());
  if (seed % 5 != 0) nodes.assign(ascending.begin(), ascending.end());
  state = static_cast<profile::CheckState>(seed % 4);
  prediction = static_cast<profile::Prediction>(seed / 4 % 4);
  return out;
}

/// Entire content as text.
inline std::string text_of(const CheckedFinding& check) {
  const auto& [recorded_s, model, graph_hash, point, runtime, runtime_version, ridge_version,
               threads, host, finding, question, kind, nodes, predicted_ns, gain_ns, before_ns,
               after_ns, state, prediction, reason, max_abs, max_rel, lossless] = check;
  std::string out = fmt::format("{} {} {} {} {} [{}]", recorded_s, threads, max_abs, max_rel,
                                lossless, fmt::join(nodes, ","));
  for (const std::string& text : {model, graph_hash, point, runtime, runtime_version, ridge_version,
                                  host, finding, question, kind, reason})
    out += "|" + text;
  for (const stats::Estimate& e : {predicted_ns, gain_ns, before_ns, after_ns})
    out += fmt::format("|{} {} {}", e.value, e.low(), e.high());
  return out + "|" + std::string(name(state)) + "|" + std::string(name(prediction));
}

inline std::vector<std::string> texts_of(const std::vector<CheckedFinding>& checks) {
  std::vector<std::string> out;
  for (const CheckedFinding& check : checks) out.push_back(text_of(check));
  return out;
}

inline std::vector<std::string> read_checks(const Store& store) {
  const auto read = store.checked_findings();
  EXPECT_TRUE(read.ok()) << read.error().text();
  return read.ok() ? texts_of(*read) : std::vector<std::string>();
}

}  // namespace ridge::store
