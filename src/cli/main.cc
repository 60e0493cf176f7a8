// ridge: the program. Everything is in app.h; here are only the outputs and the signals.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/descriptor_sink.h"
#include "cli/interrupt.h"
#include "runtime/child.h"

int main(int argc, char** argv) {
  using namespace ridge;
  if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  cli::install_signal_handlers();
  constexpr std::size_t kBuffer = std::size_t{64} << 10;
  cli::DescriptorSink out(STDOUT_FILENO, kBuffer), err(STDERR_FILENO, 0);
  cli::Console console{out, err, isatty(STDERR_FILENO) == 1};
  winsize size = {};
  if (console.err_is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    console.columns = size.ws_col - 1U;

  int status =
      cli::run_program(std::vector<std::string>(argv + 1, argv + argc), cli::verbs(), console);
  out.flush();
  if (out.failure() != 0 && status == cli::kDone)
    status =
        cli::report(console, environment_error("RIDGE-CLI-0004", std::string("standard output: ") +
                                                                     std::strerror(out.failure()))
                                 .hint("free some space, or write elsewhere with --output FILE"));
  return status;
}
