// SPDX-License-Identifier: Apache-2.0
// Descriptions of the types of records.h.
#pragma once

#include "lab/serve/records.h"
#include "record/describe.h"
#include "store/describe_lists.h"

namespace ridge {

template <>
struct record::Describe<lab::serve::ListQuery> {
  using T = lab::serve::ListQuery;
  using W = store::Window;
  static constexpr std::string_view name = "list_query";
  static constexpr std::array fields{
      field<&T::model>("model", "a part of the model's path"),
      field<&T::runtime>("runtime", "as the run names it, or as --runtimes does"),
      field<&T::threads>("threads", "of the runtime; several are separated by commas"),
      field<&T::host>("host", "a part of the machine's name"),
      field<&T::experiment>("experiment", "number of the experiment that has the result's point",
                            between(1, std::int64_t{1} << 40)),
      field<&T::since_s>("since_s", "kept at this time or later, seconds since 1970 (UTC)"),
      field<&T::before_s>("before_s", "kept before this time, seconds since 1970 (UTC)"),
      field<&T::window, &W::limit>("limit", "rows at most (100)", between(1, 1000)),
      field<&T::window, &W::offset>("offset", "rows to skip (0)",
                                    between(0, std::int64_t{1} << 40))};
};

template <>
struct record::Describe<lab::serve::CompareQuery> {
  using T = lab::serve::CompareQuery;
  static constexpr std::string_view name = "compare_query";
  static constexpr std::array fields{field<&T::runs>(
      "runs", "numbers of 2 to 8 runs, separated by commas; the first is the baseline",
      min_items(2), max_items(8))};
};

template <>
struct record::Describe<lab::serve::GridQuery> {
  using T = lab::serve::GridQuery;
  static constexpr std::string_view name = "grid_query";
  static constexpr std::array fields{
      field<&T::rows>("rows",
                      "keys that make a row (model): model, host, runtime, version, precision, "
                      "batch, threads, sizes, scenario"),
      field<&T::columns>("columns", "keys that make a column (host)"),
      field<&T::base>("base", "name of the column that speed-ups refer to")};
};

template <>
struct record::Describe<lab::serve::RunPage> {
  using T = lab::serve::RunPage;
  static constexpr std::string_view schema = "ridge.run_page/1";
  static constexpr std::string_view text =
      "Runs of a store, newest first: `GET /api/v1/runs` of `ridge serve`.";
  static constexpr std::array fields{
      field<&T::total>("total", "runs that the filters let pass"),
      field<&T::offset>("offset", "of them, those that were skipped"),
      field<&T::runs>("runs", "newest first", item_lines())};
};

template <>
struct record::Describe<lab::serve::EvaluationPage> {
  using T = lab::serve::EvaluationPage;
  static constexpr std::string_view schema = "ridge.evaluation_page/1";
  static constexpr std::string_view text =
      "Evaluations of a store, newest first: `GET /api/v1/evaluations` of `ridge serve`.";
  static constexpr std::array fields{
      field<&T::total>("total", "evaluations that the filters let pass"),
      field<&T::offset>("offset", "of them, those that were skipped"),
      field<&T::evaluations>("evaluations", "newest first", item_lines())};
};

template <>
struct record::Describe<lab::serve::HostPage> {
  using T = lab::serve::HostPage;
  static constexpr std::string_view schema = "ridge.hosts/1";
  static constexpr std::string_view text =
      "Machines that a store has results of, with each of their runtimes and their last sign of "
      "life: `GET /api/v1/hosts` of `ridge serve`.";
  static constexpr std::array fields{
      field<&T::hosts>("hosts", "by name, runtime and version", item_lines())};
};

template <>
struct record::Describe<lab::serve::ServedModel> {
  using T = lab::serve::ServedModel;
  static constexpr std::array fields{
      field<&T::model>("model", "name and version, as requests take it"),
      field<&T::sha256>("sha256", "digest of the names and hashes of its files"),
      field<&T::bytes>("bytes", "of all its files")};
};

template <>
struct record::Describe<lab::serve::ModelPage> {
  using T = lab::serve::ModelPage;
  static constexpr std::string_view schema = "ridge.models/1";
  static constexpr std::string_view text =
      "Models of the registry: `GET /api/v1/models` of `ridge serve`.";
  static constexpr std::array fields{
      field<&T::models>("models", "by name and precedence of versions", item_lines())};
};

template <>
struct record::Describe<lab::serve::Job> {
  using T = lab::serve::Job;
  static constexpr std::string_view schema = "ridge.job/1";
  static constexpr std::string_view text =
      "A measurement that a client of `ridge serve --allow-run` started: `GET /api/v1/jobs/N`.";
  static constexpr std::array fields{
      field<&T::id>("job", "its number"),
      field<&T::verb>("verb", "eval or bench"),
      field<&T::request>("request", "as it was sent (ridge.request/1)"),
      field<&T::state>("state", "what it does"),
      field<&T::started_s>("started_s", "when it began, seconds since 1970 (UTC)"),
      field<&T::ended_s>("ended_s", "when it ended; null while it runs"),
      field<&T::status>("status", "exit status of the program; null while it runs"),
      field<&T::said>("said", "the last lines that it printed")};
};

template <>
struct record::Describe<lab::serve::JobPage> {
  using T = lab::serve::JobPage;
  static constexpr std::string_view schema = "ridge.jobs/1";
  static constexpr std::string_view text =
      "Measurements that clients started: `GET /api/v1/jobs` of `ridge serve`.";
  static constexpr std::array fields{field<&T::jobs>("jobs", "newest first", item_lines())};
};

template <>
struct record::Describe<lab::serve::ErrorDocument> {
  using T = lab::serve::ErrorDocument;
  static constexpr std::string_view schema = "ridge.error/1";
  static constexpr std::string_view text = "Why `ridge serve` did not do what it was asked.";
  static constexpr std::array fields{
      field<&T::code>("code", "RIDGE-AREA-NNNN, as docs/reference/messages.md lists them"),
      field<&T::message>("message", "what is wrong"),
      field<&T::where>("where", "the place of it; null without one", zero_is_null()),
      field<&T::evidence>("evidence", "what was found there; null without", zero_is_null()),
      field<&T::hint>("hint", "the next step; null without", zero_is_null())};
};

}  // namespace ridge
