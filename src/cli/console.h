// Console of a verb: its two outputs, and whether they are terminals.
//
// Data goes to `out`, everything else to `err`. Thread rule: that of the sinks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
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
  bool out_is_terminal = false;  ///< if true, binary formats are refused
};

/// Prints an error and returns its exit status.
int report(Console& console, const Error& error);
/// Prints "warning: model.onnx: …" to standard error.
void warn(Console& console, std::string_view file, std::string_view text);

/// Output of a document: standard output, or a file that is replaced atomically on close(), which
/// prints its size to standard error.
///
///   Output out = TRY(Output::open(path, console));
///   write_something(out.sink());
///   TRY(out.close());
class Output {
 public:
  /// `path` empty or "-": standard output.
  static Result<Output> open(const std::string& path, Console& console);
  /// Opens, writes a complete document, and closes.
  static Result<void> write(const std::string& path, std::string_view document, Console& console);
  Output(Output&&) noexcept;
  Output& operator=(Output&&) noexcept;
  ~Output();

  Sink& sink();
  /// Puts the file in place or flushes standard output; returns the first write error.
  Result<void> close();

 private:
  class FileSink;
  Output(Console& console, std::unique_ptr<FileSink> file);
  Console* console_;
  std::unique_ptr<FileSink> file_;
};

}  // namespace ridge::cli
