// SPDX-License-Identifier: Apache-2.0
// ridge submit: hands out the points of requests to machines. ridge agent: measures them there.
#pragma once

#include <string_view>

#include "cli/verb.h"

namespace ridge::cli {

inline constexpr std::string_view kSubmitExamples =
    "ridge submit matrix.toml --on lab.toml             # every point on every machine that fits\n"
    "ridge submit matrix.toml --on lab.toml --dry-run   # who gets what, and why\n"
    "ridge submit matrix.toml --on lab.toml --hosts any # each point once, wherever a machine is "
    "free\n"
    "ridge submit matrix.toml --on lab.toml --need avx512_vnni,memory=8GiB,tag=rack-3\n"
    "ridge submit matrix.toml --on lab.toml --store postgresql://?service=lab\n";
inline constexpr std::string_view kAgentExamples =
    "ssh -o BatchMode=yes b2 ridge agent                # what ridge submit runs; it speaks a "
    "protocol\n";

Run setup_submit(Flags& flags);
Run setup_agent(Flags& flags);

}  // namespace ridge::cli
