// SPDX-License-Identifier: Apache-2.0
// Console of a verb: its two outputs, and whether they are terminals.
//
// Data goes to `out`, everything else to `err`. Thread rule: as the sinks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/sink.h"

namespace ridge::cli {

/// Exit status.
enum Exit : int {
  kDone = 0,
  kCheckFailed = 1,  ///< ran to its end, but a check failed
  kUsage = 2,
  kRejected = 3,     ///< the input was rejected
  kEnvironment = 4,  ///< the machine, its software or its files prevent it
  kBug = 70,
  kInterrupted = 130  ///< partial results kept
};

struct Console {
  Sink& out;
  Sink& err;
  bool err_is_terminal = false;  ///< if true, progress lines are drawn
  std::size_t columns = 79;      ///< width of that terminal
  /// Flushes `out`; returns the first write error.
  std::function<Result<void>()> flush_out = [] { return Result<void>(); };
  bool out_is_terminal = false;   ///< if true, binary formats are refused
  bool out_has_document = false;  ///< set by the Output that writes a document to `out`
};

/// Prints an error and returns its exit status.
int report(Console& console, const Error& error);
/// Prints "warning: model.onnx: …" to standard error.
void warn(Console& console, std::string_view file, std::string_view text);

/// Output of a document: standard output, or a file that is replaced atomically on close(), which
/// prints its size to standard error. A document whose file cannot be written is not lost: it goes
/// to standard output if that has no document, else to a file in the temporary folder; the error
/// says where it is. Memory: one document after a failure, or for a pipe or device.
///
///   Output out = TRY(Output::open(path, console));
///   write_something(out.sink());
///   TRY(out.close());
class Output {
 public:
  /// `path` empty or "-": standard output.
  static Result<Output> open(const std::string& path, Console& console);
  /// Opens, writes a complete document, and closes. A file that cannot be opened is no loss either.
  static Result<void> write(const std::string& path, std::string_view document, Console& console);
  static Result<void> write(const std::string& path, const std::function<void(Sink&)>& document,
                            Console& console);
  Output(Output&&) noexcept;
  Output& operator=(Output&&) noexcept;
  ~Output();

  Sink& sink();
  /// Puts the file in place or flushes standard output; returns the first write error.
  Result<void> close();
  /// After close(): the path of the file with the document, "-" for standard output, or "" if it is
  /// in neither.
  const std::string& place() const { return place_; }

 private:
  class FileSink;
  Output(Console& console, std::unique_ptr<FileSink> file);
  Error saved(std::string_view path, std::string document, Error why);
  Console* console_;
  std::unique_ptr<FileSink> file_;
  std::string place_;
};

/// Status of a verb that writes several documents: a failure is reported, and the others are still
/// written.
///
///   Writing writing(console);
///   writing.done(output.close());
///   writing.done(Output::write(options.report, page, console));
///   return writing.status(kDone);
class Writing {
 public:
  explicit Writing(Console& console) : console_(&console) {}
  template <typename T>
  void done(const Result<T>& written) {
    if (!written.ok()) failed(written.error());
  }
  /// Reports an error.
  void failed(const Error& error);
  /// The exit status of the last error, or `otherwise`.
  int status(int otherwise) const { return status_.value_or(otherwise); }

 private:
  Console* console_;
  std::optional<int> status_;
};

}  // namespace ridge::cli
