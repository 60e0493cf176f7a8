// SPDX-License-Identifier: Apache-2.0
// 16 programs append 50 runs each to one run database at once. The PostgreSQL server is killed
// (SIGKILL) and started again twice meanwhile. Prints what was there at the end: each run once and
// whole, or what was not.
//
//   build/bench/ridge_store_writers server 7       # seed of the moments of the kills
//   build/bench/ridge_store_writers file
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "store/postgres/testing.h"
#include "store/run_rows.h"
#include "store/store.h"
#include "store/testing.h"

namespace ridge::bench {
namespace {

using store::Access;
using store::Store;
using store::postgres::TestServer;

constexpr int kWriters = 16, kRuns = 50, kKills = 2;
constexpr Nanos kPatience{60'000'000'000};

/// A run as large as resnet50's with 1,000 samples.
profile::Profile run_of(int writer, int number) {
  const std::int64_t seed = std::int64_t{1000} * writer + number;
  profile::Profile p = store::filled_profile(static_cast<std::uint64_t>(seed));
  p.latency.processes.push_back({std::vector<std::int64_t>(1000, seed), 0, ""});
  p.layers.resize(std::max<std::size_t>(p.layers.size(), 80));
  for (std::uint32_t i = 0; i < p.layers.size(); ++i) p.layers[i].index = i;
  return p;
}

[[noreturn]] void write(const std::string& database, int writer) {
  Result<Store> store = Store::open(database, Access::kWrite, kPatience);
  for (int i = 0; store.ok() && i < kRuns; ++i) {
    const auto kept = store->append(run_of(writer, i));
    if (!kept.ok()) {
      fmt::print(stderr, "{}", kept.error().text());
      ::_exit(1);
    }
  }
  if (!store.ok()) fmt::print(stderr, "{}", store.error().text());
  ::_exit(store.ok() ? 0 : 1);
}

/// Sentences on what is not as it must be.
std::vector<std::string> faults_of(const std::string& database) {
  std::vector<std::string> faults;
  const Store store = std::move(Store::open(database, Access::kRead).value());
  std::map<std::string, int> times;
  const std::vector<store::RunRow> rows = store.list().value();
  for (const store::RunRow& row : rows) {
    ++times[row.content];
    const auto read = store.read(row.id);
    if (!read.ok()) faults.push_back(read.error().text());
  }
  for (int w = 0; w < kWriters; ++w)
    for (int i = 0; i < kRuns; ++i)
      if (const int n = times[store::content_of(run_of(w, i))]; n != 1)
        faults.push_back(fmt::format("writer {}, run {}: {} times", w, i, n));
  return faults;
}

int run(bool server, unsigned seed) {
  const store::Folder folder;
  TestServer* postgres = server ? TestServer::get() : nullptr;
  if (server && postgres == nullptr) return fmt::print("no PostgreSQL server\n"), 4;
  const std::string database = server ? postgres->new_schema() : folder.file("runs.db");
  (void)Store::open(database, Access::kCreate).value();
  const auto begun = std::chrono::steady_clock::now();
  std::vector<pid_t> writers;
  for (int w = 0; w < kWriters; ++w) {
    const pid_t child = ::fork();
    if (child == 0) write(database, w);
    writers.push_back(child);
  }
  std::mt19937 random(seed);
  for (int k = 0; server && k < kKills; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + random() % 1500));
    postgres->kill();
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 1000));
    postgres->start();
  }
  int failed = 0;
  for (const pid_t writer : writers) {
    int status = 0;
    ::waitpid(writer, &status, 0);
    failed += status == 0 ? 0 : 1;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  const std::vector<std::string> faults = faults_of(database);
  for (const std::string& fault : faults) fmt::print("{}\n", fault);
  fmt::print("{}: {} writers x {} runs in {:.1f} s, {} kills; {} writers failed, {} faults\n",
             server ? "server" : "file", kWriters, kRuns, took.count(), server ? kKills : 0, failed,
             faults.size());
  return failed == 0 && faults.empty() ? 0 : 1;
}

}  // namespace
}  // namespace ridge::bench

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind != "server" && kind != "file") return fmt::print("server [SEED], or file\n"), 2;
  return ridge::bench::run(kind == "server",
                           argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 1);
}
