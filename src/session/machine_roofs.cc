#include "session/machine_roofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/checked.h"
#include "base/lines.h"
#include "machine/ceilings.h"
#include "machine/ceilings_cache.h"
#include "machine/ceilings_json.h"

namespace ridge::session {
namespace {

profile::Roof roof_of(const machine::Ceiling& c) {
  return {.kind = c.kind,
          .dtype = c.dtype,
          .level = c.level,
          .unit = c.unit,
          .instruction = c.instruction,
          .threads = c.threads,
          .value = c.value,
          .low = c.ci.lo,
          .high = c.ci.hi,
          .theory = c.theory};
}

/// Sets the reach of caches: the largest over the numbers of threads.
void add_reach(const std::vector<machine::Ceiling>& ceilings,
               std::vector<roofline::Cache>& caches) {
  for (roofline::Cache& cache : caches)
    for (const machine::Ceiling& c : ceilings)
      if (c.level == cache.level)
        cache.reach = std::max(cache.reach, c.reach / std::min(c.threads, cache.instances));
}

std::int64_t integer(const nlohmann::json& object, const char* key) {
  const auto at = object.find(key);
  const bool fits = at != object.end() && at->is_number_integer() &&
                    (!at->is_number_unsigned() || at->get<std::uint64_t>() <= INT64_MAX);
  return fits ? at->get<std::int64_t>() : 0;
}

/// Number of instances of a cache that `sharing` processors share. If the machine's number of
/// processors is unknown, INT32_MAX: one for every thread.
std::int32_t instances(std::int64_t processors, std::int64_t sharing) {
  if (processors < 1) return INT32_MAX;
  const std::int64_t each = std::max<std::int64_t>(sharing, 1);
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(ceil_div(processors, each), 1, INT32_MAX));
}

/// Data and unified caches of a host, with the reach of those where `ceilings` have it.
std::vector<roofline::Cache> caches_of(const machine::Host& host,
                                       const std::vector<machine::Ceiling>& ceilings) {
  std::vector<roofline::Cache> out;
  for (const machine::HostCache& cache : host.caches)
    if (cache.type != "instruction")
      out.push_back({fmt::format("L{}", cache.level), cache.bytes,
                     instances(host.logical_cpus.value_or(0), cache.shared_by)});
  add_reach(ceilings, out);
  return out;
}

/// Data and unified caches of a document's host.
std::vector<roofline::Cache> caches_of(const nlohmann::json& host) {
  std::vector<roofline::Cache> out;
  const auto caches = host.find("caches");
  if (caches == host.end() || !caches->is_array()) return out;
  const std::int64_t processors = integer(host, "logical_cpus");
  for (const nlohmann::json& cache : *caches) {
    if (!cache.is_object() || cache.value("type", nlohmann::json()) == "instruction") continue;
    out.push_back({fmt::format("L{}", integer(cache, "level")), integer(cache, "bytes"),
                   instances(processors, integer(cache, "shared_by"))});
  }
  return out;
}

Error no_machine(const std::string& path, std::string what) {
  return input_error("RIDGE-IMP-0009", std::move(what))
      .hint("expected the output of 'ridge machine --format json' on the recorded machine")
      .in_file(path);
}

}  // namespace

Result<MachineFile> read_machine_file(const std::string& path) {
  constexpr std::int64_t kLargest = std::int64_t{16} << 20;
  const std::string text = TRY(read_text_file(path, kLargest));
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  const auto of = [&](const char* key) {
    const auto at = document.find(key);
    return at == document.end() ? nlohmann::json() : *at;
  };
  if (!document.is_object() || of("schema") != "ridge.machine/1")
    return no_machine(path, "the file is not a machine document (ridge.machine/1)");
  MachineFile out;
  std::set<int> threads;
  const std::vector<machine::Ceiling> ceilings = machine::ceilings_from(of("ceilings"));
  for (const machine::Ceiling& c : ceilings) {
    out.roofs.rows.push_back(roof_of(c));
    threads.insert(c.threads);
  }
  if (out.roofs.rows.empty()) return no_machine(path, "the machine document contains no roofs");
  out.threads.assign(threads.begin(), threads.end());
  if (const nlohmann::json host = of("host"); host.is_object()) {
    out.roofs.caches = caches_of(host);
    add_reach(ceilings, out.roofs.caches);
    out.host_json = host.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  return out;
}

Result<MachineRoofs> machine_roofs(const Environment& environment, const std::vector<int>& threads,
                                   bool refresh) {
  const machine::CeilingsOptions options{.threads = threads,
                                         .cache_folder = environment.cache_folder,
                                         .refresh = refresh,
                                         .progress = environment.progress,
                                         .stop = [&] { return environment.stopped(); }};
  const machine::Host& host = environment.host;
  const machine::Ceilings ceilings =
      TRY(machine::load_or_measure(host, machine::live_files(), options));
  environment.hide_progress();
  for (const std::string& note : ceilings.notes) environment.notices.warn("", note);
  MachineRoofs out;
  for (const machine::Ceiling& c : ceilings.rows) out.rows.push_back(roof_of(c));
  out.caches = caches_of(host, ceilings.rows);
  return out;
}

std::int64_t kept_cache_bytes(const Environment& environment) {
  const machine::Host& host = environment.host;
  std::optional<machine::Ceilings> kept;
  if (!environment.cache_folder.empty())
    kept = machine::load_cache(environment.cache_folder, machine::cache_key(host));
  std::int64_t most = 0;
  for (const roofline::Cache& cache :
       caches_of(host, kept ? kept->rows : std::vector<machine::Ceiling>()))
    most = std::max(most, cache.reach > 0 ? std::min(cache.bytes, cache.reach) : cache.bytes);
  return most;
}

}  // namespace ridge::session
