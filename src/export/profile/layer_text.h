// SPDX-License-Identifier: Apache-2.0
// Facts of a profile about its layers and nodes, for human readers: members with evidence, times,
// roofs.
#pragma once

#include <cstdint>
#include <vector>

#include "export/facts.h"
#include "profile/profile.h"

namespace ridge::exports {

/// Title with runtime and latency, without rows.
Facts run_facts(const profile::Profile& profile);
Facts layer_facts(const profile::Profile& profile, const profile::Layer& layer);
/// `node`: a position in Profile::nodes.
Facts profiled_node_facts(const profile::Profile& profile, std::uint32_t node);

/// Positions in Profile::layers of the layers with that member, those that execute it first.
std::vector<std::uint32_t> layers_of(const profile::Profile& profile, std::uint32_t node);

}  // namespace ridge::exports
