// SPDX-License-Identifier: Apache-2.0
// Evaluations in a store.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/text.h"
#include "store/content.h"
#include "store/rows.h"
#include "store/store.h"

namespace ridge::store {
namespace {

using profile::EvaluationRecord;

/// Number of ids that a message lists.
constexpr std::size_t kNamedEvaluations = 12;

/// Digest of every member, by the columns of the table.
std::string evaluation_content(const EvaluationRecord& evaluation) {
  ContentDigest d;
  d.add_row(evaluation);
  return d.hex();
}

/// The error for an evaluation that is not there.
Result<void> missing(const Database& db, EvaluationId id) {
  std::vector<EvaluationId> ids;
  Statement all = TRY(db.prepare("SELECT id FROM evaluation ORDER BY id DESC"));
  while (ids.size() < kNamedEvaluations && TRY(all.step()))
    ids.push_back(all.integer(0).value_or(0));
  return input_error("RIDGE-STORE-0011", fmt::format("there is no evaluation {}", id))
      .evidence(ids.empty() ? std::string("it has no evaluations")
                            : fmt::format("its newest are {}", fmt::join(ids, ", ")))
      .hint("ridge runs list shows them")
      .in_file(db.path());
}

}  // namespace

Result<Appended> Store::append(const EvaluationRecord& evaluation) {
  const std::string content = evaluation_content(evaluation);
  return append_once(db_, "evaluation", content,
                     [&] { return write_with_content(db_, "evaluation", content, evaluation); });
}

Result<std::vector<EvaluationRow>> Store::evaluations() const {
  auto rows = TRY(RowReader<EvaluationHead>::make_all(db_, "evaluation", {"id"}));
  std::vector<EvaluationRow> out;
  while (TRY(rows.next())) out.push_back({rows.key(0), std::move(rows.row())});
  return out;
}

Result<EvaluationRecord> Store::evaluation(EvaluationId id) const {
  auto rows = TRY(RowReader<EvaluationRecord>::make(db_, "evaluation", {}, "id", id));
  if (!TRY(rows.next())) TRY(missing(db_, id));
  EvaluationRecord out = std::move(rows.row());
  Result<void> checked = check_content(db_, "evaluation", id, evaluation_content(out));
  if (!checked.ok())
    return std::move(checked).error().hint(fmt::format(
        "restore the file from a backup, or: ridge runs delete {} evaluation:{}", db_.path(), id));
  return out;
}

Result<void> Store::remove_evaluation(EvaluationId id) {
  return in_transaction(db_, Purpose::kRemove, [&]() -> Result<void> {
    Statement s = TRY(db_.prepare("DELETE FROM evaluation WHERE id = ? RETURNING id"));
    s.bind(1, id);
    if (!TRY(s.step())) return missing(db_, id);
    return {};
  });
}

Result<std::optional<EvaluationId>> Store::evaluation_of_point(std::string_view point) const {
  Statement s =
      TRY(db_.prepare("SELECT id FROM evaluation WHERE point = ? ORDER BY id DESC LIMIT 1"));
  s.bind(1, point);
  return first_id(std::move(s));
}

}  // namespace ridge::store
