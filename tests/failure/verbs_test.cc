// SPDX-License-Identifier: Apache-2.0
// The i-th failing allocation, read or write of every verb that keeps something, in the program and
// in the processes of its runtimes: it ends with a message and an exit status of the contract, and
// what was there before (a store, a registry, a suite, a document) is there unchanged or complete.
//
// The default is a seeded sample. RIDGE_FAILING_SECONDS=60 takes for each verb the first 200 calls
// of each kind and every k-th of the others, in random order, for at most that time;
// bench/failing_calls.py does that.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <set>

#include "onnx/writer.h"
#include "preload.h"
#include "runtime/testing/decoder_models.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCalls[] = {"allocation", "read", "write"};
constexpr const char* kRoleNames[] = {"parent", "child"};
constexpr std::int64_t kFirst = 200, kOthers = 100;

/// One row of the table of verbs. Scripts run in a folder that is made anew for each run.
struct Verb {
  const char* name;
  const char* before;   ///< makes what is there before
  const char* command;  ///< arguments of ridge
  const char* state;  ///< prints what is kept, without times; "--" between what is written at once
  int status = 0;     ///< where the work may be done and judged a failure: 1
  std::size_t sample = 40;  ///< points that run without RIDGE_FAILING_SECONDS
};

/// Prints whether a document is the old one, or a complete one.
constexpr const char* kDocument =
    "document() { if [ \"$(cat $1)\" = before ]; then echo old; else tail -c 2 $1 | tr '\\n' ' '; "
    "grep -o '\"schema\":\"[^\"]*\"' $1 | head -n 1; fi; }\n";

const Verb kVerbs[] = {
    {"RunsAdd", "ridge runs add s.db run.json", "runs add s.db ort.json",
     "ridge runs list s.db --format csv"},
    {"RunsMerge", "ridge runs add s.db run.json; ridge runs add t.db ort.json",
     "runs merge s.db t.db",
     "ridge runs list s.db --format csv; ridge runs list t.db --format csv"},
    {"RunsDelete", "ridge runs add s.db run.json; ridge runs add s.db ort.json",
     "runs delete s.db 1", "ridge runs list s.db --format csv"},
    {"RunsShow", "ridge runs add s.db ort.json; echo before >doc.json",
     "runs show s.db 1 --format json --output doc.json", "document doc.json"},
    {"RunsExport", "ridge runs add s.db run.json; ridge runs add s.db ort.json",
     "runs export s.db --out t",
     "for view in run_list layer_times node_times evaluations; do "
     "[ ! -e t/$view.csv ] || wc -l t/$view.csv; echo --; done; ridge runs list s.db --format csv"},
    {"RegistryAdd", "ridge registry add plain.toml --registry reg",
     "registry add after.toml --registry reg",
     "ridge registry list --registry reg --format csv; ridge registry verify --registry reg"},
    {"RegistryRemove",
     "ridge registry add plain.toml --registry reg; ridge registry add after.toml --registry reg",
     "registry remove after@1.0 --registry reg",
     "ridge registry list --registry reg --format csv; ridge registry verify --registry reg"},
    {"ManifestConvert", "echo before >plain.yml", "manifest convert plain.toml --output plain.yml",
     "[ \"$(cat plain.yml)\" = before ] || ridge manifest check plain.yml"},
    {"ManifestCheck", "", "manifest check plain.toml --files", "true"},
    {"BricksPlan", "ridge bricks plan plain.onnx --bind batch=2 --granularity layer --out suite",
     "bricks plan after.onnx --bind batch=2 --granularity layer --out suite",
     "grep -o '\"file\":\"[^\"]*\"' suite/manifest.json | cut -d '\"' -f 4 | "
     "while read f; do ridge analyze suite/$f --format csv >out.csv && echo $f; done",
     1, 20},
    {"BricksRun", "ridge bricks plan plain.onnx --bind batch=2 --granularity layer --out suite",
     "bricks run suite --store s.db --processes 2 --budget 1ms",
     "ridge runs list s.db --format csv 2>list || grep -q -e 'the store is empty' -e 'it is empty' "
     "-e 'cannot open it' list",
     1, 12},
    {"Profile", "ridge runs add s.db run.json; echo before >doc.json",
     "profile plain.onnx --bind batch=2 --processes 1 --budget 0 --store s.db --format json "
     "--output doc.json",
     "document doc.json; echo --; ridge runs list s.db --format csv | cut -d , -f 1,3,4", 0, 12},
    {"Eval", "ridge runs add s.db run.json; echo before >doc.json",
     "eval plain.onnx --bind batch=2 --duration 1ms --min-queries 3 --store s.db --queries q.csv "
     "--save-outputs kept --data few.npy --format json --output doc.json",
     "document doc.json; echo --; ridge runs list s.db --format csv | cut -d , -f 1,3,4", 1, 20},
    {"EvalOfTheNullRuntime", "ridge runs add s.db run.json; echo before >doc.json",
     "eval plain.onnx --bind batch=2 --runtime null --duration 1ms --min-queries 3 --store s.db "
     "--lock run.lock --trace spans.json --report page.html --format json --output doc.json",
     "document doc.json; echo --; ridge runs list s.db --format csv | cut -d , -f 1,3,4", 1, 20},
    {"ShareReplay",
     "echo before >doc.json; echo before >page.html; printf 'app,func,end_timestamp,duration\\n"
     "a,f,2,1\\na,f,3,1\\n' >two.csv",
     "share replay two.csv --report page.html --format json --output doc.json",
     "document doc.json; echo --; tail -c 8 page.html", 0, 20},
    {"Generate", "echo before >doc.json",
     "generate decoder.onnx --prompt 4 --tokens 3 --requests 1 --steps steps.csv --format json "
     "--output doc.json",
     "document doc.json", 1, 20},
};

/// A failing call.
struct Point {
  int role = 0, call = 0;
  std::int64_t number = 0;
  bool once = true;
  std::string text() const {
    return fmt::format("{}:{}:{}:{}", kCalls[call], kRoleNames[role], number,
                       once ? "once" : "then_on");
  }
};

struct Ended {
  int status = 0;
  bool happened = false;
  std::string err, state, files;
};

fs::path preload_library() {
  const char* program = std::getenv("RIDGE_PROGRAM");
  const fs::path build =
      program != nullptr ? fs::path(program).parent_path() : source_tree() / "build";
  return build / "tests/ridge_failing_calls.so";
}

/// Counts in a file that the processes share.
class SharedCounts {
 public:
  explicit SharedCounts(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(Counts)) != 0)
      throw std::runtime_error("no file of counts");
    void* mapped = ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (mapped == MAP_FAILED) throw std::runtime_error("no memory for counts");
    counts_ = static_cast<Counts*>(mapped);
  }
  SharedCounts(const SharedCounts&) = delete;
  SharedCounts& operator=(const SharedCounts&) = delete;
  ~SharedCounts() { ::munmap(counts_, sizeof(Counts)); }
  void clear() {
    for (auto& role : counts_->calls)
      for (auto& call : role) call = 0;
    counts_->happened = 0;
  }
  const Counts& operator*() const { return *counts_; }

 private:
  Counts* counts_ = nullptr;
};

class FailingCallsSlow : public ::testing::TestWithParam<Verb> {
 protected:
  void SetUp() override {
    if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
    if (!fs::exists(preload_library())) GTEST_SKIP() << "no preloaded library";
    const fs::path there = place_.folder() / "there";
    for (const char* name : {"plain", "after"})
      write_text(
          there / (std::string(name) + ".toml"),
          fmt::format("name = \"{0}\"\nversion = \"1.0\"\n[model]\ngraph_path = \"{0}.onnx\"\n",
                      name));
    write_text(there / "few.npy", few_rows());
    const auto decoder = runtime::tiny_decoder(runtime::TinyForm::kComplete);
    ASSERT_TRUE(onnx::write_file(decoder, (there / "decoder.onnx").string()).ok());
    const Outcome made = script(
        fmt::format("mkdir base\nmv $(ls | grep -v base) base\ncd base\n{}\n", GetParam().before));
    ASSERT_EQ(made.status, 0) << made.err;
    start_ = state_of("base");
    files_ = script("cd base; find . -type f").out;
    const Ended whole = run({});
    ASSERT_LE(whole.status, GetParam().status) << whole.err;
    end_ = whole.state;
    files_ += whole.files;
    for (int role = 0; role < kRolesCounted; ++role)
      for (int call = 0; call < kFailingCalls; ++call)
        calls_[role][call] = (*counts_).calls[role][call];
  }

  static std::string few_rows() {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 8), }";
    std::string text("\x93NUMPY\x01\x00", 8);
    text += static_cast<char>(header.size());
    text += '\0';
    return text + header + std::string(std::size_t{4} * 8 * 4, '\0');
  }

  Outcome script(const std::string& text) const {
    return place_.run(
        fmt::format("export TMPDIR={0}/aside\n"
                    "mkdir -p $TMPDIR\n{1}{2}",
                    place_.folder().string(), kDocument, text));
  }

  /// Prints what is kept in a folder.
  std::string state_of(const std::string& folder) const {
    const Outcome outcome = script(fmt::format("cd {}\n{}\n", folder, GetParam().state));
    EXPECT_EQ(outcome.status, 0) << "what is kept cannot be read: " << outcome.err;
    return outcome.out;
  }

  /// Runs the verb in a new copy of the folder, with a call that fails (number 0: none).
  Ended run(const Point& point) {
    counts_.clear();
    const Outcome outcome = script(fmt::format(
        "rm -rf try $TMPDIR; mkdir $TMPDIR; cp -a base try; cd try\nset +e\n"
        "timeout -k 1 60 env LD_PRELOAD={} RIDGE_CALLS_FILE={} RIDGE_FAILING_CALL={} ridge {} "
        ">../out\n"
        "status=$?\n(find . -type f; cd $TMPDIR; find . -type f) | sort\nexit $status\n",
        preload_library().string(), (place_.folder() / "counts").string(), point.text(),
        GetParam().command));
    Ended ended{.status = outcome.status,
                .happened = (*counts_).happened != 0,
                .err = outcome.err,
                .state = state_of("try"),
                .files = outcome.out};
    return ended;
  }

  /// Each part of what is kept is the old one or complete.
  bool is_whole(const std::string& state) const {
    const std::vector<std::string> now = parts(state), before = parts(start_), after = parts(end_);
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now.size() != after.size() || (now[i] != before[i] && now[i] != after[i])) return false;
    return true;
  }

  static std::vector<std::string> parts(const std::string& state) {
    std::vector<std::string> out(1);
    for (const std::string& line : lines_of(state)) {
      if (line == "--")
        out.emplace_back();
      else
        out.back() += line + "\n";
    }
    return out;
  }

  void expect_clean(const Point& point, const Ended& ended) const {
    EXPECT_TRUE(is_whole(ended.state)) << point.text() << " left\n"
                                       << ended.state << "before\n"
                                       << start_ << "complete\n"
                                       << end_;
    const bool no_memory = ended.err.find("RIDGE-CLI-0003") != std::string::npos;
    for (const std::string& file : lines_of(ended.files))
      EXPECT_TRUE(files_.find(file + "\n") != std::string::npos || is_log(file) ||
                  (no_memory && is_temporary(file)))
          << point.text() << " left the file " << file;
    if (ended.status <= GetParam().status) return;
    EXPECT_EQ(ended.status, 4) << point.text() << ": " << ended.err;
    EXPECT_NE(ended.err.find("error: "), std::string::npos) << point.text() << ": " << ended.err;
    EXPECT_NE(ended.err.find("  [RIDGE-"), std::string::npos) << point.text() << ": " << ended.err;
  }

  /// Files that the next run removes: without memory, a destructor may not get to it.
  static bool is_temporary(const std::string& file) {
    return file.ends_with(".tmp") || file.starts_with("./ridge-") ||
           file.find(".partial/") != std::string::npos;
  }

  /// SQLite's log of a store that could not be closed; the next program that opens it applies it.
  static bool is_log(const std::string& file) {
    return file.ends_with(".db-wal") || file.ends_with(".db-shm");
  }

  std::vector<Point> points(std::mt19937& random) const {
    std::vector<Point> all;
    for (int role = 0; role < kRolesCounted; ++role) {
      for (int call = 0; call < kFailingCalls; ++call) {
        const std::int64_t count = calls_[role][call];
        const std::int64_t step = std::max<std::int64_t>(1, (count - kFirst) / kOthers);
        for (std::int64_t i = 1; i <= count; i += i < kFirst ? 1 : step)
          for (const bool once : {true, false}) all.push_back({role, call, i, once});
      }
    }
    std::shuffle(all.begin(), all.end(), random);
    return all;
  }

  static constexpr int kRolesCounted = 2;
  Workplace place_;
  SharedCounts counts_{place_.folder() / "counts"};
  std::string start_, end_, files_;  ///< names of all that may be left
  std::int64_t calls_[kRolesCounted][kFailingCalls] = {};
};

TEST_P(FailingCallsSlow, EndWithAMessageAndLoseNothing) {
  const char* seconds = std::getenv("RIDGE_FAILING_SECONDS");
  const char* seed = std::getenv("RIDGE_FAILING_SEED");
  std::mt19937 random(seed != nullptr ? static_cast<unsigned>(std::atoi(seed)) : 1U);
  std::vector<Point> all = points(random);
  const std::size_t planned = all.size();
  if (seconds == nullptr && all.size() > GetParam().sample) all.resize(GetParam().sample);
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::seconds(seconds != nullptr ? std::atoi(seconds) : 100'000);
  std::size_t ran = 0, failed = 0;
  for (const Point& point : all) {
    if (std::chrono::steady_clock::now() > end) break;
    const Ended ended = run(point);
    expect_clean(point, ended);
    ++ran;
    failed += ended.status != 0;
  }
  std::cout << fmt::format("{}: {} of {} points ran, {} ended with a message\n", GetParam().name,
                           ran, planned, failed);
}

INSTANTIATE_TEST_SUITE_P(Verbs, FailingCallsSlow, ::testing::ValuesIn(kVerbs),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace ridge::tests
