// SPDX-License-Identifier: Apache-2.0
// Main function of ridge: sets up the outputs and the signals, then runs app.h.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/descriptor_sink.h"
#include "cli/interrupt.h"
#include "cli/large_blocks.h"
#include "lab/agent/spawned.h"
#include "runtime/child/child.h"
#include "runtime/serve/template.h"
#include "sharing/run/load_child.h"

namespace {

/// Occupies standard descriptors that were closed before the start. Otherwise the next opened file
/// would get that number, and output for the terminal would be written to a model or document. The
/// replacements fail on use: standard input is opened for writing only, the outputs for reading
/// only.
void take_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // open() returns the lowest free number, which is this one.
    [[maybe_unused]] const int taken =
        open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

ridge::Result<void> flush(ridge::cli::DescriptorSink& out) {
  out.flush();
  if (out.failure() == 0) return {};
  return ridge::environment_error("RIDGE-CLI-0004",
                                  std::string("standard output: ") + std::strerror(out.failure()))
      .hint(out.failure() == ENOSPC ? "free some space, or write elsewhere with --output FILE"
                                    : "write elsewhere with --output FILE");
}

std::atomic<bool> memory_ran_out{false};
std::terminate_handler abort_with_words = nullptr;

[[noreturn]] void no_memory() {
  memory_ran_out = true;
  throw std::bad_alloc();
}

/// std::filesystem and destructors of libraries cannot hand std::bad_alloc up: it ends the program
/// there, with the message that it would have reached.
[[noreturn]] void end_without_memory() {
  if (!memory_ran_out) abort_with_words();
  ridge::cli::DescriptorSink(STDERR_FILENO, 0).write(ridge::cli::kOutOfMemory);
  _exit(ridge::cli::kEnvironment);
}

int run(int argc, char** argv) {
  using namespace ridge;
  constexpr std::size_t kBuffer = std::size_t{64} << 10;
  cli::DescriptorSink out(STDOUT_FILENO, kBuffer), err(STDERR_FILENO, 0);
  cli::Console console{out, err, isatty(STDERR_FILENO) == 1};
  console.flush_out = [&out] { return flush(out); };
  console.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  winsize size = {};
  if (console.err_is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    console.columns = size.ws_col - 1U;

  int status =
      cli::run_program(std::vector<std::string>(argv + 1, argv + argc), cli::verbs(), console);
  const Result<void> flushed = flush(out);
  if (!flushed.ok() && status == cli::kDone) status = cli::report(console, flushed.error());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ridge;
  take_closed_descriptors();
  if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  if (argc > 1 && argv[1] == runtime::kTemplateArgument) return runtime::template_main();
  if (argc > 1 && argv[1] == sharing::kLoadArgument) return sharing::load_main();
  if (argc > 3 && argv[1] == lab::kBoundArgument) {
    if (!lab::bind_to_parent(argv[2], argv[3])) return cli::kEnvironment;
    argc -= 3;
    argv += 3;
  }
  cli::map_large_blocks();
  cli::install_signal_handlers();
  std::set_new_handler(no_memory);
  abort_with_words = std::set_terminate(end_without_memory);
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {  // before or after the verb
    cli::DescriptorSink(STDERR_FILENO, 0).write(cli::kOutOfMemory);
    return cli::kEnvironment;
  }
}
