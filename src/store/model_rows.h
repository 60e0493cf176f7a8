// SPDX-License-Identifier: Apache-2.0
// The nodes of a model, stored once for all runs with exactly the same nodes: a sweep of one model
// over threads or runtimes does not repeat them. Shapes and work are columns of the rows, so other
// sizes of the same graph are stored as other rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "store/database.h"

namespace ridge::store {

std::string content_of(const std::vector<profile::Node>& nodes);

/// Returns the model id of these nodes; writes them first where they are not in the store.
Result<std::int64_t> keep_model(const Database& db, const std::string& graph_hash,
                                const std::vector<profile::Node>& nodes);

/// Deletes the models that no run refers to any more.
Result<void> drop_unused_models(const Database& db);

}  // namespace ridge::store
