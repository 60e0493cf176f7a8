// SPDX-License-Identifier: Apache-2.0
// Plug-ins that others build: the header alone, the example of docs/plug-in.md built out of tree,
// and files that are no plug-in or a bad one, each with its exact message. Oracle of the example's
// outputs: ONNX Runtime; of its layers: the model's four nodes, of which it fuses two.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

constexpr const char* kBuild = R"sh(
mkdir -p include/ridgeline/runtime
cp "$RIDGE_SOURCE"/src/runtime/abi.h include/ridgeline/runtime/
cp "$RIDGE_SOURCE"/examples/plug-in/*.[ch] .
build() { cc -std=c11 -O2 -shared -fPIC -I include -o "$@"; }
lib=$(dirname "$(command -v ridge)")/lib/ridge
profile='ridge profile perceptron.onnx --bind batch=2 --processes 1 --budget 200ms --no-pin'
profile="$profile --runtime ./two_operators.so"
)sh";
constexpr const char* kExample = "build two_operators.so two_operators.c onnx_graph.c\n";
constexpr const char* kQuick = "--processes 1 --budget 300ms --no-pin";

/// Runs a script in a folder that has the header, the example's sources and `build`.
Outcome with_header(const Workplace& place, const std::string& script) {
  return place.run(
      fmt::format("export RIDGE_SOURCE='{}'\n{}{}", source_tree().string(), kBuild, script));
}

/// A plug-in in C that has all calls; `change` replaces one line of its table.
std::string plugin_source(const std::string& change) {
  return fmt::format(R"(cat >mine.c <<'END'
#include "ridgeline/runtime/abi.h"
static RidgeStatus open_it(const RidgeOpenOptions* o, RidgeRuntime** r, RidgeError* e) {{
  (void)o, (void)e;
  *r = (RidgeRuntime*)1;
  return RIDGE_OK;
}}
static RidgeStatus info(RidgeRuntime* r, RidgeInfo* i, RidgeError* e) {{
  (void)r, (void)i, (void)e;
  return RIDGE_OK;
}}
static void close_it(RidgeRuntime* r) {{ (void)r; }}
static RidgeStatus load(RidgeRuntime* r, const RidgeModel* m, RidgeSession** s, RidgeError* e) {{
  (void)r, (void)m, (void)s, (void)e;
  return RIDGE_BUG;
}}
static RidgeStatus graph(RidgeSession* s, RidgeGraph* g, RidgeError* e) {{
  (void)s, (void)g, (void)e;
  return RIDGE_BUG;
}}
static RidgeStatus set(RidgeSession* s, const RidgeTensors* t, RidgeError* e) {{
  (void)s, (void)t, (void)e;
  return RIDGE_BUG;
}}
static RidgeStatus run(RidgeSession* s, RidgeError* e) {{ (void)s, (void)e; return RIDGE_BUG; }}
static RidgeStatus out(RidgeSession* s, RidgeTensors* t, RidgeError* e) {{
  (void)s, (void)t, (void)e;
  return RIDGE_BUG;
}}
static RidgeStatus profile(RidgeSession* s, const RidgeProfileSink* p, RidgeError* e) {{
  (void)s, (void)p, (void)e;
  return RIDGE_BUG;
}}
static void unload(RidgeSession* s) {{ (void)s; }}
static RidgeRuntimeApi api = {{sizeof(RidgeRuntimeApi), RIDGE_RUNTIME_ABI, "mine", 0, open_it, info,
                              close_it, load, graph, set, run, 0, out, profile, 0, 0, unload,
                              0, 0, 0, 0, 0, 0, 0, 0, 0}};
const RidgeRuntimeApi* ridge_runtime_get_api(uint32_t version) {{
  (void)version;
  {}
  return &api;
}}
END
build mine.so mine.c
)",
                     change);
}

// The header

TEST(PlugIn, ItsHeaderAloneIsCAndCpp) {
  const Workplace place;
  const Outcome o = with_header(place, R"(
echo '#include "ridgeline/runtime/abi.h"' >use.c
cp use.c use.cc
checks='-Wall -Wextra -pedantic -Werror -I include -fsyntax-only'
cc -std=c11 $checks use.c two_operators.c onnx_graph.c
c++ -std=c++17 $checks use.cc)");
  EXPECT_EQ(o.status, 0) << o.err;
}

TEST(PlugInSlow, IsInstalledAsOneHeader) {
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "cmake --install '{}' --component plug-in --prefix \"$PWD/prefix\" >log\n"
      "cd prefix && find . -type f && cmp include/ridgeline/runtime/abi.h '{}/src/runtime/abi.h'",
      std::filesystem::absolute(program()).parent_path().string(), source_tree().string()));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "./include/ridgeline/runtime/abi.h\n");
}

// The example

using Rows = std::vector<std::string>;

/// "type: node role evidence, ..." of each layer.
Rows layers_of(const nlohmann::json& profile) {
  Rows out;
  for (const nlohmann::json& layer : profile.at("layers")) {
    std::string row = layer.at("type").get<std::string>() + ":";
    for (const nlohmann::json& m : layer.at("members"))
      row += fmt::format(" {} {} {}", m.at("node").get<int>(), m.at("role").get<std::string>(),
                         m.at("evidence").get<std::string>());
    out.push_back(row);
  }
  return out;
}

TEST(PlugInSlow, OfTwoOperatorsIsAttributedToTheNodes) {
  const Workplace place;
  const Outcome o = with_header(
      place,
      fmt::format("mkdir -p prefix && mv include prefix/ && mkdir out && mv *.c onnx_graph.h out/\n"
                  "cp \"$RIDGE_SOURCE\"/examples/plug-in/CMakeLists.txt out/\n"
                  "cmake -S out -B out/build -DCMAKE_PREFIX_PATH=\"$PWD/prefix\" >log\n"
                  "cmake --build out/build >>log\n"
                  "ridge profile perceptron.onnx --bind batch=32 {} --format json "
                  "--runtime out/build/two_operators.so",
                  kQuick));
  ASSERT_EQ(o.status, 0) << o.err;
  const nlohmann::json profile = nlohmann::json::parse(o.out);
  EXPECT_EQ(layers_of(profile),
            (Rows{"Gemm+Relu: 0 executes runtime_list 1 executes runtime_list",
                  "MatMul: 2 executes runtime_list", "Relu: 3 executes runtime_list"}));
  EXPECT_EQ(profile.at("unattributed").at("layers"), 0);
  EXPECT_TRUE(profile.at("nodes_without_layer").empty());
  EXPECT_EQ(profile.at("runtime").at("name"), "Two operators");
  EXPECT_EQ(profile.at("runtime").at("version"), "1.0");
  EXPECT_EQ(profile.at("runtime").at("library"),
            (place.folder() / "there/out/build/two_operators.so").string());
  std::int64_t macs = 0;
  for (const nlohmann::json& layer : profile.at("layers")) {
    EXPECT_GT(layer.at("time_ns").at("median"), 0);
    macs += layer.at("macs").get<std::int64_t>();
  }
  EXPECT_EQ(macs, 32 * (64 * 256 + 256 * 10));
}

TEST(PlugInSlow, FusesNothingWithoutOptimization) {
  const Workplace place;
  const Outcome o = with_header(
      place,
      kExample + fmt::format("ridge profile perceptron.onnx --bind batch=32 {} --format json "
                             "--runtime ./two_operators.so --optimization disable",
                             kQuick));
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(layers_of(nlohmann::json::parse(o.out)).size(), 4U);
}

/// Largest difference between the outputs of two runtimes.
double largest_difference(const Outcome& evaluated) {
  EXPECT_EQ(evaluated.status, 0) << evaluated.err;
  double largest = 0;
  const nlohmann::json document = nlohmann::json::parse(evaluated.out);
  const nlohmann::json& outputs = document.at("points").at(1).at("divergence");
  EXPECT_EQ(outputs.size(), 2U);
  for (const nlohmann::json& output : outputs) {
    EXPECT_EQ(output.at("values"), 4 * 3 * 10);
    largest = std::max(largest, output.at("largest_absolute").at("value").get<double>());
  }
  return largest;
}

TEST(PlugInSlow, ComputesWhatOnnxRuntimeComputes) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const Workplace place;
  const std::string eval =
      "ridge eval perceptron.onnx --bind batch=3 --scenario accuracy "
      "--samples 4 --runtimes ort,./two_operators.so --format json";
  EXPECT_LT(largest_difference(with_header(place, kExample + eval)), 1e-3);
  // A product without its bias shows.
  const std::string wrong = "sed -i 's/l->node->beta [*]/0 */' two_operators.c\n";
  EXPECT_GT(largest_difference(with_header(place, wrong + kExample + eval)), 1e-2);
}

TEST(PlugInSlow, IsComparedStoredAndRepeatedByTheNameOfItsFile) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const Workplace place;
  const Outcome compared =
      with_header(place, kExample + fmt::format("ridge compare perceptron.onnx --bind batch=32 {} "
                                                "--runtimes ort,./two_operators.so",
                                                kQuick));
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_TRUE(has(compared.out, "  Two operators 1.0  ")) << compared.out;
  const std::string bench =
      "ridge bench perceptron.onnx --bind batch=32 --processes 1 --no-pin "
      "--store runs.db --runtime ./two_operators.so >table\n";
  const Outcome first = with_header(place, kExample + bench);
  EXPECT_TRUE(first.err.starts_with("1 point\n")) << first.err;
  const Outcome again = with_header(place, kExample + bench);
  EXPECT_TRUE(has(again.err, "1 of them already in runs.db")) << again.err;
  // Another build with the same name and version is measured.
  const Outcome other =
      with_header(place, "build two_operators.so -O0 two_operators.c onnx_graph.c\n" + bench);
  EXPECT_TRUE(other.err.starts_with("1 point\n")) << other.err;
  EXPECT_TRUE(has(place.run("ridge runs list runs.db").out, "Two operators 1.0"));
}

TEST(PlugInSlow, OfALockIsStatedAgainAndItsContentCompared) {
  const Workplace place;
  const std::string eval = "ridge eval --lock run.lock ";
  const Outcome first =
      with_header(place, kExample + eval +
                             "perceptron.onnx --bind batch=2 --min-queries 1 --duration 1ms "
                             "--runtime ./two_operators.so >table || [ $? -eq 1 ]");
  ASSERT_EQ(first.status, 0) << first.err;
  const std::string path = (place.folder() / "there/two_operators.so").string();
  EXPECT_EQ(place.run(eval).err,
            "error: run.lock: the evaluation of the lock had the plug-in two_operators.so, which a "
            "lock does not decide\n  then: " +
                path +
                "\n  hint: state it on the command line: --runtime PATH; its content is compared "
                "with the lock's\n  [RIDGE-WB-0391]\n");
  EXPECT_EQ(place.run(eval + "--runtime ort").status, 2);
  const Outcome named = place.run("cp two_operators.so other.so\n" + eval + "--runtime ./other.so");
  EXPECT_TRUE(has(named.err, "the evaluation of the lock had no plug-in other.so")) << named.err;
  const std::string again = eval + "--runtime ./two_operators.so >table || [ $? -eq 1 ]";
  EXPECT_EQ(place.run(again).status, 0);
  const Outcome changed =
      with_header(place, "build two_operators.so -O0 two_operators.c onnx_graph.c\n" + eval +
                             "--runtime ./two_operators.so >table");
  EXPECT_EQ(changed.status, 3);
  EXPECT_TRUE(has(changed.err, "[RIDGE-WB-0162]")) << changed.err;
}

TEST(PlugInSlow, IsOpenedByTheDoctor) {
  const Workplace place;
  const Outcome good = with_header(
      place, std::string(kExample) + "ridge doctor --runtime ./two_operators.so || true");
  EXPECT_TRUE(has(good.out, "two_operators.so")) << good.out;
  EXPECT_TRUE(has(good.out, "Two operators 1.0 at ")) << good.out;
  const Outcome bad = with_header(place, "echo no >bad.so; ridge doctor --runtime ./bad.so");
  EXPECT_EQ(bad.status, 4);
  EXPECT_TRUE(has(bad.out, "the runtime plug-in cannot be opened")) << bad.out;
}

// Bad plug-ins

struct Bad {
  const char* name;
  std::string prepare;  ///< makes bad.so
  int status;
  const char* text;  ///< part of the message; PATH: the plug-in's path
};

// GoogleTest looks for this name. NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

class BadPlugIn : public ::testing::TestWithParam<Bad> {};

TEST_P(BadPlugIn, IsRefusedWithItsReason) {
  const Bad& bad = GetParam();
  const Workplace place;
  const Outcome o = with_header(
      place, bad.prepare + "ridge profile perceptron.onnx --bind batch=1 --runtime ./bad.so");
  EXPECT_EQ(o.status, bad.status);
  std::string expected = bad.text;
  if (const std::size_t at = expected.find("PATH"); at != std::string::npos)
    expected.replace(at, 4, (place.folder() / "there/bad.so").string());
  EXPECT_TRUE(has(o.err, expected)) << o.err;
}

const Bad kBad[] = {
    {"NoFile", "", 4,
     "cannot open shared object file: No such file or directory\n"
     "  hint: name the file of a plug-in\n  [RIDGE-RT-0003]\n"},
    {"AFolder", "mkdir bad.so\n", 4, "bad.so is a folder, not a file\n"},
    {"AnotherFormat", "head -c 1000 /dev/zero >bad.so\n", 4, "bad.so: invalid ELF header\n"},
    {"AnEmptyFile", ": >bad.so\n", 4, "bad.so: file too short\n"},
    {"APipe", "mkfifo bad.so\n", 4, "bad.so is a named pipe, not a file\n"},
    {"MissingSymbol",
     plugin_source("extern int lost(void); if (lost()) return 0;") + "mv mine.so bad.so\n", 4,
     "undefined symbol: lost\n"
     "  hint: build it again on this machine; ldd lists the libraries that it needs\n"
     "  [RIDGE-RT-0003]\n"},
    {"NoPlugIn", "echo 'int nothing;' >none.c; build bad.so none.c\n", 4,
     "error: PATH: the library is no runtime plug-in\n"
     "  it exports no function ridge_runtime_get_api\n"
     "  hint: export it, in C++ as extern \"C\"; a runtime's own library is for "
     "--runtime-library\n  [RIDGE-RT-0008]\n"},
    {"OtherVersion", plugin_source("api.version = 7;") + "mv mine.so bad.so\n", 4,
     "error: PATH: the file is not a runtime plug-in for version 1 of the interface\n"
     "  it is for version 7\n"
     "  hint: build the plug-in against this version of abi.h\n  [RIDGE-RT-0004]\n"},
    {"RefusesTheVersion", plugin_source("return 0;") + "mv mine.so bad.so\n", 4,
     "  it refuses this version\n"},
    {"MissingCall", plugin_source("api.load = 0;") + "mv mine.so bad.so\n", 4,
     "error: PATH: the plug-in's table of calls lacks 'load'\n"},
    {"PromisedCall", plugin_source("api.capabilities = RIDGE_CAN_CANCEL;") + "mv mine.so bad.so\n",
     4, "error: PATH: the plug-in's table of calls lacks 'cancel'\n"},
    {"ShortTable", plugin_source("api.size = 40;") + "mv mine.so bad.so\n", 4,
     "error: PATH: the plug-in's table of calls lacks 'close'\n"},
    {"NoName", plugin_source("") + "mv mine.so bad.so\n", 4,
     "error: PATH: the plug-in does not say its name and version\n"
     "  hint: its call info fills name and version of RidgeInfo\n  [RIDGE-RT-0020]\n"},
    {"CrashInItsFirstCall", plugin_source("__builtin_trap();") + "mv mine.so bad.so\n", 4,
     "error: the runtime crashed while opening it: its process was ended by signal 4 "
     "(Illegal instruction)\n"},
    {"NoLayers", "cp $lib/ridge_plain.so bad.so\n", 4, "error: Plain reports no layers\n"},
};

INSTANTIATE_TEST_SUITE_P(Files, BadPlugIn, ::testing::ValuesIn(kBad),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(BadPlugIn, CrashesInEachCallAreErrorsOfTheRun) {
  const Workplace place;
  for (const auto& [at, doing] : {std::pair("open", "opening it"),
                                  {"load", "loading the model"},
                                  {"run", "running the model"}}) {
    const Outcome o = with_header(
        place, fmt::format("ridge profile plain.onnx --bind batch=1 "
                           "--runtime $lib/ridge_faulty.so --runtime-option fault=crash "
                           "--runtime-option at={}",
                           at));
    EXPECT_EQ(o.status, 4) << at;
    EXPECT_TRUE(has(o.err, fmt::format("the runtime crashed while {}: its process was ended by "
                                       "signal 11 (Segmentation fault)\n"
                                       "  faulty: about to crash\n",
                                       doing)))
        << at << "\n"
        << o.err;
  }
}

TEST(BadPlugIn, WhatItSaysOfItselfIsText) {
  const Workplace place;
  const Outcome o = with_header(
      place,
      R"(sed -i 's/"Two operators"/"\\xff\\033[31m<b>"/; s/"1.0"/"\\n2"/' two_operators.c
build two_operators.so two_operators.c onnx_graph.c
$profile --format json
$profile --report page.html >table)");
  ASSERT_EQ(o.status, 0) << o.err;
  const nlohmann::json profile = nlohmann::json::parse(o.out);
  EXPECT_EQ(profile.at("runtime").at("name"), "\xEF\xBF\xBD\033[31m<b>");
  for (const char* file : {"table", "page.html"}) {
    const std::string text = read_text(place.folder() / "there" / file);
    EXPECT_TRUE(has(text, "[31m")) << file;  // it is there, as text
    EXPECT_FALSE(has(text, "\033[31m")) << file;
  }
  EXPECT_FALSE(has(read_text(place.folder() / "there/page.html"), "[31m<b>"));
}

TEST(BadPlugIn, LayersThatAreNoGraphAreItsFault) {
  const Workplace place;
  const Outcome o = with_header(
      place,
      R"(sed -i 's/out->outputs = l->names + .*/out->outputs = \&out->type; out->type = "same";/' \
  two_operators.c
build two_operators.so two_operators.c onnx_graph.c
$profile)");
  EXPECT_EQ(o.status, 4) << o.err;
  EXPECT_TRUE(has(o.err, "error: the layers that Two operators lists are no graph\n")) << o.err;
}

TEST(BadPlugIn, NamesThatDoNotTellPlugInsApartAreRefused) {
  const Workplace place;
  const Outcome twice =
      place.run("ridge compare plain.onnx --bind batch=1 --runtimes a/mine.so,b/mine.so");
  const std::string there = (place.folder() / "there").string();
  EXPECT_EQ(twice.err, fmt::format("error: two plug-ins are called mine.so\n"
                                   "  {0}/a/mine.so and {0}/b/mine.so\n"
                                   "  hint: a plug-in is called as its file: rename or link one of "
                                   "them\n  [RIDGE-WB-0057]\n",
                                   there));
  const Outcome none = place.run("ridge profile plain.onnx --bind batch=1 --runtime './a b.so'");
  EXPECT_EQ(none.err,
            "error: ./a b.so is no file with a name for a runtime\n"
            "  hint: a plug-in is called as its file: letters, digits, '.', '_' and '-'\n"
            "  [RIDGE-WB-0056]\n");
  EXPECT_EQ(none.status, 2);
}

}  // namespace
}  // namespace ridge::tests
