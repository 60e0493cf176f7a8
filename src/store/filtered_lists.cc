// SPDX-License-Identifier: Apache-2.0
// Lists of a store of which the database reads the rows that are asked for, and no others.
#include <fmt/format.h>

#include <string>
#include <variant>
#include <vector>

#include "record/columns.h"
#include "store/describe_lists.h"
#include "store/rows.h"
#include "store/run_filter.h"
#include "store/store.h"

namespace ridge::store {
namespace {

/// A condition with its parameters, in order.
class Condition {
 public:
  /// `threads` and `host`: the columns of the table with these.
  Condition(const RunFilter& filter, std::string_view model, std::string_view threads,
            std::string_view host) {
    has_part(model, filter.model);
    has_part(host, filter.host);
    is_one_of("runtime", filter.runtimes);
    std::vector<std::string> numbers;
    for (const std::uint32_t n : filter.threads) numbers.push_back(fmt::format("{}", n));
    is_one_of(threads, numbers);
    if (filter.since_s) add("recorded_s >= ?", *filter.since_s);
    if (filter.before_s) add("recorded_s < ?", *filter.before_s);
    if (filter.experiment)
      add("point <> '' AND point IN (SELECT key FROM experiment_place WHERE experiment = ?)",
          *filter.experiment);
  }

  void is(std::string_view column, std::string_view text) {
    add(fmt::format("{} = ?", column), std::string(text));
  }

  /// "WHERE a AND b "; "" if everything passes.
  const std::string& sql() const { return sql_; }

  /// Binds the parameters and returns their number.
  int bind(Statement& statement) const {
    int at = 0;
    for (const Value& value : values_) {
      if (const auto* text = std::get_if<std::string>(&value))
        statement.bind(++at, std::string_view(*text));
      else
        statement.bind(++at, std::get<std::int64_t>(value));
    }
    return at;
  }

 private:
  using Value = std::variant<std::int64_t, std::string>;

  void term(std::string_view sql) {
    sql_ += fmt::format("{} {} ", sql_.empty() ? "WHERE" : "AND", sql);
  }
  void add(std::string_view sql, Value value) {
    term(sql);
    values_.push_back(std::move(value));
  }
  void has_part(std::string_view column, const std::string& part) {
    if (!part.empty()) add(fmt::format("instr({}, ?) > 0", column), part);
  }
  void is_one_of(std::string_view column, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    std::string marks;
    for (const std::string& text : texts) {
      marks += marks.empty() ? "?" : ", ?";
      values_.emplace_back(text);
    }
    term(fmt::format("{} IN ({})", column, marks));
  }

  std::string sql_;
  std::vector<Value> values_;
};

Result<std::int64_t> count_of(const Database& db, std::string_view table, const Condition& only) {
  Statement s = TRY(db.prepare(fmt::format("SELECT COUNT(*) FROM {} {}", table, only.sql())));
  only.bind(s);
  if (!TRY(s.step())) return db.damaged(fmt::format("table {} cannot be counted", table));
  return s.integer(0).value_or(0);
}

/// `columns` of the rows of a window, newest first. Rows are wide: those that a filter leaves out
/// are not read, only their entries in the index (schema.cc).
Result<Statement> select_window(const Database& db, std::string_view columns,
                                std::string_view table, const Condition& only,
                                const Window& window) {
  constexpr std::string_view kOrder = "ORDER BY id DESC LIMIT ? OFFSET ?";
  const std::string sql =
      only.sql().empty()
          ? fmt::format("SELECT {} FROM {} {}", columns, table, kOrder)
          : fmt::format(
                "SELECT {0} FROM {1} WHERE id IN (SELECT id FROM {1} INDEXED BY wide_{1} "
                "{2}{3}) ORDER BY id DESC",
                columns, table, only.sql(), kOrder);
  Statement s = TRY(db.prepare(sql));
  const int at = only.bind(s);
  s.bind(at + 1, window.limit);
  s.bind(at + 2, window.offset);
  return s;
}

}  // namespace

Result<Windowed<RunRow>> Store::runs(const RunFilter& filter, const Window& window) const {
  const Condition only(filter, "path", "thread_option", "machine");
  Windowed<RunRow> out{.total = TRY(count_of(db_, "run", only)), .rows = {}};
  Statement rows =
      TRY(select_window(db_, record::column_names(record::kType<RunRow>), "run", only, window));
  while (TRY(rows.step()))
    TRY(take_row(db_, "run", rows, 0, record::kType<RunRow>, &out.rows.emplace_back()));
  return out;
}

Result<Windowed<EvaluationRow>> Store::evaluations(const RunFilter& filter,
                                                   const Window& window) const {
  Condition only(filter, "model", "CAST(threads AS TEXT)", "host");
  only.is("kind", word(EvaluationKind::kEvaluation));
  Windowed<EvaluationRow> out{.total = TRY(count_of(db_, "evaluation", only)), .rows = {}};
  const record::Type& type = record::kType<EvaluationHead>;
  Statement rows = TRY(select_window(db_, fmt::format("id, {}", record::column_names(type)),
                                     "evaluation", only, window));
  while (TRY(rows.step())) {
    EvaluationHead head;
    TRY(take_row(db_, "evaluation", rows, 1, type, &head));
    out.rows.push_back({rows.integer(0).value_or(0), std::move(head)});
  }
  return out;
}

Result<std::vector<HostRow>> Store::hosts() const {
  Statement rows = TRY(db_.prepare(
      "SELECT machine, runtime, runtime_version, COUNT(CASE WHEN evaluated = 0 THEN 1 END), "
      "COUNT(CASE WHEN evaluated = 1 THEN 1 END), COUNT(DISTINCT path), MAX(recorded_s) FROM "
      "(SELECT machine, runtime, runtime_version, path, recorded_s, 0 AS evaluated FROM run "
      "UNION ALL SELECT host, runtime, runtime_version, model, recorded_s, "
      "CASE WHEN kind = 'evaluation' THEN 1 ELSE 2 END FROM evaluation) "
      "AS result GROUP BY machine, runtime, runtime_version "
      "ORDER BY machine, runtime, runtime_version"));
  std::vector<HostRow> out;
  while (TRY(rows.step()))
    TRY(take_row(db_, "run", rows, 0, record::kType<HostRow>, &out.emplace_back()));
  return out;
}

}  // namespace ridge::store
