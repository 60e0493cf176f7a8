// SPDX-License-Identifier: Apache-2.0
// ridge serve: shows a run database as pages and as an API.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ServeOptions {
  std::string store;
  std::string listen = "127.0.0.1";
  int port = 8080;
  std::vector<std::string> hosts;
  std::string token_file, registry, otlp;
  bool allow_run = false;
};

/// Serves until Ctrl-C or SIGTERM; prints the one-time addresses.
int serve(const ServeOptions& options, Console& console);

inline constexpr std::string_view kServeExamples =
    "ridge serve runs.db                             # http://127.0.0.1:8080; prints a one-time "
    "address\n"
    "ridge serve runs.db --port 0                    # at a port that is free\n"
    "ridge serve postgresql://?service=lab           # the runs of a server\n"
    "ridge serve runs.db --token-file token          # programs too: Authorization: Bearer "
    "TOKEN\n"
    "ridge serve runs.db --allow-run                 # and measures what the pages ask for\n"
    "ridge serve runs.db --allow-run --otlp http://127.0.0.1:4318   # and pushes their traces\n"
    "ssh -L 8080:localhost:8080 lab ridge serve r.db # from another machine\n";

Run setup_serve(Flags& flags);

}  // namespace ridge::cli
