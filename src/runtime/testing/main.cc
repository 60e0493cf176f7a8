// SPDX-License-Identifier: Apache-2.0
// The test program is its own runtime child, and template of children, like ridge.
#include <gtest/gtest.h>

#include "runtime/child/child.h"
#include "runtime/serve/template.h"

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == ridge::runtime::kChildArgument) return ridge::runtime::child_main();
  if (argc > 1 && argv[1] == ridge::runtime::kTemplateArgument)
    return ridge::runtime::template_main();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
