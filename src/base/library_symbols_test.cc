// SPDX-License-Identifier: Apache-2.0
#include "base/library_symbols.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(LibrarySymbols, AreFoundInALibraryThatIsThere) {
  LibrarySymbols symbols("libc.so.6");
  int (*absolute)(int) = nullptr;
  symbols.find("abs", absolute);
  EXPECT_EQ(symbols.fault(), "");
  ASSERT_NE(absolute, nullptr);
  EXPECT_EQ(absolute(-3), 3);
}

TEST(LibrarySymbols, AFunctionThatIsNotThereIsNamed) {
  LibrarySymbols symbols("libc.so.6");
  int (*none)(int) = nullptr;
  symbols.find("ridge_has_no_such_function", none);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(symbols.fault(), "libc.so.6 lacks ridge_has_no_such_function");
}

TEST(LibrarySymbols, ALibraryThatIsNotThereIsNamed) {
  LibrarySymbols symbols("libridge-no-such.so.1");
  int (*none)(int) = nullptr;
  symbols.find("abs", none);
  EXPECT_EQ(none, nullptr);
  EXPECT_NE(symbols.fault().find("libridge-no-such.so.1"), std::string::npos);
}

}  // namespace
}  // namespace ridge
