// SPDX-License-Identifier: Apache-2.0
// The test program is its own child where a file or a model is loaded, like ridge, and its own
// daemon and client where they are killed.
#include <gtest/gtest.h>

#include "runtime/child/child.h"
#include "sharing/run/load_child.h"
#include "sharing/run/testing/roles.h"

int main(int argc, char** argv) {
  using namespace ridge::sharing;
  if (argc > 1 && argv[1] == ridge::runtime::kChildArgument) return ridge::runtime::child_main();
  if (argc > 1 && argv[1] == kLoadArgument) return load_main();
  if (argc > 1 && argv[1] == ridge::sharing::testing::kRoleArgument)
    return ridge::sharing::testing::role_main(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
