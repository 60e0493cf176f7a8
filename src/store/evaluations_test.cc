// SPDX-License-Identifier: Apache-2.0
// Evaluations in a store, and in a damaged one with the evidence of the error for each.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <functional>

#include "store/both_testing.h"
#include "store/suite_testing.h"

namespace ridge::store {
namespace {

using profile::EvaluationKind;
using profile::EvaluationRecord;

EvaluationRecord filled(std::uint64_t seed) {
  Filler filler(seed);
  EvaluationRecord out;
  auto& [kind, recorded_s, point, key, model, model_sha256, data, scenario, runtime,
         runtime_version, ridge_version, threads, host, queries, failed_queries, queries_per_s,
         median_ns, p99_ns, top1, tokens_per_s, first_token_ns, per_token_ns, validity, document] =
      out;
  filler.all(recorded_s, point, key, model, model_sha256, data, scenario, runtime, runtime_version,
             ridge_version, threads, host, queries, failed_queries, queries_per_s, median_ns,
             p99_ns, top1, tokens_per_s, first_token_ns, per_token_ns, validity, document);
  constexpr stats::Estimate kNone{.value = EvaluationRecord::kNone};
  if (seed % 3 == 0) queries_per_s = median_ns = kNone;
  if (seed % 3 == 1) top1 = kNone;
  if (seed % 3 == 2) tokens_per_s = first_token_ns = per_token_ns = kNone;
  return out;
}

EvaluationRecord of_tokens(std::uint64_t seed) {
  EvaluationRecord out = filled(seed);
  out.kind = EvaluationKind::kGeneration;
  return out;
}

std::string estimate_text(const stats::Estimate& e) {
  return fmt::format("{} {} {}", e.value, e.low(), e.high());
}

/// Entire content as text, in which NaN equals NaN.
std::string evaluation_text(const EvaluationRecord& e) {
  return fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", word(e.kind),
      e.recorded_s, e.point, e.key, e.model, e.model_sha256, e.data, e.scenario, e.runtime,
      e.runtime_version, e.ridge_version, e.threads, e.host, e.queries.value_or(-1),
      e.failed_queries.value_or(-1), estimate_text(e.queries_per_s), estimate_text(e.median_ns),
      e.p99_ns, estimate_text(e.top1), estimate_text(e.tokens_per_s),
      estimate_text(e.first_token_ns), estimate_text(e.per_token_ns), e.validity, e.document);
}

class EvaluationsOnBoth : public OnBoth {};
INSTANTIATE_TEST_SUITE_P(Kinds, EvaluationsOnBoth, kKinds, kind_name);

TEST_P(EvaluationsOnBoth, GiveBackEveryMemberInTheOrderInWhichTheyCame) {
  Store store = opened(database("runs.db"));
  EXPECT_TRUE(store.evaluations()->empty());
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Appended kept = store.append(filled(seed)).value();
    EXPECT_TRUE(kept.added);
    EXPECT_EQ(evaluation_text(store.evaluation(kept.id).value()), evaluation_text(filled(seed)));
  }
  const std::vector<EvaluationRow> rows = store.evaluations().value();
  ASSERT_EQ(rows.size(), 100U);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EvaluationRecord head = filled(seed);
    head.document.clear();
    EXPECT_EQ(evaluation_text(rows[seed].record), evaluation_text(head));
    EXPECT_EQ(rows[seed].id, static_cast<std::int64_t>(seed) + 1);
  }
}

TEST_P(EvaluationsOnBoth, AreFoundByTheirPointTheNewestFirst) {
  Store store = opened(database("runs.db"));
  EXPECT_EQ(store.evaluation_of_point("p").value(), std::nullopt);
  for (const auto& [point, at] : {std::pair("p", 1), {"q", 2}, {"p", 3}, {"", 4}}) {
    EvaluationRecord e = filled(9);
    e.point = point;
    e.recorded_s = at;
    ASSERT_TRUE(store.append(e).ok());
  }
  EXPECT_EQ(store.evaluation_of_point("p").value(), 3);
  EXPECT_EQ(store.evaluation_of_point("q").value(), 2);
  EXPECT_EQ(store.evaluation_of_point("pq").value(), std::nullopt);
  ASSERT_TRUE(store.remove_evaluation(3).ok());
  EXPECT_EQ(store.evaluation_of_point("p").value(), 1);
}

TEST_P(EvaluationsOnBoth, AreKnownByEveryMemberOfTheirContent) {
  const std::vector<std::function<void(EvaluationRecord&)>> kChanges = {
      [](auto& e) { e.kind = EvaluationKind::kGeneration; },
      [](auto& e) { e.tokens_per_s.value = 7; },
      [](auto& e) { e.first_token_ns.value = 7; },
      [](auto& e) { e.per_token_ns.value = 7; },
      [](auto& e) { ++e.recorded_s; },
      [](auto& e) { e.point += "x"; },
      [](auto& e) { e.key += "x"; },
      [](auto& e) { e.model += "x"; },
      [](auto& e) { e.model_sha256 += "x"; },
      [](auto& e) { e.data += "x"; },
      [](auto& e) { e.scenario += "x"; },
      [](auto& e) { e.runtime += "x"; },
      [](auto& e) { e.runtime_version += "x"; },
      [](auto& e) { e.ridge_version += "x"; },
      [](auto& e) { ++e.threads; },
      [](auto& e) { e.host += "x"; },
      [](auto& e) { e.queries_per_s.value = 7; },
      [](auto& e) { e.median_ns.value = 7; },
      [](auto& e) { e.top1.value = 7; },
      [](auto& e) { e.queries = 7; },
      [](auto& e) { e.failed_queries = 7; },
      [](auto& e) { e.p99_ns = 7; },
      [](auto& e) {
        e.top1.interval = {{1, 2}};
      },
      [](auto& e) {
        e.queries_per_s.interval = {{1, 2}};
      },
      [](auto& e) {
        e.median_ns.interval = {{1, 2}};
      },
      [](auto& e) { e.validity += "x"; },
      [](auto& e) { e.document += "x"; }};
  Store store = opened(database("runs.db"));
  const EvaluationId id = store.append(EvaluationRecord{})->id;
  for (const auto& change : kChanges) {
    EvaluationRecord changed;
    change(changed);
    EXPECT_TRUE(store.append(changed)->added);
    EXPECT_FALSE(store.append(changed)->added);
  }
  EXPECT_EQ(store.append(EvaluationRecord{})->id, id);
}

TEST_P(EvaluationsOnBoth, AreMergedOnce) {
  Store a = opened(database("a.db"));
  {
    Store b = opened(database("b.db"));
    for (const std::uint64_t seed : {1UL, 2UL}) ASSERT_TRUE(a.append(filled(seed)).ok());
    for (const std::uint64_t seed : {2UL, 3UL, 4UL}) ASSERT_TRUE(b.append(filled(seed)).ok());
  }
  const Store b = opened(database("b.db"), Access::kRead);
  EXPECT_EQ(a.merge(b)->evaluations, 2);
  EXPECT_EQ(a.merge(b)->evaluations, 0);
  EXPECT_EQ(evaluation_text(a.evaluation(4).value()), evaluation_text(filled(4)));
  EXPECT_EQ(a.evaluations()->size(), 4U);
}

TEST_P(EvaluationsOnBoth, GenerationsAreListedApart) {
  Store store = opened(database("runs.db"));
  ASSERT_EQ(store.append(filled(1))->id, 1);
  ASSERT_EQ(store.append(of_tokens(1))->id, 2);
  ASSERT_EQ(store.append(of_tokens(2))->id, 3);
  ASSERT_EQ(store.evaluations()->size(), 1U);
  const auto generations = store.evaluations(EvaluationKind::kGeneration).value();
  ASSERT_EQ(generations.size(), 2U);
  EXPECT_EQ(generations[0].id, 2);
  EvaluationRecord head = of_tokens(2);
  head.document.clear();
  EXPECT_EQ(evaluation_text(generations[1].record), evaluation_text(head));
  EXPECT_EQ(evaluation_text(store.evaluation(3, EvaluationKind::kGeneration).value()),
            evaluation_text(of_tokens(2)));
}

TEST_P(EvaluationsOnBoth, ANumberIsOfOneKind) {
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(filled(1)).ok());
  ASSERT_TRUE(store.append(of_tokens(1)).ok());
  EXPECT_EQ(store.evaluation(2).error().message(), "there is no evaluation 2");
  EXPECT_EQ(store.evaluation(2).error().evidence(), "its newest are 1");
  const auto other = store.evaluation(1, EvaluationKind::kGeneration);
  EXPECT_EQ(other.error().message(), "there is no generation 1");
  EXPECT_EQ(other.error().evidence(), "its newest are 2");
  EXPECT_EQ(store.remove_evaluation(2).error().code(), "RIDGE-STORE-0011");
  ASSERT_TRUE(store.remove_evaluation(2, EvaluationKind::kGeneration).ok());
  EXPECT_TRUE(store.evaluations(EvaluationKind::kGeneration)->empty());
  EXPECT_EQ(store.evaluations()->size(), 1U);
}

TEST_P(EvaluationsOnBoth, GenerationsAreMergedOnce) {
  Store a = opened(database("a.db")), b = opened(database("b.db"));
  ASSERT_TRUE(a.append(of_tokens(1)).ok());
  for (const std::uint64_t seed : {1UL, 2UL}) ASSERT_TRUE(b.append(of_tokens(seed)).ok());
  ASSERT_TRUE(b.append(filled(4)).ok());
  const Merged merged = a.merge(b).value();
  EXPECT_EQ(merged.generations, 1);
  EXPECT_EQ(merged.evaluations, 1);
  EXPECT_EQ(a.merge(b)->generations, 0);
  EXPECT_EQ(a.evaluations(EvaluationKind::kGeneration)->size(), 2U);
}

TEST_P(EvaluationsOnBoth, AGenerationIsNoRowOfTheViewOfEvaluations) {
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(EvaluationRecord{.model = "m.onnx"}).ok());
  ASSERT_TRUE(
      store.append(EvaluationRecord{.kind = EvaluationKind::kGeneration, .model = "m.onnx"}).ok());
  const auto view = std::ranges::find(views(), std::string_view("evaluations"), &View::name);
  StringSink csv;
  const Result<void> written = store.write_csv(*view, csv);
  ASSERT_TRUE(written.ok()) << written.error().text();
  EXPECT_EQ(std::ranges::count(csv.text(), '\n'), 2);  // the header and the evaluation
}

TEST_P(EvaluationsOnBoth, AKilledWriterLeavesWholeOnes) {
  const std::string path = database("runs.db");
  opened(path);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto big = [](std::int64_t i) {
    EvaluationRecord out = filled(5);
    out.recorded_s = i;
    out.document.assign(1 << 20, static_cast<char>('a' + i % 26));
    return out;
  };
  const pid_t child = fork();
  if (child == 0) {
    Result<Store> store = Store::open(path, Access::kWrite);
    for (std::int64_t i = 0; store.ok(); ++i)
      if (!store->append(big(i)).ok() || ::write(ends[1], "k", 1) != 1) break;
    _exit(1);
  }
  ASSERT_GT(child, 0);  // kill(-1) would signal every process
  close(ends[1]);
  char mark = 0;
  std::int64_t told = 0;
  for (int i = 0; i < 3; ++i) told += read(ends[0], &mark, 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (read(ends[0], &mark, 1) == 1) ++told;
  close(ends[0]);
  const Store store = opened(path);
  const std::vector<EvaluationRow> kept = store.evaluations().value();
  EXPECT_GE(std::ssize(kept), told);  // the last one may be stored but not reported
  EXPECT_LE(std::ssize(kept), told + 1);
  for (std::int64_t i = 0; i < std::ssize(kept); ++i)
    EXPECT_EQ(evaluation_text(store.evaluation(i + 1).value()), evaluation_text(big(i)));
}

TEST(BadEvaluations, HoldWhatNoEvaluationHas) {
  for (const char* column :
       {"recorded_s", "point", "key", "model", "model_sha256", "data", "scenario", "runtime",
        "runtime_version", "ridge_version", "threads", "host", "queries_per_s", "median_ns", "top1",
        "validity", "document"}) {
    const Folder folder;
    const std::string path = folder.file("runs.db");
    ASSERT_TRUE(opened(path).append(filled(2)).ok());
    run_sql(path, fmt::format("UPDATE evaluation SET {} = x'00'", column));
    Store store = opened(path, Access::kWrite);
    const auto read = store.evaluation(1);
    ASSERT_FALSE(read.ok()) << column;
    EXPECT_TRUE(
        read.error().evidence().starts_with(fmt::format("table evaluation: column {}: ", column)))
        << read.error().evidence();
    EXPECT_EQ(read.error().code(), "RIDGE-STORE-0004");
    EXPECT_EQ(store.evaluations().ok(), std::string(column) == "document");
    EXPECT_FALSE(opened(folder.file("other.db")).merge(store).ok());
  }
}

TEST(BadEvaluations, AreOfNoKind) {
  const Folder folder;
  const std::string path = folder.file("runs.db");
  ASSERT_TRUE(opened(path).append(filled(2)).ok());
  run_sql(path, "UPDATE evaluation SET kind = 'sonata'");
  const Store store = opened(path, Access::kWrite);
  for (const EvaluationKind kind : {EvaluationKind::kEvaluation, EvaluationKind::kGeneration}) {
    EXPECT_EQ(store.evaluations(kind).error().code(), "RIDGE-STORE-0004");
    EXPECT_EQ(store.evaluation(1, kind).error().code(), "RIDGE-STORE-0004");
  }
  EXPECT_FALSE(opened(folder.file("other.db")).merge(store).ok());
}

TEST(BadEvaluations, AreNotThere) {
  const Folder folder;
  Store store = opened(folder.file("runs.db"));
  EXPECT_EQ(store.evaluation(7).error().message(), "there is no evaluation 7");
  EXPECT_EQ(store.evaluation(7).error().evidence(), "it has no evaluations");
  for (const std::uint64_t seed : {1UL, 2UL}) ASSERT_TRUE(store.append(filled(seed)).ok());
  const auto removed = store.remove_evaluation(7);
  ASSERT_FALSE(removed.ok());
  EXPECT_EQ(removed.error().evidence(), "its newest are 2, 1");
  EXPECT_EQ(removed.error().hint(), "ridge runs list shows them");
  EXPECT_EQ(removed.error().code(), "RIDGE-STORE-0011");
}

}  // namespace
}  // namespace ridge::store
