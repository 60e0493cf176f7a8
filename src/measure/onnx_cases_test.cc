// SPDX-License-Identifier: Apache-2.0
// Seeded sample of the operator cases of the onnx package in ONNX Runtime.
// bench/onnx_cases_profile.py runs all of them, compared with the runtime itself and with their own
// inputs.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "analysis/testing/onnx_cases.h"
#include "measure/testing/one_run.h"
#include "stats/random.h"

namespace ridge::measure {
namespace {

using analysis::testing::OnnxCase;

constexpr std::size_t kSample = 60;
constexpr std::uint64_t kSeed = 20261122;

/// Cases that ONNX Runtime itself does not run.
std::set<std::string> refused() {
  const char* source = std::getenv("RIDGE_SOURCE");
  std::ifstream file(std::string(source != nullptr ? source : ".") +
                     "/tests/ops/onnx_cases_refused_ort.txt");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with('#')) names.insert(line.substr(0, line.find('\t')));
  return names;
}

/// Reason why a case does not profile; "" if it does.
std::string failure(const OnnxCase& c) {
  const Result<analysis::Resolved> r = analysis::testing::resolve_case(c);
  if (!r.ok()) return r.error().text();
  const Result<testing::OneRun> one = testing::run_once(testing::options("ort"), *r);
  if (!one.ok()) return one.error().text();
  if (one->unknown > 0) return "a kernel that no node explains";
  return one->attribution.unplaced.empty() ? "" : "a node without a place";
}

TEST(OnnxCasesSlow, WhatTheRuntimeRunsProfiles) {
  SKIP_WITHOUT("ort");
  std::vector<OnnxCase> cases = analysis::testing::onnx_cases();
  if (cases.empty()) GTEST_SKIP() << "scripts/fetch_onnx_cases.sh has not been able to run";
  const std::set<std::string> left_out = refused();
  ASSERT_FALSE(left_out.empty());
  std::erase_if(cases, [&](const OnnxCase& c) { return left_out.contains(c.name); });
  stats::Random random(kSeed);
  for (std::size_t i = 0; i < kSample && !cases.empty(); ++i) {
    const std::size_t at = random.below(cases.size());
    EXPECT_EQ(failure(cases[at]), "") << cases[at].name;
    cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace
}  // namespace ridge::measure
