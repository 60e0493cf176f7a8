// The nodes of a model, kept once for all runs that have exactly the same: a sweep of one model
// over threads or runtimes repeats none. Shapes and work stand in the rows, so other sizes of the
// same graph are other rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "store/database.h"

namespace ridge::store {

std::string content_of(const std::vector<profile::Node>& nodes);

/// The id of these nodes, written where they are not there yet.
Result<std::int64_t> keep_model(const Database& db, const std::string& graph_hash,
                                const std::vector<profile::Node>& nodes);

/// Removes models that no run has any more.
Result<void> drop_unused_models(const Database& db);

}  // namespace ridge::store
