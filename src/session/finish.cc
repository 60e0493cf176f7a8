// SPDX-License-Identifier: Apache-2.0
#include "session/finish.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "roofline/place.h"

namespace ridge::session {

Result<const MachineRoofs*> RoofSource::get() {
  if (!roofs_.rows.empty()) return &std::as_const(roofs_);
  const Nanos before = steady_clock().now();
  roofs_ = TRY(machine_roofs(*environment_, threads_, refresh_));
  took_ = steady_clock().now() - before;
  return &std::as_const(roofs_);
}

profile::Profile finish_without_roofs(profile::Profile p, const Environment& environment) {
  p.host_json = machine::host_json(environment.host);
  return p;
}

Finished finish(profile::Profile measured, RoofSource& source) {
  Finished out{finish_without_roofs(std::move(measured), source.environment()), {}};
  Result<const MachineRoofs*> roofs = source.get();
  if (!roofs.ok()) {
    out.roof_error = std::move(roofs).error();
    return out;
  }
  const std::int32_t threads = out.profile.subject.threads.value_or(0);
  for (const machine::Roof& row : (*roofs)->rows)
    if (row.threads == threads) out.profile.roofs.push_back(row);
  roofline::place(out.profile, (*roofs)->at(threads));
  return out;
}

Result<FinishedImport> finish_import(profile::Profile p, const std::string& machine, int threads) {
  FinishedImport out;
  if (machine.empty()) {
    if (threads != 0)
      return usage_error("RIDGE-IMP-0012", "--threads selects roofs and requires --machine")
          .hint("add --machine FILE");
  } else {
    MachineFile file = TRY(read_machine_file(machine));
    if (threads == 0) threads = file.threads.back();
    if (std::ranges::find(file.threads, threads) == file.threads.end())
      return usage_error("RIDGE-IMP-0012",
                         fmt::format("{} has no roofs for {}", machine, counted(threads, "thread")))
          .evidence(fmt::format("thread counts with roofs: {}", fmt::join(file.threads, ", ")))
          .hint("select one with --threads");
    p.host_json = std::move(file.host_json);
    p.notes.push_back(
        fmt::format("roofs are those of {} for {}", machine, counted(threads, "thread")));
    out.roofs = file.roofs.at(threads);
  }
  roofline::place(p, out.roofs);
  out.profile = std::move(p);
  return out;
}

}  // namespace ridge::session
