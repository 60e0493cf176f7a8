// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/evaluations_list.h"

#include <fmt/format.h>

#include <cmath>

#include "base/date_text.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/numeral.h"
#include "base/text.h"
#include "cli/verbs/eval/tables.h"
#include "evaluation/record/document.h"

namespace ridge::cli {
namespace {

using exports::Align;
using store::EvaluationRow;

std::string row_rate_text(double per_s) { return std::isnan(per_s) ? "" : significant(per_s, 4); }

std::string difference_text(double share) {
  return std::isnan(share) ? "" : fmt::format("{:.2f} %", 100 * share);
}

/// An evaluation as it was read from its stored document.
constexpr Document<const evaluation::Evaluation&> kStoredEvaluationDocument = {
    .table =
        [](auto& e, Sink& sink) {
          if (e.load) sink.write(table_of(e, false).text());
          sink.write(rates_text(e));
        },
    .described = evaluation::write_evaluation,
    .csv = [](auto& e, Sink& sink) { kEvaluationDocument.csv(e, sink); },
    .md = [](auto& e, Sink& sink) { kEvaluationDocument.md(e, sink); }};

}  // namespace

exports::Table evaluations_table(const std::vector<EvaluationRow>& rows) {
  exports::Table t({{"evaluation", Align::kRight},
                    {"stored (UTC)"},
                    {"model", Align::kLeft, 40},
                    {"scenario"},
                    {"runtime", Align::kLeft, 32},
                    {"threads", Align::kRight},
                    {"queries/s", Align::kRight},
                    {"median", Align::kRight},
                    {"top-1", Align::kRight},
                    {"validity"},
                    {"host", Align::kLeft, 40}});
  for (const auto& [id, e] : rows)
    t.add({fmt::format("{}", id), date_text(e.recorded_s), e.model, e.scenario,
           fmt::format("{} {}", e.runtime, e.runtime_version), fmt::format("{}", e.threads),
           row_rate_text(e.queries_per_s.value),
           std::isnan(e.median_ns.value) ? "" : duration(e.median_ns.value),
           difference_text(e.top1.value), e.validity, e.host});
  return t;
}

Result<std::optional<store::EvaluationId>> evaluation_number(std::string_view name,
                                                             profile::EvaluationKind kind) {
  const std::string prefix = fmt::format("{}:", word(kind));
  if (!name.starts_with(prefix)) return std::optional<store::EvaluationId>();
  const auto id = whole_number<store::EvaluationId>(name.substr(prefix.size()));
  if (!id)
    return usage_error("RIDGE-CLI-0177", fmt::format("'{}' names no {}", name, word(kind)))
        .hint(fmt::format("write its number, as ridge runs list shows it: {}7", prefix));
  return id;
}

Result<void> show_evaluation(const store::Store& store, store::EvaluationId id,
                             std::string_view format, Sink& sink) {
  const std::string document = TRY(store.evaluation(id)).document;
  if (format == "json")
    JsonWriter(sink).raw(document);
  else
    kStoredEvaluationDocument.write(format, TRY(evaluation::read_evaluation(document)), sink);
  return {};
}

}  // namespace ridge::cli
