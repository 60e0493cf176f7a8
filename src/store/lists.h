// SPDX-License-Identifier: Apache-2.0
// The lists of a profile whose tables are keyed by run and position alone; maps become rows. Their
// tables are made of the same list (store/schema.cc).
//
//   TRY(for_each_list(profile, [&](std::string_view table, const auto& rows) -> Result<void> ...));
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/options.h"
#include "store/describe.h"

namespace ridge::store {

template <typename F>
Result<void> for_each_list(const profile::Profile& p, F&& f) {
  std::vector<Opset> opsets;
  for (const auto& [domain, version] : p.subject.opsets) opsets.push_back({domain, version});
  std::vector<BindingRow> bindings;
  for (const auto& [name, b] : p.subject.bindings) bindings.push_back({name, b});
  std::vector<OptionRow> options;
  for (const auto& [name, value] : profile::all_options(p.subject))
    options.push_back({name, value});
  std::vector<NoteRow> notes;
  for (const std::string& note : p.notes) notes.push_back({note});
  TRY(f("opset", opsets));
  TRY(f("binding", bindings));
  TRY(f("run_option", options));
  TRY(f("process", p.latency.processes));
  TRY(f("layer", p.layers));
  TRY(f("without_layer", p.without_layer));
  TRY(f("module", p.modules));
  TRY(f("roof", p.roofs));
  TRY(f("reference", p.reference));
  TRY(f("level_cost", p.levels.costs));
  TRY(f("thread_work", p.levels.threads));
  TRY(f("counter", p.levels.counters));
  TRY(f("verified_cut", p.verification.cuts));
  TRY(f("note", notes));
  return {};
}

}  // namespace ridge::store
