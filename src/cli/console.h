// What a verb may touch of the world around the program: its two outputs and whether somebody is
// watching.
//
// Data goes to `out`, everything else to `err`. Thread rule: as the sinks.
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

/// Exit status (design: "What other programs rely on").
enum Exit : int {
  kDone = 0,
  kCheckFailed = 1,  ///< ran, and a check failed
  kUsage = 2,
  kRejected = 3,     ///< the input was rejected
  kEnvironment = 4,  ///< the machine lacks something
  kBug = 70,
  kInterrupted = 130  ///< partial results kept
};

struct Console {
  Sink& out;
  Sink& err;
  bool err_is_terminal = false;  ///< a progress line may be drawn
  std::size_t columns = 79;      ///< of that terminal
  /// Sends what `out` gathered on its way: the first failure of a write.
  std::function<Result<void>()> flush_out = [] { return Result<void>(); };
  bool out_is_terminal = false;  ///< no place for binary formats
};

/// Prints an error in its four lines and returns its exit status.
int report(Console& console, const Error& error);
/// "warning: model.onnx: …" on standard error.
void warn(Console& console, std::string_view file, std::string_view text);

/// Where a document goes: standard output, or a file that appears whole or not at all, of which one
/// line on standard error says the size.
///
///   Output out = TRY(Output::open(path, console));
///   write_something(out.sink());
///   TRY(out.close());
class Output {
 public:
  /// `path` empty or "-": standard output.
  static Result<Output> open(const std::string& path, Console& console);
  /// A document that is there as a whole.
  static Result<void> write(const std::string& path, std::string_view document, Console& console);
  Output(Output&&) noexcept;
  Output& operator=(Output&&) noexcept;
  ~Output();

  Sink& sink();
  /// The first failure of a write, or of putting the file in place.
  Result<void> close();

 private:
  class FileSink;
  Output(Console& console, std::unique_ptr<FileSink> file);
  Console* console_;
  std::unique_ptr<FileSink> file_;
};

}  // namespace ridge::cli
