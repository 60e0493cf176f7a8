// SPDX-License-Identifier: Apache-2.0
// Compares shapes, element types and folded values with the operator cases of the onnx package
// (scripts/fetch_onnx_cases.sh). Cases that do not resolve are listed with the reason in
// tests/ops/onnx_cases_unresolved.txt.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include "analysis/testing/onnx_cases.h"

namespace ridge::analysis {
namespace {

using testing::OnnxCase;

/// Type of an output, such as "float32[2,3]"; "?" for unknown parts.
std::string type_text(const ops::Type& type) {
  if (!type.shape.ranked()) return "?";
  std::string out = std::string(onnx::name(type.dtype)) + '[';
  for (std::size_t i = 0; i < type.shape.span().size(); ++i) {
    if (!type.shape[i].known()) return "?";
    out += fmt::format("{}{}", i == 0 ? "" : ",", type.shape[i].value());
  }
  return out + ']';
}

bool close(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::fabs(a - b) <= 1e-5 * std::max(std::fabs(b), 1e-2);
}

/// Compares the elements between the braces with the folded value; unknown elements match anything.
bool same_elements(const ops::Value& value, const std::string& wanted) {
  std::istringstream items(wanted);
  std::size_t i = 0;
  for (std::string item; std::getline(items, item, ','); ++i) {
    if (i >= value.ints.size() + value.reals.size()) return false;
    if (i < value.ints.size()) {
      if (value.ints[i].known() && std::to_string(value.ints[i].value()) != item) return false;
    } else if (!close(value.reals[i], std::stod(item))) {
      return false;
    }
  }
  return i == value.ints.size() + value.reals.size();
}

std::map<std::string, std::string> unresolved_list() {
  std::map<std::string, std::string> out;
  const char* source = std::getenv("RIDGE_SOURCE");
  std::ifstream file(std::string(source == nullptr ? "." : source) +
                     "/tests/ops/onnx_cases_unresolved.txt");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("#") && colon != std::string::npos)
      out[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return out;
}

struct Tally {
  int resolved = 0, folded = 0;
  std::vector<std::string> unresolved;
};

void check_outputs(const OnnxCase& c, const Resolved& r, Tally& tally) {
  std::istringstream words(c.outputs);
  bool resolved = true;
  for (const graph::ValueId v : r.model().main().outputs) {
    std::string wanted;
    words >> wanted;
    const std::string got = type_text(r.type(v));
    resolved = resolved && got != "?";
    if (got == "?") continue;
    EXPECT_EQ(got, wanted.substr(0, wanted.find("={"))) << c.name;
    const std::size_t braces = wanted.find("={");
    if (r.value(v) == nullptr || braces == std::string::npos) continue;
    ++tally.folded;
    EXPECT_TRUE(same_elements(*r.value(v), wanted.substr(braces + 2, wanted.size() - braces - 3)))
        << c.name << ": " << wanted;
  }
  if (resolved)
    ++tally.resolved;
  else
    tally.unresolved.push_back(c.name);
}

void check_known_operators(const OnnxCase& c, const Resolved& r) {
  for (graph::NodeId n = 0; n < r.model().nodes().size(); ++n) {
    if (!r.model().node(n).domain.empty()) continue;
    EXPECT_NE(r.counts(n).status, Status::kUnknown)
        << c.name << ": " << r.model().node(n).op_type << ": " << r.counts(n).reason.view();
  }
}

TEST(OnnxCases, ShapesTypesAndFoldedValuesAreThoseOfTheCases) {
  const std::vector<OnnxCase> cases = testing::onnx_cases();
  if (cases.empty()) GTEST_SKIP() << "scripts/fetch_onnx_cases.sh has not been able to run";
  Tally tally;
  for (const OnnxCase& c : cases) {
    const Result<Resolved> r = testing::resolve_case(c);
    EXPECT_TRUE(r.ok()) << c.name << ": " << r.error().text();
    if (!r.ok()) continue;
    check_outputs(c, *r, tally);
    check_known_operators(c, *r);
  }
  const auto listed = unresolved_list();
  for (const std::string& name : tally.unresolved)
    EXPECT_TRUE(listed.contains(name)) << name << " is not resolved, and not listed";
  EXPECT_EQ(listed.size(), tally.unresolved.size());
  EXPECT_GE(tally.resolved * 100, static_cast<int>(cases.size()) * 97);
  EXPECT_GE(tally.folded, 300);
  RecordProperty("resolved", tally.resolved);
  RecordProperty("folded", tally.folded);
}

}  // namespace
}  // namespace ridge::analysis
