// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/queries.h"

#include <fmt/format.h>

#include <map>

#include "lab/serve/describe.h"
#include "manifest/registry.h"
#include "record/settings.h"
#include "runtime/paths.h"
#include "session/column_labels.h"
#include "store/run_filter.h"

namespace ridge::lab::serve {
namespace {

store::RunFilter filter_of(const ListQuery& query) {
  store::RunFilter out{.model = query.model,
                       .runtimes = {},
                       .threads = query.threads,
                       .host = query.host,
                       .since_s = query.since_s,
                       .before_s = query.before_s,
                       .experiment = query.experiment};
  if (query.runtime.empty()) return out;
  out.runtimes.push_back(query.runtime);
  if (const runtime::KnownRuntime* known = runtime::known_runtime(query.runtime))
    out.runtimes.emplace_back(known->title);
  return out;
}

}  // namespace

Result<void> read_query(const Request& request, const record::Type& type, void* out) {
  std::map<std::string, std::string> settings;
  for (const auto& [name, value] : request.target.query) {
    std::string& all = settings[name];
    all += all.empty() || value.empty() ? value : ',' + value;
  }
  for (const auto& [name, value] : settings)
    if (!value.empty()) TRY(record::set(type, out, name, value));
  return {};
}

Result<RunPage> runs_of(StorePool& stores, const ListQuery& query) {
  auto found = TRY(stores.with(
      [&](const store::Store& store) { return store.runs(filter_of(query), query.window); }));
  return RunPage{found.total, query.window.offset, std::move(found.rows)};
}

Result<EvaluationPage> evaluations_of(StorePool& stores, const ListQuery& query) {
  auto found = TRY(stores.with([&](const store::Store& store) {
    return store.evaluations(filter_of(query), query.window);
  }));
  return EvaluationPage{found.total, query.window.offset, std::move(found.rows)};
}

Result<Grid> grid_of(StorePool& stores, const GridQuery& query) {
  GridRequest request;
  request.rows = TRY(read_keys(query.rows, "rows"));
  request.columns = TRY(read_keys(query.columns, "columns"));
  request.base = query.base;
  return stores.with([&](const store::Store& store) { return read_grid(store, request); });
}

Result<HostPage> hosts_of(StorePool& stores) {
  return HostPage{TRY(stores.with([](const store::Store& store) { return store.hosts(); }))};
}

ModelPage models_of(const std::string& registry) {
  ModelPage out;
  if (registry.empty()) return out;
  for (const manifest::RegistryEntry& entry : manifest::Registry(registry).list().entries) {
    if (entry.kind != manifest::EntryKind::kModel) continue;
    ServedModel model{.model = entry.reference(), .sha256 = entry.digest()};
    for (const manifest::RegistryFile& file : entry.files) model.bytes += file.bytes;
    out.models.push_back(std::move(model));
  }
  return out;
}

Result<compare::Comparison> comparison_of(StorePool& stores, const CompareQuery& query) {
  if (query.runs.size() < 2)
    return input_error("RIDGE-SERVE-0019", "a comparison needs two runs or more")
        .hint("runs=1,2: the numbers of runs, the baseline first");
  session::CompareSources sources;
  std::vector<session::Column> columns;
  for (const std::int64_t id : query.runs) {
    auto profile = TRY(stores.with([&](const store::Store& store) { return store.read(id); }));
    sources.runs.push_back(fmt::format("run {}", id));
    columns.push_back({sources.runs.back(), compare::facts_of(profile), std::move(profile)});
  }
  return compare::compare_runs(TRY(session::label_columns(sources, std::move(columns))));
}

}  // namespace ridge::lab::serve
