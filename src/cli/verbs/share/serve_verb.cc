// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/flags/duration.h"
#include "cli/flags/traffic_flags.h"
#include "cli/interrupt.h"
#include "cli/share_folder.h"
#include "cli/verbs/share/daemon_verbs.h"
#include "cli/verbs/share/policy_flag.h"
#include "sharing/run/daemon.h"
#include "sharing/run/file_loader.h"
#include "sharing/run/start_daemon.h"

namespace ridge::cli {
namespace {

struct ShareServeOptions {
  std::string memory = "4G", templates = "2G", policy = "gdsf", idle_exit;
  bool detach = false;
};

Result<sharing::DaemonOptions> daemon_options(const ShareServeOptions& options) {
  sharing::DaemonOptions out{.folder = share_folder(), .stop = Interruption::flag()};
  out.memory = Bytes{TRY(parse_bytes("--memory", options.memory))};
  out.templates = Bytes{TRY(parse_bytes("--templates", options.templates))};
  out.policy = TRY(parse_policy("--policy", options.policy));
  if (out.policy.kind == sharing::PolicyKind::kHistogram && out.policy.histogram.prewarm)
    return usage_error("RIDGE-CLI-0306",
                       "the daemon does not load models before they are asked for")
        .hint("--policy histogram keeps them for as long as their idle times say");
  if (!options.idle_exit.empty())
    out.idle_exit = Nanos{
        static_cast<std::int64_t>(TRY(parse_duration("--idle-exit", options.idle_exit)) * 1e9)};
  return out;
}

/// The command line of the daemon that --detach starts.
sharing::StartOptions detached(const ShareServeOptions& options) {
  sharing::StartOptions out{.program = "/proc/self/exe",
                            .folder = share_folder(),
                            .arguments = {"--memory", options.memory, "--templates",
                                          options.templates, "--policy", options.policy}};
  if (!options.idle_exit.empty())
    out.arguments.insert(out.arguments.end(), {"--idle-exit", options.idle_exit});
  return out;
}

Result<void> share_serve(const ShareServeOptions& options, Console& console) {
  sharing::DaemonOptions daemon = TRY(daemon_options(options));
  if (options.detach) return sharing::start_detached(detached(options));
  const Interruption interruption;
  const std::string folder = daemon.folder;
  sharing::FileLoader loader("/proc/self/exe");
  sharing::Daemon serving = TRY(sharing::Daemon::open(std::move(daemon), loader));
  console.out.write(fmt::format("serving in {}\n", printable(folder)));
  TRY(console.flush_out());
  return serving.serve();
}

}  // namespace

Run setup_share_serve(Flags& flags) {
  auto o = std::make_shared<ShareServeOptions>();
  flags.add("--memory", o->memory, "bytes that weights may take (4G)").shown_as("BYTES");
  flags.add("--templates", o->templates, "bytes that loaded processes may take (2G)")
      .shown_as("BYTES");
  flags
      .add("--policy", o->policy,
           "which model leaves when memory is short: never, fifo, lru, lfu, eager, ttl:10m, "
           "histogram, "
           "gdsf (gdsf)")
      .shown_as("POLICY");
  flags
      .add("--idle-exit", o->idle_exit,
           "end once no program was connected, and nothing pinned, for so long: 10m")
      .shown_as("DURATION");
  flags.add("--detach", o->detach, "serve in the background, and return once it does");
  return [o](Console& console) {
    const Result<void> done = share_serve(*o, console);
    return done.ok() ? static_cast<int>(kDone) : report(console, done.error());
  };
}

}  // namespace ridge::cli
