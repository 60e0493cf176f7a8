// SPDX-License-Identifier: Apache-2.0
#include "session/run_source.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "import/import.h"
#include "profile/read.h"
#include "session/model_source.h"
#include "store/source.h"

namespace ridge::session {
namespace {

/// Size limit of a document; the profile of a large model with all its samples is smaller.
constexpr std::int64_t kLargestDocument = std::int64_t{256} << 20;

using profile::Profile;

Error no_runs(const store::Store& store) {
  return input_error("RIDGE-WB-0031", "the store has no runs")
      .hint("ridge profile MODEL --store FILE stores one")
      .in_file(store.path());
}

Result<std::vector<LoadedRun>> load_stored(const store::NamedRun& runs) {
  const store::Store store = TRY(store::Store::open(runs.database, store::Access::kRead));
  std::vector<LoadedRun> out;
  if (!runs.run.empty()) {
    const store::RunId id = TRY(run_number(store, runs.run));
    out.push_back({TRY(store.read(id)), id});
    return out;
  }
  for (const store::RunRow& row : TRY(store.list()))
    out.push_back({TRY(store.read(row.id)), row.id});
  if (out.empty()) return no_runs(store);
  return out;
}

/// Loads the runs of a document, or of a text recording of another program.
Result<std::vector<Profile>> load_document(const std::string& source) {
  if (source != "-" && imports::is_recorded_text(source)) {
    std::vector<Profile> out;
    out.push_back(TRY(imports::import_file(source, {})).profile);
    out.back().subject.path = source;
    return out;
  }
  const std::string text = source == "-" ? TRY(read_standard_input(kLargestDocument))
                                         : TRY(read_text_file(source, kLargestDocument));
  Result<std::vector<Profile>> profiles = profile::read_profiles(text);
  if (!profiles.ok())
    return std::move(profiles).error().in_file(source == "-" ? "standard input" : source);
  return profiles;
}

}  // namespace

bool is_run_source(const std::string& source) {
  if (is_model_name(source)) return false;
  return source == "-" || source.ends_with(".json") || store::named_run(source) ||
         imports::is_recorded_text(source);
}

Result<store::RunId> run_number(const store::Store& store, const std::string& run) {
  if (run == "last") {
    const auto last = TRY(store.last());
    return last ? Result<store::RunId>(*last) : no_runs(store);
  }
  if (const auto id = whole_number<store::RunId>(run); id && *id > 0) return *id;
  return usage_error("RIDGE-WB-0030", fmt::format("invalid run number '{}'", run))
      .hint(fmt::format("write {}:7, or {}:last", store.path(), store.path()));
}

Result<std::vector<LoadedRun>> load_runs(const std::string& source) {
  if (const auto stored = store::named_run(source)) return load_stored(*stored);
  std::vector<LoadedRun> out;
  for (Profile& p : TRY(load_document(source))) out.push_back({std::move(p)});
  return out;
}

Result<std::vector<profile::Profile>> load_profiles(const std::string& source) {
  std::vector<Profile> out;
  for (LoadedRun& run : TRY(load_runs(source))) out.push_back(std::move(run.profile));
  return out;
}

}  // namespace ridge::session
