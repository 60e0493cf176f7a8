// SPDX-License-Identifier: Apache-2.0
// ridge share: models that are loaded once and ready in every process. A verb of two words for
// each action: its examples and its setup here, its file beside this one.
#pragma once

#include <string_view>

#include "cli/verb.h"

namespace ridge::cli {

inline constexpr std::string_view kShareReplayExamples =
    "ridge share replay --generate zipf --memory 1G,2G,4G       # hits and cold starts by policy\n"
    "ridge share replay --generate pareto:1 --clients 1,2,4,8 --share 10%,50%,100%\n"
    "                                                           # clients by share of the models\n"
    "ridge share replay --generate zipf --arrivals days --policies lru,gdsf,ttl:10m,histogram\n"
    "ridge share replay invocations_per_function_md.anon.d01.csv --share 2% --memory 4G\n"
    "                                                           # a day of Azure Functions\n"
    "ridge share replay --generate zipf --costs costs.toml --report policies.html\n";

Run setup_share_replay(Flags& flags);

}  // namespace ridge::cli
