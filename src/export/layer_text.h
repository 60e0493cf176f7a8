// What a profile knows of its layers and nodes, for people: what a claim rests on, times, roofs.
#pragma once

#include <cstdint>
#include <vector>

#include "export/facts.h"
#include "profile/profile.h"

namespace ridge::exports {

/// Runtime and latency, the title alone.
Facts run_facts(const profile::Profile& profile);
Facts layer_facts(const profile::Profile& profile, const profile::Layer& layer);
/// `node`: a place in Profile::nodes.
Facts profiled_node_facts(const profile::Profile& profile, std::uint32_t node);

/// Places in Profile::layers of those that a node is a member of, the one that executes it first.
std::vector<std::uint32_t> layers_of(const profile::Profile& profile, std::uint32_t node);

}  // namespace ridge::exports
