// What a profile knows of one node, in lines for a terminal: its layer, what the claim rests on,
// its time and its roof.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

/// `node`: index of `ridge analyze`. A node in several layers gets a block for each, the one that
/// executes it first.
void write_layer_text(const profile::Profile& profile, std::uint32_t node, Sink& sink);

}  // namespace ridge::exports
