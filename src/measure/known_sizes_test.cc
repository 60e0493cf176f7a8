// SPDX-License-Identifier: Apache-2.0
// Arrays are written to the byte below; expected bindings are read from their headers.
#include "measure/known_sizes.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"
#include "base/file.h"
#include "runtime/testing/expect.h"

namespace ridge::measure {
namespace {

using analysis::Bindings;
using runtime::expect_ok;
using Files = std::map<std::string, std::string>;

std::shared_ptr<const graph::Model> sized_model() {
  return analysis::testing::model(
      "graph main\n input x[batch,3,height,?]\n input y[batch,8]\n integers m=3\n"
      " a: Relu(x) -> t\n b: Relu(y) -> u\n output t u\n");
}

/// A .npy of float32 zeros.
std::string saved(const std::string& name, const std::string& shape, std::size_t bytes) {
  const std::string dictionary =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
  std::string file("\x93NUMPY\x01\0", 8);
  file += static_cast<char>(dictionary.size());
  file += '\0';
  std::string path = ::testing::TempDir() + name;
  expect_ok(write_file(path, file + dictionary + std::string(bytes, '\0')));
  return path;
}

std::string image() { return saved("image.npy", "2, 3, 4, 5", 480); }

std::string refusal(const Files& files, const Bindings& given = {}) {
  const Result<Bindings> bound = with_arrays(*sized_model(), given, files);
  return bound.ok() ? "accepted" : bound.error().text();
}

TEST(KnownSizes, AnArrayBindsEverySizeOfItsInput) {
  const Bindings bound = expect_ok(with_arrays(*sized_model(), {}, {{"x", image()}}));
  const analysis::Resolved resolved = expect_ok(analysis::resolve(sized_model(), bound));
  EXPECT_EQ(resolved.bindings().at("batch").value, 2);
  EXPECT_FALSE(resolved.bindings().at("batch").assumed);
  EXPECT_EQ(resolved.bindings().at("height").value, 4);
  EXPECT_TRUE(resolved.notes().empty());
}

TEST(KnownSizes, AnArrayThatContradictsIsNamedWithWhatItContradicts) {
  const std::string path = image();
  EXPECT_EQ(refusal({{"x", path}}, {.sizes = {{"batch", {7, false}}}}),
            "error: --input x=" + path + " contradicts --bind batch=7\n  " + path +
                " has shape [2, 3, 4, 5], so batch is 2\n"
                "  hint: leave one of them out\n  [RIDGE-MEAS-0006]\n");
  EXPECT_EQ(refusal({{"x", path}}, {.shapes = {{"x", {2, 3, 4, 6}}}}),
            "error: --input x=" + path + " contradicts --shape x=2x3x4x6\n  " + path +
                " has shape [2, 3, 4, 5]\n"
                "  hint: leave one of them out\n  [RIDGE-MEAS-0006]\n");
  const std::string other = saved("other.npy", "9, 8", 288);
  EXPECT_EQ(refusal({{"x", path}, {"y", other}}),
            "error: --input y=" + other + " contradicts --input x=" + path + "\n  " + other +
                " has shape [9, 8], so batch is 9\n"
                "  hint: leave one of them out\n  [RIDGE-MEAS-0006]\n");
}

TEST(KnownSizes, AnArrayThatTheFileCannotTakeIsRefused) {
  const std::string path = saved("rank.npy", "2, 9", 72);
  EXPECT_EQ(refusal({{"y", path}}),
            "error: " + path +
                " has shape [2, 9], but the model's input 'y' is [batch, 8]\n"
                "  hint: reshape the array; sizes fixed in the model file cannot be changed\n"
                "  [RIDGE-MEAS-0005]\n");
}

TEST(KnownSizes, ARunGivesWhatIsLeftOpen) {
  profile::Profile run;
  run.subject.bindings = {{"batch", {6, true}}, {"height", {32, false}}, {"other", {1, false}}};
  const Bindings bound = with_run(*sized_model(), {.sizes = {{"height", {64, false}}}}, run);
  EXPECT_EQ(bound.sizes.size(), 2U);
  EXPECT_EQ(bound.sizes.at("batch").value, 6);
  EXPECT_FALSE(bound.sizes.at("batch").assumed);
  EXPECT_EQ(bound.sizes.at("height").value, 64);
  EXPECT_FALSE(with_run(*sized_model(), {.shapes = {{"x", {1, 3, 8, 8}}, {"y", {1, 8}}}}, run)
                   .sizes.contains("batch"));
}

}  // namespace
}  // namespace ridge::measure
