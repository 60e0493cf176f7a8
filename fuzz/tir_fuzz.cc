// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as loop nests of TVM: both walkers finish on accepted ones, under a budget.
#include <cstdint>
#include <string_view>

#include "accelerator/nests/execute_testing.h"
#include "accelerator/nests/walk.h"
#include "accelerator/tvm/tir_reader.h"
#include "check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace accelerator = ridge::accelerator;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto module = accelerator::read_tir(text);
  if (!module.ok()) {
    ridge::fuzz::check(!module.error().message().empty());
    return 0;
  }
  constexpr accelerator::WalkLimits kLimits{.steps = 20'000, .depth = 200};
  accelerator::NestHooks none;
  for (const accelerator::TirFunction& f : module->functions) {
    module->nest.root = f.root;
    (void)accelerator::count(module->nest, none, kLimits).ok();
    (void)accelerator::testing::execute(module->nest, none, kLimits).ok();
  }
  return 0;
}
