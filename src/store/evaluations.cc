// SPDX-License-Identifier: Apache-2.0
// Evaluations and generations in a store.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/text.h"
#include "store/content.h"
#include "store/errors.h"
#include "store/rows.h"
#include "store/store.h"

namespace ridge::store {
namespace {

using profile::EvaluationKind;
using profile::EvaluationRecord;

/// Number of ids that a message lists.
constexpr std::size_t kNamedEvaluations = 12;

/// Digest of every member, by the columns of the table.
std::string evaluation_content(const EvaluationRecord& evaluation) {
  ContentDigest d;
  d.add_row(evaluation);
  return d.hex();
}

/// Condition for rows of a kind. A word that is none is read as well, so that it is found.
std::string of_kind() {
  std::string known;
  for (const EvaluationKind kind : profile::kEvaluationKinds)
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", word(kind));
  return fmt::format("kind = ? OR kind NOT IN ({})", known);
}

/// The error for an evaluation that is not there.
Result<void> missing(const Database& db, EvaluationId id, EvaluationKind kind) {
  std::vector<EvaluationId> ids;
  Statement all = TRY(db.prepare("SELECT id FROM evaluation WHERE kind = ? ORDER BY id DESC"));
  all.bind(1, word(kind));
  while (ids.size() < kNamedEvaluations && TRY(all.step()))
    ids.push_back(all.integer(0).value_or(0));
  return input_error(kNoSuchEvaluation, fmt::format("there is no {} {}", word(kind), id))
      .evidence(ids.empty() ? fmt::format("it has no {}s", word(kind))
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

Result<std::vector<EvaluationRow>> Store::evaluations(EvaluationKind kind) const {
  auto rows =
      TRY(RowReader<EvaluationHead>::make_where(db_, "evaluation", {"id"}, of_kind(), word(kind)));
  std::vector<EvaluationRow> out;
  while (TRY(rows.next())) out.push_back({rows.key(0), std::move(rows.row())});
  return out;
}

Result<EvaluationRecord> Store::evaluation(EvaluationId id, EvaluationKind kind) const {
  auto rows = TRY(RowReader<EvaluationRecord>::make(db_, "evaluation", {}, "id", id));
  if (!TRY(rows.next()) || rows.row().kind != kind) TRY(missing(db_, id, kind));
  EvaluationRecord out = std::move(rows.row());
  Result<void> checked = check_content(db_, "evaluation", id, evaluation_content(out));
  if (!checked.ok())
    return std::move(checked).error().hint(
        fmt::format("restore the file from a backup, or: ridge runs delete {} {}:{}", db_.path(),
                    word(kind), id));
  return out;
}

Result<void> Store::remove_evaluation(EvaluationId id, EvaluationKind kind) {
  return in_transaction(db_, Purpose::kRemove, [&]() -> Result<void> {
    Statement s = TRY(db_.prepare("DELETE FROM evaluation WHERE id = ? AND kind = ? RETURNING id"));
    s.bind(1, id);
    s.bind(2, word(kind));
    if (!TRY(s.step())) return missing(db_, id, kind);
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
