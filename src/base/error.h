// SPDX-License-Identifier: Apache-2.0
// Errors: the cause, the location, and the next step for the user.
//
// An Error propagates upwards inside a Result<T>; each layer prepends its own part of the location.
// Only the program (src/cli) prints it, in the four-line form that docs/reference/messages.md
// describes:
//
//   error: model.onnx: graph 'main' > node #17 'Conv_12': raw_data holds 7 bytes, 16 are needed
//     at byte 0x1a4c of the file (TensorProto.raw_data)
//     hint: the file may be truncated; export it again
//     [RIDGE-ONNX-0231]
//
// Ownership: an Error owns its text. It is one pointer wide, so Result<T> stays small. Do not share
// one between threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace ridge {

/// Party that has to act; determines the exit status.
enum class ErrorClass {
  kInput,        ///< the input was rejected: exit 3
  kEnvironment,  ///< the machine lacks something that is needed: exit 4
  kUsage,        ///< the command line is wrong: exit 2
  kBug,          ///< a defect of ridge: exit 70
};

class Error {
 public:
  /// `code` is "RIDGE-AREA-NNNN", unique per cause, documented in docs/reference/messages.md.
  Error(ErrorClass cls, std::string_view code, std::string message);

  Error(Error&&) noexcept = default;
  Error& operator=(Error&&) noexcept = default;
  Error(const Error& other);
  Error& operator=(const Error& other);
  ~Error() = default;

  /// Sets the line under the message: the observed value and its byte position.
  [[nodiscard]] Error&& evidence(std::string text) &&;
  /// Sets the next step for the user, without the word "hint".
  [[nodiscard]] Error&& hint(std::string text) &&;
  /// Prepends `place` to the location, joined by " > "; each layer calls it on the way up.
  [[nodiscard]] Error&& in(std::string_view place) &&;
  /// Sets the file (or other source) that contains the location; printed first, followed by ": ".
  /// Ignored if a file is set already.
  [[nodiscard]] Error&& in_file(std::string_view path) &&;

  ErrorClass error_class() const { return d_->cls; }
  const std::string& code() const { return d_->code; }
  const std::string& message() const { return d_->message; }
  const std::string& where() const { return d_->where; }
  const std::string& file() const { return d_->file; }
  const std::string& evidence() const { return d_->evidence; }
  const std::string& hint() const { return d_->hint; }

  /// Returns the whole message: lines ended by '\n', control characters of hostile names escaped.
  std::string text(std::string_view severity = "error") const;
  /// Returns the first line without severity and code, for a table row.
  std::string summary() const;

 private:
  struct Detail {
    ErrorClass cls;
    std::string code, message, where, file, evidence, hint;
  };
  std::unique_ptr<Detail> d_;
};

Error input_error(std::string_view code, std::string message);
Error environment_error(std::string_view code, std::string message);
Error usage_error(std::string_view code, std::string message);
/// Error for a broken internal invariant. `where` is the name of the function.
Error bug(std::string message, std::string_view where);

}  // namespace ridge
