// SPDX-License-Identifier: Apache-2.0
// A value or an Error. Functions that can fail return Result<T>; callers propagate failures with
// TRY.
//
//   Result<int> parse(std::string_view text);
//   Result<int> twice(std::string_view text) { return 2 * TRY(parse(text)); }
//
// Thread rule: as T. Cost: T plus one pointer; no allocation on success.
#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "base/error.h"

namespace ridge {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  T& value() & { return assert(ok()), *value_; }
  const T& value() const& { return assert(ok()), *value_; }
  T&& value() && { return assert(ok()), std::move(*value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return assert(!ok()), *error_; }
  const Error& error() const& { return assert(!ok()), *error_; }
  Error&& error() && { return assert(!ok()), std::move(*error_); }

 private:
  std::optional<T> value_;
  std::optional<Error> error_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  void value() const { assert(ok()); }

  Error& error() & { return assert(!ok()), *error_; }
  const Error& error() const& { return assert(!ok()), *error_; }
  Error&& error() && { return assert(!ok()), std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace ridge

/// Evaluates to the value of a Result, or returns its Error early (SerenityOS AK/Try.h).
#define TRY(expression) RIDGE_TRY(RIDGE_TRY_NAME(__COUNTER__), expression, error())

/// TRY that also prepends `place` to the location of the Error.
#define TRY_IN(place, expression) \
  RIDGE_TRY(RIDGE_TRY_NAME(__COUNTER__), expression, error().in(place))

// Unique name per use, so that nested uses of TRY do not shadow each other.
#define RIDGE_TRY_NAME(counter) RIDGE_TRY_PASTE(ridge_try_, counter)
#define RIDGE_TRY_PASTE(a, b) a##b
// `name` is declared and `failure` is a member call: neither can be parenthesized.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define RIDGE_TRY(name, expression, failure) \
  __extension__({                            \
    auto name = (expression);                \
    if (!name.ok()) [[unlikely]]             \
      return std::move(name).failure;        \
    std::move(name).value();                 \
  })
// NOLINTEND(bugprone-macro-parentheses)
