// SPDX-License-Identifier: Apache-2.0
// Helpers shared by the runtime's tests.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <type_traits>
#include <utility>

#include "base/result.h"
#include "base/testing/sanitized.h"

namespace ridge::runtime {

/// Returns the value; ends the test program with the error's text if there is none.
template <typename T>
T expect_ok(Result<T> result) {
  if (!result.ok()) {
    ADD_FAILURE() << result.error().text();
    std::terminate();
  }
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

}  // namespace ridge::runtime
