// SPDX-License-Identifier: Apache-2.0
// What handlers read of a store, for the API and the pages alike. Thread rule: any thread.
#pragma once

#include <vector>

#include "base/result.h"
#include "compare/comparison.h"
#include "lab/grid/grid.h"
#include "lab/serve/exchange.h"
#include "lab/serve/records.h"
#include "lab/serve/stores.h"
#include "record/type.h"

namespace ridge::lab::serve {

/// Sets the members of a described type by the query of a request; a name that repeats is a list.
/// Errors: input class, as record/settings.h.
Result<void> read_query(const Request& request, const record::Type& type, void* out);

template <typename T>
Result<T> query_of(const Request& request) {
  T out;
  TRY(read_query(request, record::kType<T>, &out));
  return out;
}

Result<RunPage> runs_of(StorePool& stores, const ListQuery& query);
Result<EvaluationPage> evaluations_of(StorePool& stores, const ListQuery& query);
Result<Grid> grid_of(StorePool& stores, const GridQuery& query);
Result<HostPage> hosts_of(StorePool& stores);
/// Models of a registry; entries that are damaged are left out.
ModelPage models_of(const std::string& registry);
/// Errors: RIDGE-SERVE-0019 for fewer than two runs.
Result<compare::Comparison> comparison_of(StorePool& stores, const CompareQuery& query);

}  // namespace ridge::lab::serve
