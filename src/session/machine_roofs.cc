// SPDX-License-Identifier: Apache-2.0
#include "session/machine_roofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "base/checked.h"
#include "base/lines.h"
#include "machine/describe.h"
#include "machine/measured_roofs.h"
#include "machine/roofs_cache.h"
#include "record/json_read.h"

namespace ridge::session {

/// The host of a machine document as it stands there.
struct RecordedHost {
  record::Json host;
};

}  // namespace ridge::session

namespace ridge {

template <>
struct record::Describe<session::RecordedHost> {
  static constexpr std::array fields{
      field<&session::RecordedHost::host>("host", "the machine", or_default())};
};

}  // namespace ridge

namespace ridge::session {
namespace {

/// Sets the reach of caches: the largest over the numbers of threads.
void add_reach(const std::vector<machine::MeasuredRoof>& roofs,
               std::vector<roofline::Cache>& caches) {
  for (roofline::Cache& cache : caches)
    for (const machine::MeasuredRoof& roof : roofs)
      if (roof.level == cache.level)
        cache.reach = std::max(cache.reach, roof.reach / std::min(roof.threads, cache.instances));
}

/// Number of instances of a cache that `sharing` processors share. If the machine's number of
/// processors is unknown, INT32_MAX: one for every thread.
std::int32_t instances(std::int64_t processors, std::int64_t sharing) {
  if (processors < 1) return INT32_MAX;
  const std::int64_t each = std::max<std::int64_t>(sharing, 1);
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(ceil_div(processors, each), 1, INT32_MAX));
}

/// Data and unified caches of a host, with the reach of those where `roofs` have it.
std::vector<roofline::Cache> caches_of(const machine::Host& host,
                                       const std::vector<machine::MeasuredRoof>& roofs) {
  std::vector<roofline::Cache> out;
  for (const machine::HostCache& cache : host.caches)
    if (cache.type != "instruction")
      out.push_back({fmt::format("L{}", cache.level), cache.bytes,
                     instances(host.logical_cpus.value_or(0), cache.shared_by)});
  add_reach(roofs, out);
  return out;
}

Error no_machine(Error error, const std::string& path) {
  if (error.hint().empty())
    error = std::move(error).hint(
        "expected the output of 'ridge machine --format json' on the recorded machine");
  return std::move(error).in_file(path);
}

Result<MachineFile> machine_file(std::string_view text) {
  const record::JsonTree tree = TRY(record::JsonTree::parse(text, {}));
  machine::Document document;
  RecordedHost recorded;
  constexpr auto kProgram = record::Reading::Of::kProgram;
  TRY(record::read_tree(tree, record::kType<machine::Document>, &document, kProgram, {}));
  TRY(record::read_tree(tree, record::kType<RecordedHost>, &recorded, kProgram, {}));
  if (document.roofs.empty())
    return input_error("RIDGE-IMP-0009", "the machine document contains no roofs");
  MachineFile out;
  std::set<int> threads;
  out.roofs.rows.assign(document.roofs.begin(), document.roofs.end());
  for (const machine::Roof& roof : out.roofs.rows) threads.insert(roof.threads);
  out.threads.assign(threads.begin(), threads.end());
  out.roofs.caches = caches_of(document.host, document.roofs);
  out.host_json = std::move(recorded.host.text);
  return out;
}

}  // namespace

Result<MachineFile> read_machine_file(const std::string& path) {
  constexpr std::int64_t kLargest = std::int64_t{16} << 20;
  Result<MachineFile> file = machine_file(TRY(read_text_file(path, kLargest)));
  if (!file.ok()) return no_machine(std::move(file).error(), path);
  return file;
}

Result<MachineRoofs> machine_roofs(const Environment& environment, const std::vector<int>& threads,
                                   bool refresh) {
  const machine::RoofsOptions options{.threads = threads,
                                      .cache_folder = environment.cache_folder,
                                      .refresh = refresh,
                                      .progress = environment.progress,
                                      .stop = [&] { return environment.stopped(); }};
  const machine::Host& host = environment.host;
  const machine::MeasuredRoofs roofs =
      TRY(machine::load_or_measure(host, machine::live_files(), options));
  environment.hide_progress();
  for (const std::string& note : roofs.notes) environment.notices.warn("", note);
  MachineRoofs out;
  out.rows.assign(roofs.rows.begin(), roofs.rows.end());
  out.caches = caches_of(host, roofs.rows);
  return out;
}

roofline::Roofs roofs_of_run(const profile::Profile& run) {
  const auto host = record::read_json<machine::Host>(run.host_json);
  const auto threads = static_cast<std::int32_t>(run.subject.threads.value_or(1));
  return roofline::roofs_from(
      run.roofs, host.ok() ? caches_of(*host, {}) : std::vector<roofline::Cache>(), threads);
}

std::int64_t kept_cache_bytes(const Environment& environment) {
  const machine::Host& host = environment.host;
  std::optional<machine::MeasuredRoofs> kept;
  if (!environment.cache_folder.empty())
    kept = machine::load_cache(environment.cache_folder, machine::cache_key(host));
  std::int64_t most = 0;
  for (const roofline::Cache& cache :
       caches_of(host, kept ? kept->rows : std::vector<machine::MeasuredRoof>()))
    most = std::max(most, cache.reach > 0 ? std::min(cache.bytes, cache.reach) : cache.bytes);
  return most;
}

}  // namespace ridge::session
