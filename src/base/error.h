// What went wrong, where, and what to do about it.
//
// An Error travels upwards inside a Result<T>; each layer adds its own part of *where*. It is
// printed only by the program (src/cli), in the four-line form that docs/reference/messages.md
// describes:
//
//   error: model.onnx: graph 'main' > node #17 'Conv_12': raw_data holds 7 bytes, 16 are needed
//     at byte 0x1a4c of the file (TensorProto.raw_data)
//     hint: the file may be truncated; export it again
//     [RIDGE-ONNX-0231]
//
// Ownership: an Error owns its text. It is one pointer wide, so Result<T> stays small. Not shared
// between threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace ridge {

/// Who has to act: decides the exit status.
enum class ErrorClass {
  kInput,        ///< the input was rejected: exit 3
  kEnvironment,  ///< the machine lacks something: exit 4
  kUsage,        ///< the command line is wrong: exit 2
  kBug,          ///< ours: exit 70
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

  /// The line under the message: what was seen, at which byte.
  [[nodiscard]] Error&& evidence(std::string text) &&;
  /// The next step for the user, without the word "hint".
  [[nodiscard]] Error&& hint(std::string text) &&;
  /// Puts `place` before the present *where*, joined by " > "; layers call it on the way up.
  [[nodiscard]] Error&& in(std::string_view place) &&;
  /// The file (or other source) that everything else lies in; printed first, followed by ": ".
  [[nodiscard]] Error&& in_file(std::string_view path) &&;

  ErrorClass error_class() const { return d_->cls; }
  const std::string& code() const { return d_->code; }
  const std::string& message() const { return d_->message; }
  const std::string& where() const { return d_->where; }
  const std::string& file() const { return d_->file; }
  const std::string& evidence() const { return d_->evidence; }
  const std::string& hint() const { return d_->hint; }

  /// The whole message, lines ended by '\n', control characters of hostile names escaped.
  std::string text(std::string_view severity = "error") const;
  /// The first line without severity and code, for a row of a table.
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
/// A broken invariant of ours. `where` is the function's name.
Error bug(std::string message, std::string_view where);

}  // namespace ridge
