// SPDX-License-Identifier: Apache-2.0
#include "cli/measuring_environment.h"

#include <fmt/format.h>

#include "cli/cache_folder.h"
#include "cli/interrupt.h"
#include "cli/runtime_source.h"

namespace ridge::cli {

void ConsoleEnvironment::ConsoleNotices::warn(std::string_view file, std::string_view text) {
  cli::warn(console_, file, text);
}

void ConsoleEnvironment::ConsoleNotices::failed(const Error& error) { report(console_, error); }

void ConsoleEnvironment::ConsoleNotices::status(std::string_view line) {
  console_.err.write(fmt::format("{}\n", line));
}

ConsoleEnvironment::ConsoleEnvironment(Console& console)
    : notices_(console),
      progress_(console.err, steady_clock(), console.columns),
      environment_{.host = machine::this_host(),
                   .notices = notices_,
                   .library_folders = runtime_folders,
                   .cache_folder = cache_folder(),
                   .tvm_folder = tvm_folder(),
                   .stop = Interruption::flag(),
                   .progress = console.err_is_terminal ? &progress_ : nullptr} {}

}  // namespace ridge::cli
