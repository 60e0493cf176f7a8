#include "base/arena.h"

#include <gtest/gtest.h>

#include <string>

namespace ridge {
namespace {

TEST(Arena, CopiesOutliveTheirSource) {
  Arena arena;
  std::string source = "conv1";
  const std::string_view kept = arena.copy(source);
  source.assign("xxxxx");
  EXPECT_EQ(kept, "conv1");
}

}  // namespace
}  // namespace ridge
