// SPDX-License-Identifier: Apache-2.0
// Locks of evaluations: what they are of, against sha256sum, and requests that come back from them.
#include "evaluation/repeat/lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "evaluation/repeat/hashes.h"
#include "evaluation/repeat/settings.h"
#include "onnx/reader.h"
#include "onnx/writer.h"
#include "pipeline/output_step_text.h"
#include "pipeline/step_text.h"
#include "session/model_source.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using scenario::Kind;
using session::testing::ModelFile;

constexpr std::string_view kModel = R"(graph main
    input x[1,4]
    Relu(x) -> y
    output y)";

/// Output of a shell command, without the line break.
std::string shell(const std::string& folder, const std::string& command) {
  const std::string line = fmt::format("cd {} && ({}) > out.txt", folder, command);
  EXPECT_EQ(std::system(line.c_str()), 0) << line;
  std::string out = must(read_file(folder + "/out.txt", 1 << 16));
  while (!out.empty() && (out.back() == '\n' || out.back() == '-' || out.back() == ' '))
    out.pop_back();
  return out;
}

/// A request with a value of its own in everything that changes a result.
EvaluationRequest filled(const std::string& folder) {
  EvaluationRequest r;
  r.model = "net.onnx";
  r.spec.runtimes = {"ort", "openvino"};
  r.spec.threads = {3};
  r.spec.sizes = {{.sizes = {{"batch", {8}}}, .shapes = {{"x", {1, 2}}, {"s", {}}}}};
  r.spec.optimization = runtime::Optimization::kBasic;
  r.spec.weights = session::WeightSource::kAsIs;
  r.spec.inputs = {{"mask", folder + "/mask.npy"}, {"steps", "5"}};
  r.spec.runtime_library = "/opt/lib.so";
  r.spec.runtime_options = {{"NUM_STREAMS", "2"}, {"LOG_LEVEL", ""}};
  r.spec.seed = 18'446'744'073'709'551'615U;
  r.scenario = {.kind = Kind::kServer,
                .arrivals = scenario::Gamma{1.0 / 3, 0.5},
                .samples_per_query = 2,
                .workers = 5,
                .order = scenario::Order::kInTurn,
                .seed = 9,
                .warmup_runs = 7,
                .min_duration = Nanos{1'500'000'000},
                .min_queries = 11,
                .max_duration = Nanos{9'000'000'000},
                .max_queries = 13};
  r.scenario.batching = {.most = 8, .wait = Nanos{2'000'000}, .sizes = {1, 8}};
  r.scenario.clients = 17;
  r.scenario.mix = {0.25, 1.0 / 3};
  r.mix = {"a=b.onnx", "zoo:resnet18"};
  r.scenario.warmup_duration = Nanos{1'000'000};
  r.scenario.warmup_queries = 19;
  r.mlperf = {.logs = folder + "/logs",
              .mlperf_conf = folder + "/mlperf.conf",
              .user_conf = folder + "/user.conf",
              .audit = Audit::kTest01,
              .queries_per_s = 6,
              .max_duration_ms = 5};
  r.bound = scenario::LatencyBound{0.999, 15'000'001};
  r.find_peak = true;
  r.peak_budget_s = 12.5;
  r.entries = {"net@1.2.0", "few@1.0", "few@1.0/labels.txt"};
  r.data = {.source = folder,
            .labels = folder + "/labels.txt",
            .steps = must(pipeline::parse_steps("decode(bgr) crop(224) layout(nchw)")),
            .limit = 17};
  r.data.post =
      must(pipeline::parse_output_steps(fmt::format("top(2) labels(\"{}/labels.txt\")", folder)));
  return r;
}

/// Hashes of the request's data and labels.
ReadContent content_of(const EvaluationRequest& request) {
  const DataCache data = must(DataCache::open(request.data, HashData::kBefore));
  return {.data = data.sha256(), .labels = data.labels_sha256(), .files = {}};
}

manifest::Lock settings_of(const EvaluationRequest& request) {
  manifest::Lock lock;
  write_settings(request, lock);
  return lock;
}

TEST(EvaluationLock, EverythingOfARequestComesBack) {
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  for (const char* name : {"/mask.npy", "/labels.txt", "/b.png", "/mlperf.conf", "/user.conf"})
    ASSERT_TRUE(write_file(folder.path() + name, name).ok());
  const session::testing::ModelFile model(kModel, "lock");
  const session::OpenedModel opened = must(session::open_model(model.path));
  const session::OpenedModel other = must(session::open_model("zoo:resnet18"));
  const EvaluationRequest request = filled(folder.path());
  const std::vector<const onnx::Document*> documents = {
      &opened.model->document(), &opened.model->document(), &other.model->document()};
  manifest::Lock lock = must(lock_of(request, documents, content_of(request), model.environment));
  lock.runtimes = {{"ort", "1", "a"}, {"openvino", "2", "b"}};
  const manifest::Lock read = must(manifest::read_lock(manifest::to_toml(lock)));
  EvaluationRequest again = must(request_of(read));
  EXPECT_EQ(again.spec.runtime_library, "");
  EXPECT_EQ(again.mlperf.logs, "");
  again.spec.runtime_library = request.spec.runtime_library;
  again.mlperf.logs = request.mlperf.logs;
  EXPECT_TRUE(check_given(read, again).ok());
  manifest::Lock second = must(lock_of(again, documents, content_of(again), model.environment));
  second.runtimes = lock.runtimes;
  EXPECT_TRUE(second == lock);
  EXPECT_EQ(manifest::to_toml(second), manifest::to_toml(lock));
  EXPECT_EQ(again.model, "net.onnx");
  EXPECT_EQ(again.spec.runtimes, request.spec.runtimes);
  EXPECT_EQ(again.spec.runtime_options, request.spec.runtime_options);
  EXPECT_EQ(again.spec.inputs, request.spec.inputs);
  EXPECT_EQ(again.spec.seed, request.spec.seed);
  EXPECT_EQ(again.spec.sizes[0].shapes, request.spec.sizes[0].shapes);
  EXPECT_EQ(again.data.steps, request.data.steps);
  EXPECT_EQ(again.data.post, request.data.post);
  EXPECT_EQ(again.entries.model, "net@1.2.0");
  EXPECT_EQ(again.entries.data, "few@1.0");
  EXPECT_EQ(again.entries.labels, "few@1.0/labels.txt");
  EXPECT_EQ(again.data.limit, 17U);
  EXPECT_EQ(again.data.labels, request.data.labels);
  EXPECT_EQ(again.bound->percentile, 0.999);
  EXPECT_EQ(again.scenario.batching->sizes, request.scenario.batching->sizes);
  EXPECT_EQ(again.scenario.mix, request.scenario.mix);
  EXPECT_EQ(again.mix, request.mix);
  EXPECT_EQ(again.mlperf.logs, request.mlperf.logs);
  EXPECT_EQ(again.mlperf.user_conf, request.mlperf.user_conf);
  EXPECT_EQ(std::get<scenario::Gamma>(again.scenario.arrivals).rate, 1.0 / 3);
}

TEST(EvaluationLock, HasTheContentOfEachModelOfAMix) {
  const session::testing::ModelFile first(kModel, "lock-first"), second(kModel, "lock-second");
  const session::OpenedModel one = must(session::open_model(first.path));
  const session::OpenedModel other = must(session::open_model("zoo:resnet18"));
  EvaluationRequest request{.model = first.path, .spec = first.spec};
  request.mix = {second.path};
  request.scenario.mix = {0.5};
  const auto lock = [&](const session::OpenedModel& mixed) {
    return must(lock_of(request, {&one.model->document(), &mixed.model->document()}, {},
                        first.environment));
  };
  const manifest::Lock before = lock(one);
  ASSERT_EQ(before.files.size(), 1U);
  EXPECT_EQ(before.files[0].use, "model 2");
  EXPECT_EQ(before.files[0].name, second.path);
  EXPECT_EQ(before.files[0].sha256, before.model.sha256);
  EXPECT_NE(point_key(lock(other), "vm"), point_key(before, "vm"));
  EXPECT_NE(lock(other).files[0].sha256, before.files[0].sha256);
}

TEST(EvaluationLock, TheHashOfATextIsThatOfTheBytesThatWereParsed) {
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  const session::testing::ModelFile model(kModel, "lock-texts");
  const session::OpenedModel opened = must(session::open_model(model.path));
  EvaluationRequest request{.model = model.path, .spec = model.spec};
  request.mlperf = {.logs = folder.path(), .user_conf = folder.path() + "/user.conf"};
  request.data.post = {pipeline::Labels{.path = folder.path() + "/classes.txt"}};
  // Neither file is there: what was parsed before is not opened for the lock.
  const ReadContent content{
      .data = {},
      .labels = {},
      .files = {{folder.path() + "/user.conf", "1"}, {folder.path() + "/classes.txt", "2"}}};
  const manifest::Lock lock =
      must(lock_of(request, {&opened.model->document()}, content, model.environment));
  ASSERT_EQ(lock.files.size(), 3U);
  EXPECT_EQ(lock.files[0].sha256, "1");
  EXPECT_EQ(lock.files[1].use, "mlperf logs");
  EXPECT_EQ(lock.files[2].sha256, "2");
  EXPECT_FALSE(lock_of(request, {&opened.model->document()}, {}, model.environment).ok());
}

// A member that is added to a request or a scenario is to be locked as well: this does not compile
// until it is named here, and fails until it changes the lock.
TEST(EvaluationLock, EveryMemberChangesIt) {
  const EvaluationRequest base = filled("/nowhere");
  // Not of the result: batch (which becomes a size), outputs (where they go), shown_answers, profiled_queries (after the load), what a manifest asks for
  // (wanted, class_names: they refuse, or change nothing). Of LoadGen's rules, not of the request:
  // last, listed, kept.
  [[maybe_unused]] const auto& [model, entries, spec, batch, scenario, models, trace, bound, data,
                                samples, load, outputs, shown, find_peak, peak_budget_s,
                                profiled_queries, mlperf, wanted, class_names] = base;
  [[maybe_unused]] const auto& [kind, arrivals, samples_per_query, workers, order, seed, batching,
                                clients, mix, warmup_runs, warmup_duration, warmup_queries,
                                min_duration, min_queries, max_duration, max_queries, last, listed,
                                kept] = base.scenario;
  [[maybe_unused]] const auto& [most, wait, sizes] = *batching;
  [[maybe_unused]] const auto& [logs, mlperf_conf, user_conf, audit, rate, max_ms] = mlperf;
  const std::vector<std::function<void(EvaluationRequest&)>> kChanges = {
      [](auto& r) { r.spec.threads = {4}; },
      [](auto& r) { r.spec.sizes[0].sizes["batch"].value = 9; },
      [](auto& r) {
        r.spec.sizes[0].shapes["x"] = {1, 3};
      },
      [](auto& r) { r.spec.sizes[0].shapes["s"] = {1}; },
      [](auto& r) { r.spec.optimization = runtime::Optimization::kAll; },
      [](auto& r) { r.spec.weights = session::WeightSource::kSeeded; },
      [](auto& r) { r.spec.runtime_options[0].second = "3"; },
      [](auto& r) { r.spec.runtime_options.pop_back(); },
      [](auto& r) { --r.spec.seed; },
      [](auto& r) { r.scenario.kind = Kind::kClosedLoop; },
      [](auto& r) { r.scenario.arrivals = scenario::Poisson{2}; },
      [](auto& r) { ++r.scenario.samples_per_query; },
      [](auto& r) { ++r.scenario.workers; },
      [](auto& r) { r.scenario.order = scenario::Order::kRandom; },
      [](auto& r) { ++r.scenario.seed; },
      [](auto& r) { ++r.scenario.warmup_runs; },
      [](auto& r) { ++r.scenario.batching->most; },
      [](auto& r) { r.scenario.batching->wait.count += 1; },
      [](auto& r) { r.scenario.batching->sizes[0] = 2; },
      [](auto& r) { r.scenario.batching->sizes.clear(); },
      [](auto& r) { r.scenario.batching.reset(); },
      [](auto& r) { ++r.scenario.clients; },
      [](auto& r) { r.scenario.mix[1] = 0.5; },
      [](auto& r) { r.scenario.mix.clear(); },
      [](auto& r) { r.scenario.warmup_duration.count += 1; },
      [](auto& r) { ++r.scenario.warmup_queries; },
      [](auto& r) { r.mlperf.audit = Audit::kTest04; },
      [](auto& r) { r.mlperf.queries_per_s = 7; },
      [](auto& r) { ++r.mlperf.max_duration_ms; },
      [](auto& r) { r.scenario.min_duration.count += 1; },
      [](auto& r) { ++r.scenario.min_queries; },
      [](auto& r) { r.scenario.max_duration.count += 1; },
      [](auto& r) { ++r.scenario.max_queries; },
      [](auto& r) { r.bound->percentile = 0.99; },
      [](auto& r) { r.bound->latency_ns += 1; },
      [](auto& r) { r.bound.reset(); },
      [](auto& r) { r.load = false; },
      [](auto& r) { r.find_peak = false; },
      [](auto& r) { r.peak_budget_s = 13; },
      [](auto& r) { r.data.limit = 18; },
      [](auto& r) { r.data.source.clear(); },
  };
  const manifest::Lock before = settings_of(base);
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    EvaluationRequest changed = base;
    kChanges[i](changed);
    const manifest::Lock lock = settings_of(changed);
    EXPECT_FALSE(lock == before) << i;
    EvaluationRequest again;
    ASSERT_TRUE(read_settings(lock, again).ok()) << i;
    again.data.source = changed.data.source;
    again.mlperf.logs = changed.mlperf.logs;
    EXPECT_TRUE(settings_of(again) == lock) << i;
  }
  EvaluationRequest seeded = base;
  seeded.data.source.clear();
  const manifest::Lock few = settings_of(seeded);
  ++seeded.samples;
  EXPECT_FALSE(settings_of(seeded) == few);
}

TEST(EvaluationLock, SettingsThatAreNoneAreRefusedWithTheirPlace) {
  const auto text_of = [](const std::string& options) {
    const auto lock = manifest::read_lock(
        "format = \"ridge.lock/1\"\n[model]\nname = \"m\"\n[[runtimes]]\nname = \"null\"\n"
        "[options]\n" +
        options + "\n");
    if (!lock.ok()) return lock.error().text();
    const auto request = request_of(*lock);
    return request.ok() ? std::string("good") : request.error().text();
  };
  EXPECT_EQ(text_of("lanes = \"2\""), "good");
  EXPECT_EQ(text_of("lames = \"2\""),
            "error: line 7, column 1: unknown key 'lames'\n  hint: did you mean 'lanes'?\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(text_of("lanes = \"-2\""),
            "error: line 7, column 1: 'lanes' cannot be '-2': integer from 0 to 4294967295 "
            "expected\n  [RIDGE-REC-0009]\n");
  for (const char* bad :
       {"scenario = \"batch\"", "arrivals = \"poisson\"", "order = \"listed\"", "threads = \"x\"",
        "find_peak = \"no\"", "weights = \"own\"", "optimization = \"most\"", "bound_ns = \"1.5\"",
        "peak_budget_s = \"inf\"", "\"size.batch\" = \"0\"", "\"shape.x\" = \"1xx\""})
    EXPECT_EQ(text_of(bad).find("error: line 7, column 1: "), 0U) << bad << text_of(bad);
}

TEST(EvaluationLock, NamesThatAreNoneAreRefused) {
  manifest::Lock lock;
  EXPECT_EQ(request_of(lock).error().code(), "RIDGE-WB-0165");
  lock.model.name = "m.onnx";
  lock.runtimes = {{"../../lib/evil", "", ""}};
  EXPECT_EQ(request_of(lock).error().text(),
            "error: there is no runtime '../../lib/evil'\n  [RIDGE-WB-0164]\n");
  lock.runtimes[0].name = "ort";
  lock.files = {{"model 2", "x.onnx", ""}};
  EXPECT_EQ(request_of(lock).error().text(),
            "error: the mix has 2 models and 0 shares\n"
            "  hint: it has a share for each model but the first\n  [RIDGE-WB-0208]\n");
  lock.files = {{"coffee", "x", ""}};
  EXPECT_EQ(request_of(lock).error().text(),
            "error: a file is of no known use: 'coffee'\n  [RIDGE-WB-0163]\n");
}

TEST(EvaluationLock, DecidesNeitherLibrariesNorWhereLogsAreWritten) {
  manifest::Lock lock;
  lock.model.name = "m.onnx";
  lock.runtimes = {{"ort", "", ""}};
  lock.files = {{"runtime library", "/tmp/evil.so", ""}};
  EvaluationRequest request = must(request_of(lock));
  EXPECT_EQ(request.spec.runtime_library, "");
  EXPECT_EQ(check_given(lock, request).error().text(),
            "error: the evaluation of the lock had a library of its own, which a lock does not "
            "decide\n"
            "  then: /tmp/evil.so\n"
            "  hint: state it on the command line: --runtime-library PATH; its content is compared "
            "with the lock's\n"
            "  [RIDGE-WB-0391]\n");
  request.spec.runtime_library = "/opt/mine.so";
  EXPECT_TRUE(check_given(lock, request).ok());

  lock.files = {{"mlperf logs", "/home/me", ""}};
  request = must(request_of(lock));
  EXPECT_EQ(request.mlperf.logs, "");
  EXPECT_EQ(check_given(lock, request).error().text(),
            "error: the evaluation of the lock had LoadGen's logs written, which a lock does not "
            "decide\n"
            "  then: /home/me\n"
            "  hint: state it on the command line: --mlperf-logs DIR\n  [RIDGE-WB-0391]\n");

  lock.files.clear();
  lock.options = {{"runtime_option.ep.context_file_path", "/home/me/x", {}}};
  EXPECT_EQ(request_of(lock).error().code(), "RIDGE-RT-0090");
}

TEST(EvaluationLock, TimesOfAReplayComeFromItsFile) {
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  const std::string path = folder.path() + "/trace.csv";
  ASSERT_TRUE(write_file(path, "time_s\n0\n0.5\n1.25\n").ok());
  manifest::Lock lock;
  lock.model.name = "m.onnx";
  lock.runtimes = {{"null", "", ""}};
  lock.files = {{"arrivals", path, ""}};
  lock.options = {{"scenario", "server", {}}, {"arrivals", "replay(1, 1)", {}}};
  const EvaluationRequest request = must(request_of(lock));
  EXPECT_EQ(std::get<scenario::Replay>(request.scenario.arrivals).times_ns,
            (std::vector<std::int64_t>{0, 500'000'000, 1'250'000'000}));
}

/// A model with its weights in a file beside it.
std::string external_model(const std::string& folder) {
  const auto document = graph::Sketch::document(R"(graph main
    input x[1,512]
    constant w[512,512]
    MatMul(x, w) -> y
    output y)");
  std::string path = folder + "/m.onnx";
  EXPECT_TRUE(
      onnx::write_file(*document, path, {.weights = onnx::Weights::kExternal, .location = "m.bin"})
          .ok());
  return path;
}

TEST(EvaluationHashes, AreThoseOfCoreutils) {
  if (std::system("command -v sha256sum > /dev/null") != 0) GTEST_SKIP() << "no sha256sum";
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  const session::testing::ModelFile model(kModel, "hash");
  EXPECT_EQ(must(model_sha256(session::open_model(model.path)->model->document())),
            shell(folder.path(), "sha256sum " + model.path + " | cut -c1-64"));
  const std::string with_data = external_model(folder.path());
  const std::string before = must(model_sha256(session::open_model(with_data)->model->document()));
  EXPECT_EQ(before,
            shell(folder.path(), "sha256sum m.onnx m.bin | cut -c1-64 | sha256sum | cut -c1-64"));
  shell(folder.path(), "printf x | dd of=m.bin bs=1 seek=4096 conv=notrunc 2> /dev/null");
  const std::string after = must(model_sha256(session::open_model(with_data)->model->document()));
  EXPECT_NE(after, before);
  EXPECT_EQ(after,
            shell(folder.path(), "sha256sum m.onnx m.bin | cut -c1-64 | sha256sum | cut -c1-64"));
  std::filesystem::remove(folder.path() + "/m.bin");
  EXPECT_NE(must(model_sha256(session::open_model(with_data)->model->document())), after);
}

TEST(EvaluationHashes, OfAFolderAreOfTheImagesThatAreSamples) {
  if (std::system("command -v sha256sum > /dev/null") != 0) GTEST_SKIP() << "no sha256sum";
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  for (const char* name : {"/c.png", "/a.JPG", "/b.jpeg", "/notes.txt"})
    ASSERT_TRUE(write_file(folder.path() + name, name).ok());
  EvaluationData data{.source = folder.path(), .labels = "", .steps = {}};
  EXPECT_EQ(must(data_sha256(must(find_files(data)))),
            shell(folder.path(), "sha256sum a.JPG b.jpeg c.png | sha256sum | cut -c1-64"));
  data.limit = 2;
  EXPECT_EQ(must(data_sha256(must(find_files(data)))),
            shell(folder.path(), "sha256sum a.JPG b.jpeg | sha256sum | cut -c1-64"));
  EXPECT_EQ(must(data_sha256(
                must(find_files({.source = folder.path() + "/c.png", .labels = "", .steps = {}})))),
            shell(folder.path(), "sha256sum c.png | cut -c1-64"));
}

TEST(PointKey, DependsOnContentAndNotOnNames) {
  manifest::Lock lock;
  lock.ridge = "1";
  lock.model = {"a.onnx", "1"};
  lock.data = {"d", "2"};
  lock.labels = {"l", "3"};
  lock.runtimes = {{"ort", "1.31", "4"}};
  lock.files = {{"input x", "x.npy", "5"}, {"runtime library", "/lib.so", ""}};
  lock.pipeline.before = {{"decode(rgb)"}};
  lock.options = {{"lanes", "1", {}}};
  lock.seeds = {{"schedule", "1", {}}};
  lock.host = {{"kernel", "6", {}}};
  const std::string key = point_key(lock, "vm");
  EXPECT_EQ(key.size(), 64U);
  const std::vector<std::function<void(manifest::Lock&)>> kSame = {
      [](auto& l) { l.model.name = "b.onnx"; }, [](auto& l) { l.data.name = "e"; },
      [](auto& l) { l.labels.name = "e"; },     [](auto& l) { l.files[0].name = "y.npy"; },
      [](auto& l) { l.files.pop_back(); },      [](auto& l) { l.host[0].value = "7"; }};
  for (std::size_t i = 0; i < kSame.size(); ++i) {
    manifest::Lock other = lock;
    kSame[i](other);
    EXPECT_EQ(point_key(other, "vm"), key) << i;
  }
  const std::vector<std::function<void(manifest::Lock&)>> kOther = {
      [](auto& l) { l.ridge = "2"; },
      [](auto& l) { l.model.sha256 = "9"; },
      [](auto& l) { l.data.sha256 = "9"; },
      [](auto& l) { l.labels.sha256 = "9"; },
      [](auto& l) { l.runtimes[0].name = "openvino"; },
      [](auto& l) { l.runtimes[0].version = "9"; },
      [](auto& l) { l.runtimes[0].sha256 = "9"; },
      [](auto& l) { l.files[0].use = "input y"; },
      [](auto& l) { l.files[0].sha256 = "9"; },
      [](auto& l) { l.pipeline.before[0][0] = "decode(bgr)"; },
      [](auto& l) { l.pipeline.after = {"argsort"}; },
      [](auto& l) { l.options[0].value = "2"; },
      [](auto& l) { l.options[0].name = "threads"; },
      [](auto& l) { l.options.clear(); },
      [](auto& l) { l.seeds[0].value = "2"; }};
  for (std::size_t i = 0; i < kOther.size(); ++i) {
    manifest::Lock other = lock;
    kOther[i](other);
    EXPECT_NE(point_key(other, "vm"), key) << i;
  }
  EXPECT_NE(point_key(lock, "another"), key);
}

/// Keeps the lines of notices.
class LockLines : public session::Notices {
 public:
  void warn(std::string_view, std::string_view) override {}
  void failed(const Error&) override {}
  void status(std::string_view line) override { text += std::string(line) + "\n"; }
  std::string text;
};

TEST(CheckLock, ReportsEveryDifferenceAndRefusesThoseOfContentAndSettings) {
  manifest::Lock locked;
  locked.ridge = "1";
  locked.model = {"a.onnx", "1"};
  locked.options = {{"lanes", "1", {}}};
  locked.host = {{"kernel", "6", {}}};
  manifest::Lock now = locked;
  now.ridge = "2";
  now.model.name = "b.onnx";
  now.host[0].value = "7";
  LockLines lines;
  const session::Environment environment{.host = {}, .notices = lines};
  EXPECT_TRUE(check_lock(locked, now, DifferentContent::kRefuse, environment).ok());
  EXPECT_EQ(lines.text,
            "version of ridge: 1 then, 2 now\nmodel: a.onnx then, b.onnx now\n"
            "host kernel: 6 then, 7 now\n");
  now = locked;
  now.model.sha256 = "2";
  now.options[0].value = "3";
  lines.text.clear();
  const auto refused = check_lock(locked, now, DifferentContent::kRefuse, environment);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(lines.text, "SHA-256 of the model: 1 then, 2 now\noption lanes: 1 then, 3 now\n");
  EXPECT_EQ(refused.error().text(),
            "error: this is another evaluation than that of the lock: 2 differences\n"
            "  hint: --allow-differences evaluates what is there now\n  [RIDGE-WB-0162]\n");
  EXPECT_TRUE(check_lock(locked, now, DifferentContent::kAllow, environment).ok());
  now = locked;
  locked.runtimes = {{"ort", "1.31", "a"}};
  now.runtimes = {{"ort", "1.31", "b"}};
  EXPECT_EQ(
      check_lock(locked, now, DifferentContent::kRefuse, environment).error().text(),
      "error: this is another evaluation than that of the lock: 1 difference\n"
      "  hint: --runtime-library PATH names the lock's library; --allow-differences evaluates "
      "what is there now\n  [RIDGE-WB-0162]\n");
}

}  // namespace
}  // namespace ridge::evaluation
