// SPDX-License-Identifier: Apache-2.0
// Test processes of suites with random values in every member, and stores to keep them in.
//
//   const profile::SuiteProcess p = filled_process(7, "a point");   // different for every seed
//
// Every struct is decomposed into all of its members, so this file does not compile until a member
// that is added later is filled here as well.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profile/suite.h"
#include "store/database.h"
#include "store/store.h"
#include "store/testing.h"

namespace ridge::store {

using profile::SuiteProcess;

inline void fill(Filler& filler, profile::BrickRun& run) {
  auto& [round, reported_ns, events, foreign_cpus] = run;
  filler.all(round, reported_ns, events, foreign_cpus);
}
inline void fill(Filler& filler, profile::ChainRun& run) {
  auto& [kernels, round, plain_ns, profiled_ns, reported_ns, foreign_cpus, bytes] = run;
  filler.all(kernels, round, plain_ns, profiled_ns, reported_ns, foreign_cpus, bytes);
}
inline void fill(Filler& filler, profile::LostBrick& brick) {
  auto& [key, why] = brick;
  filler.all(key, why);
}
inline void fill(Filler& filler, profile::SuiteBrick& brick);
template <typename Row>
void fill(Filler& filler, std::vector<Row>& rows) {
  std::uint32_t size = 0;
  filler.fill(size);
  rows.resize(size % 5);
  for (Row& row : rows) fill(filler, row);
}
inline void fill(Filler& filler, profile::SuiteBrick& brick) {
  auto& [key, kind, macs, bytes, load_ns, reuse_bytes, runs] = brick;
  filler.all(key, kind, macs, bytes, load_ns, reuse_bytes);
  fill(filler, runs);
}

inline SuiteProcess filled_process(std::uint64_t seed, const std::string& at) {
  Filler filler(seed);
  SuiteProcess out;
  auto& [point, recorded_s, load_s, run_s, bricks, chains, lost] = out;
  point = at;
  filler.all(recorded_s, load_s, run_s);
  fill(filler, bricks);
  fill(filler, chains);
  fill(filler, lost);
  return out;
}

/// Two bricks with two runs each, two runs of chains and two lost bricks.
inline SuiteProcess small_process() {
  SuiteProcess out = filled_process(1, "p");
  out.bricks = {{"k0", "conv", 10, 20, 30, true, {{0, 100, 1, 0.5}, {1, 110, 1, -1}}},
                {"k1", "gemm", 11, 21, 31, false, {{0, 200, 2, 0.25}, {1, 210, 2, 0}}}};
  out.chains = {{4, 0, 50, 60, 40, 0}, {32, 0, 300, 400, 320, -1}};
  out.lost = {{"k2", "it crashed"}, {"k3", "it was rejected"}};
  return out;
}

inline Store opened(const std::string& path, Access access = Access::kCreate) {
  Result<Store> store = Store::open(path, access);
  EXPECT_TRUE(store.ok()) << store.error().text();
  return std::move(*store);
}

inline std::vector<SuiteProcess> read_all(const Store& store, const std::string& point) {
  auto read = store.suites(point);
  EXPECT_TRUE(read.ok()) << read.error().text();
  return read.ok() ? std::move(*read) : std::vector<SuiteProcess>();
}

inline void run_sql(const std::string& path, const std::string& sql) {
  const auto db = Database::open(path, Access::kWrite, Nanos{0});
  ASSERT_TRUE(db.ok() && db->run(sql).ok()) << sql;
}

/// The first number that a query of the store file gives.
inline std::int64_t number(const std::string& path, const std::string& sql) {
  return Database::open(path, Access::kRead, Nanos{0})->number(sql).value();
}

}  // namespace ridge::store
