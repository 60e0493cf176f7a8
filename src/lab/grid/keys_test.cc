// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/keys.h"

#include <gtest/gtest.h>

namespace ridge::lab {
namespace {

using Keys = std::vector<Key>;

TEST(GridKeys, AreWordsInAList) {
  EXPECT_EQ(*read_keys("model, batch", "--rows"), (Keys{Key::kModel, Key::kBatch}));
}

TEST(GridKeys, AnUnknownOneIsRefused) {
  EXPECT_EQ(read_keys("modle", "--rows").error().text(),
            "error: --rows: unknown key 'modle'\n"
            "  hint: did you mean 'model'?\n"
            "  [RIDGE-GRID-0001]\n");
  EXPECT_EQ(read_keys("", "--columns").error().text(),
            "error: --columns: unknown key ''\n"
            "  hint: keys: model, host, runtime, version, precision, batch, threads, sizes, "
            "scenario\n"
            "  [RIDGE-GRID-0001]\n");
  EXPECT_EQ(read_keys("host,host", "--rows").error().code(), "RIDGE-GRID-0002");
}

TEST(GridKeys, NumbersAreInOrderOfTheirValueAndWhatIsNotKnownIsLast) {
  EXPECT_TRUE(values_before({"4"}, {"16"}));
  EXPECT_TRUE(values_before({"16"}, {"a"}));
  EXPECT_TRUE(values_before({"a"}, {"b"}));
  EXPECT_TRUE(values_before({"zoo"}, {"?"}));
  EXPECT_TRUE(values_before({"a", "4"}, {"a", "16"}));
  EXPECT_FALSE(values_before({"a"}, {"a"}));
}

}  // namespace
}  // namespace ridge::lab
