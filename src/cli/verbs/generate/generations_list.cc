// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/generate/generations_list.h"

#include <fmt/format.h>

#include <cmath>

#include "base/date_text.h"
#include "base/json_writer.h"
#include "base/numeral.h"
#include "base/text.h"
#include "cli/verbs/generate/tables.h"
#include "generation/document.h"

namespace ridge::cli {
namespace {

using exports::Align;

std::string median_text(const stats::Estimate& ns) {
  return std::isnan(ns.value) ? "" : duration(ns.value);
}

}  // namespace

exports::Table generations_table(const std::vector<store::GenerationRow>& rows) {
  exports::Table t({{"generation", Align::kRight},
                    {"stored (UTC)"},
                    {"model", Align::kLeft, 40},
                    {"lengths"},
                    {"runtime", Align::kLeft, 32},
                    {"threads", Align::kRight},
                    {"tokens/s", Align::kRight},
                    {"first token", Align::kRight},
                    {"per token", Align::kRight},
                    {"validity"},
                    {"host", Align::kLeft, 40}});
  for (const store::GenerationRow& row : rows) {
    const profile::EvaluationRecord& g = row.record;
    const double rate = g.tokens_per_s.value;
    t.add({fmt::format("{}", row.id), date_text(g.recorded_s), g.model, g.scenario,
           fmt::format("{} {}", g.runtime, g.runtime_version), fmt::format("{}", g.threads),
           std::isnan(rate) ? "" : significant(rate, 4), median_text(g.first_token_ns),
           median_text(g.per_token_ns), g.validity, g.host});
  }
  return t;
}

Result<void> show_generation(const store::Store& store, store::EvaluationId id,
                             std::string_view format, Sink& sink) {
  const std::string document =
      TRY(store.evaluation(id, profile::EvaluationKind::kGeneration)).document;
  if (format == "json")
    JsonWriter(sink).raw(document);
  else
    kGenerationDocument.write(format, TRY(generation::read_generation(document)), sink);
  return {};
}

}  // namespace ridge::cli
