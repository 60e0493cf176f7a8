#include "cli/roof_source.h"

#include <fmt/format.h>

#include "cli/cache_folder.h"
#include "cli/interrupt.h"
#include "machine/ceilings.h"

namespace ridge::cli {
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

}  // namespace

Result<MachineRoofs> machine_roofs(const machine::Host& host, const std::vector<int>& threads,
                                   bool refresh, Progress* progress, Console& console) {
  const machine::CeilingsOptions options{.threads = threads,
                                         .cache_folder = cache_folder(),
                                         .refresh = refresh,
                                         .progress = progress,
                                         .stop = Interruption::requested};
  const machine::Ceilings ceilings =
      TRY(machine::load_or_measure(host, machine::live_files(), options));
  if (progress) progress->hide();
  for (const std::string& note : ceilings.notes) warn(console, "", note);
  MachineRoofs out;
  for (const machine::Ceiling& c : ceilings.rows) out.rows.push_back(roof_of(c));
  for (const machine::HostCache& cache : host.caches)
    if (cache.type != "instruction")
      out.caches.push_back({fmt::format("L{}", cache.level), cache.bytes, cache.shared_by});
  return out;
}

}  // namespace ridge::cli
