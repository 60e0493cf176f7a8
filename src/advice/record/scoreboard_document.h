// The document ridge.advice_scoreboard/1 (data/schema/ridge.advice_scoreboard.1.json).
//
//   write_scoreboard(scoreboard(checks), version(), sink);
//
// Thread rule: pure.
#pragma once

#include <string_view>

#include "advice/record/scoreboard.h"
#include "base/sink.h"

namespace ridge::advice {

/// `ridge`: the version that writes the document (base/version.h).
void write_scoreboard(const Scoreboard& board, std::string_view ridge, Sink& sink);

}  // namespace ridge::advice
