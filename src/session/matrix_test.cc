// SPDX-License-Identifier: Apache-2.0
#include "session/matrix.h"

#include <gtest/gtest.h>

#include <set>

#include "session/testing.h"

namespace ridge::session {
namespace {

constexpr std::string_view kFreeBatch = R"(graph main
  input x[batch,4]
  Relu(x) -> y
  output y)";

class MatrixOfPoints : public ::testing::Test {
 protected:
  /// Four points: two batches at two thread counts.
  Matrix planned() {
    model_.spec.runtimes = {"null"};
    model_.spec.threads = {1, 2};
    model_.spec.sizes = {{.sizes = {{"batch", {1}}}}, {.sizes = {{"batch", {4}}}}};
    Result<Matrix> matrix = Matrix::plan({{model_.path, model_.spec}}, model_.environment);
    EXPECT_TRUE(matrix.ok()) << matrix.error().text();
    return *std::move(matrix);
  }
  std::vector<std::string> keys() {
    std::vector<std::string> out;
    for (const Cell& cell : planned().cells) out.push_back(cell.key);
    return out;
  }
  testing::ModelFile model_{kFreeBatch, "matrix"};
};

TEST_F(MatrixOfPoints, EachHasAKeyOfItsOwn) {
  const std::vector<std::string> all = keys();
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 4U);
  EXPECT_FALSE(std::set(all.begin(), all.end()).contains(""));
}

TEST_F(MatrixOfPoints, HaveTheSameKeysOnAnotherMachine) {
  const std::vector<std::string> here = keys();
  model_.environment.host.id = "another";
  model_.environment.host.allowed.resize(1);  // too few processors to pin two threads
  EXPECT_EQ(keys(), here);
}

TEST_F(MatrixOfPoints, HaveOtherKeysWithAnotherOption) {
  const std::vector<std::string> before = keys();
  model_.spec.runtime_options = {{"ridge.wait", "spin"}};
  const std::vector<std::string> after = keys();
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_NE(after[i], before[i]);
}

TEST_F(MatrixOfPoints, SeedAndTimeAreNoPartOfAKey) {
  const std::vector<std::string> before = keys();
  model_.spec.seed = 7;
  model_.spec.processes = 5;
  model_.spec.budget.seconds = 9;
  EXPECT_EQ(keys(), before);
}

TEST_F(MatrixOfPoints, TheWantedOnesStayAsTheyWere) {
  Matrix matrix = planned();
  const std::vector<Cell> all = matrix.cells;
  const double process_s = matrix.benches.front().process_s;
  ASSERT_TRUE(keep_points(std::vector{all[3].key, all[1].key}, matrix).ok());
  ASSERT_EQ(matrix.cells.size(), 2U);
  EXPECT_EQ(matrix.cells[0].label, all[1].label);
  EXPECT_EQ(matrix.cells[1].label, all[3].label);
  EXPECT_EQ(matrix.benches.front().process_s, process_s);
}

TEST_F(MatrixOfPoints, AnUnknownKeyLeavesThemAll) {
  Matrix matrix = planned();
  const Result<void> chosen = keep_points(std::vector<std::string>{"0123456789abcdef"}, matrix);
  EXPECT_EQ(chosen.error().text(),
            "error: no point of the request has the key '0123456789abcdef'\n"
            "  it has 4 points\n"
            "  hint: --dry-run lists them with their keys\n  [RIDGE-WB-0393]\n");
  EXPECT_EQ(matrix.cells.size(), 4U);
}

TEST_F(MatrixOfPoints, WhatTheModelRejectsHasNoKey) {
  model_.spec.sizes = {{.sizes = {{"nothing", {1}}}}};
  model_.spec.runtimes = {"null"};
  const auto matrix = Matrix::plan({{model_.path, model_.spec}}, model_.environment);
  ASSERT_TRUE(matrix.ok());
  EXPECT_EQ(matrix->cells.at(0).key, "");
}

}  // namespace
}  // namespace ridge::session
