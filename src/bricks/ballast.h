// SPDX-License-Identifier: Apache-2.0
// Kernels that only read: they stand for the weights of layers that a batch of bricks lacks
// (suite_runner.h).
//
//   const runtime::SessionId session = TRY(load_ballast(runtime, std::int64_t{64} << 20));
//
// A maximum over all elements of an input. It writes one element, so it leaves neither changed
// cache lines nor its result where activations of bricks lie. Errors: the runtime's. Thread
// rule: the runtime's.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "runtime/runtime.h"

namespace ridge::bricks {

/// Loads a kernel that reads `bytes`, at least one element, and sets its input.
Result<runtime::SessionId> load_ballast(runtime::Runtime& runtime, std::int64_t bytes);

}  // namespace ridge::bricks
