// SPDX-License-Identifier: Apache-2.0
// ridge runs baseline and ridge doctor --baseline as a user runs them, over a fleet of machines of
// this one's kind; every figure recomputed by baseline_oracle.py.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

class BaselineSlow : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = std::make_unique<Workplace>();
    const Outcome o = place_->run("ridge doctor --format json > host.json || test $? -eq 4\n" +
                                  oracle("fleet . host.json") + "\nridge runs add lab.db ?-?.json");
    ASSERT_EQ(o.status, 0) << o.err;
  }
  static void TearDownTestSuite() { place_.reset(); }
  static std::string oracle(const std::string& arguments) {
    return "RIDGE_SOURCE='" + source_tree().string() + "' python3 '" +
           (source_tree() / "tests/baseline_oracle.py").string() + "' " + arguments;
  }

  static inline std::unique_ptr<Workplace> place_;
};

TEST_F(BaselineSlow, FiguresAndNamesAreThoseOfTheOracle) {
  const Outcome o = place_->run(
      "ridge runs baseline lab.db --rows model --columns host -o b.json --report b.html\n" +
      oracle("check b.json"));
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, " tests are equal, ")) << o.out;
  EXPECT_FALSE(has(o.out, ", 0 with a machine")) << o.out;
  EXPECT_TRUE(has(o.err, "b5  ")) << o.err;
  EXPECT_TRUE(has(o.err, "memory roofs, 1 thread")) << o.err;
  EXPECT_TRUE(has(read_text(place_->folder() / "there/b.html"), "Outside: b5"));
}

TEST_F(BaselineSlow, DoctorNamesThisMachineWhereItsRunsAreSlow) {
  const Outcome equal = place_->run(
      "ridge runs baseline lab.db -o b.json 2> /dev/null\n"
      "ridge doctor --baseline b.json lab.db --format json");
  EXPECT_EQ(equal.status == 4 ? 0 : equal.status, 0) << equal.err;
  EXPECT_TRUE(has(equal.out, "\"findings\":[]")) << equal.out;
  // The runs of b5, as this machine's.
  const Outcome slow = place_->run(
      "for i in 0 1; do python3 -c 'import json, sys; run = json.load(open(sys.argv[1])); "
      "run[\"host\"][\"hostname\"] = json.load(open(\"host.json\"))[\"host\"][\"hostname\"]; "
      "json.dump(run, open(\"slow\" + sys.argv[1], \"w\"))' 5-$i.json; done\n"
      "ridge runs add slow.db slow5-?.json > /dev/null\n"
      "ridge doctor --baseline b.json slow.db");
  EXPECT_TRUE(slow.status == 1 || slow.status == 4) << slow.err;
  EXPECT_TRUE(has(slow.out, "memory roofs, 1 thread")) << slow.out;
  EXPECT_TRUE(has(slow.out, "expected")) << slow.out;
}

TEST_F(BaselineSlow, BadInputIsSaid) {
  const Outcome newer = place_->run(
      "ridge runs baseline lab.db -o b.json 2> /dev/null\n"
      "sed 's,ridge.baseline/1,ridge.baseline/2,' b.json > newer.json\n"
      "ridge doctor --baseline newer.json lab.db");
  EXPECT_EQ(newer.status, 3);
  EXPECT_TRUE(has(newer.err, "RIDGE-REC-0005")) << newer.err;
  const Outcome alone = place_->run("ridge doctor lab.db");
  EXPECT_EQ(alone.status, 2);
  EXPECT_TRUE(has(alone.err, "RIDGE-CLI-0280")) << alone.err;
  const Outcome few = place_->run("ridge runs baseline lab.db --host b1");
  EXPECT_EQ(few.status, 3);
  EXPECT_TRUE(has(few.err, "RIDGE-LAB-0070")) << few.err;
}

}  // namespace
}  // namespace ridge::tests
