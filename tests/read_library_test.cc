// SPDX-License-Identifier: Apache-2.0
// Nothing that is read decides what is loaded: files that name a library, and the program under
// strace, which must not open it. The library is canary.so, which is none.
#include <gtest/gtest.h>

#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

struct Reader {
  const char* name;
  const char* prepare;  ///< writes a file that names $PWD/canary.so
  const char* command;  ///< reads it
  int status;
  const char* code;  ///< code of its error; "": none
};

constexpr const char* kEval = "--bind batch=1 --min-queries 1 --duration 1ms";

class ReadLibrarySlow : public ::testing::TestWithParam<Reader> {};

TEST_P(ReadLibrarySlow, OpensNothingThatAFileNames) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const Reader& reader = GetParam();
  const Workplace place;
  const Outcome prepared = place.run("echo none > canary.so\nevaluation='" + std::string(kEval) +
                                     "'\n" + reader.prepare);
  ASSERT_EQ(prepared.status, 0) << prepared.err;
  const Outcome read =
      place.run("strace -f -qq -o calls -e trace=%file -- " + std::string(reader.command));
  EXPECT_EQ(read.status, reader.status) << read.err;
  EXPECT_NE(read.err.find(reader.code), std::string::npos) << read.err;
  const std::string calls = read_text(place.folder() / "there/calls");
  EXPECT_NE(calls.find("open"), std::string::npos);
  for (const std::string& line : lines_of(calls))
    EXPECT_EQ(line.find("canary"), std::string::npos) << line;
}

constexpr Reader kReaders[] = {
    {"Lock",
     R"(ridge eval plain.onnx $evaluation --lock run.lock >/dev/null || [ $? -eq 1 ]
        printf '[[files]]\nuse = "runtime library"\nname = "%s/canary.so"\nsha256 = ""\n' $PWD >>run.lock)",
     "ridge eval --lock run.lock --allow-differences", 2, "RIDGE-WB-0391"},
    {"OptionsOfALock",
     R"(ridge eval plain.onnx $evaluation --lock run.lock >/dev/null || [ $? -eq 1 ]
        sed -i "s|^\[options\]|&\n\"runtime_option.session.custom_ops_library\" = \"$PWD/canary.so\"|" run.lock)",
     "ridge eval --lock run.lock --allow-differences", 3, "RIDGE-RT-0090"},
    {"RuntimesManifest",
     R"(printf 'kind: runtime\nname: ort\noptions: {ep.context_file_path: %s/canary.so}\n' $PWD >ort.yml)",
     "ridge eval plain.onnx --bind batch=1 --runtime-manifest ort.yml", 3, "RIDGE-RT-0090"},
    {"Spec", R"(printf 'runtime_library = "%s/canary.so"\n' $PWD >spec.toml)",
     "before_after spec.toml runs.db plain.onnx plain.onnx", 1, "RIDGE-REC-0006"},
    {"PlugInOfARequest", R"(printf 'runtime = "./canary.so"\n' >request.toml)",
     "ridge profile plain.onnx --bind batch=1 --request request.toml", 3, "RIDGE-WB-0395"},
    {"PlugInInAListOfARequest", R"(printf '{"runtime": "canary.so,ort"}' >request.json)",
     "ridge eval plain.onnx --bind batch=1 --request request.json", 3, "RIDGE-WB-0395"},
    {"PlugInOfTheDoctor", R"(printf '{"runtime": ["./canary.so"]}' >request.json)",
     "ridge doctor --request request.json", 3, "RIDGE-WB-0395"},
    {"PlugInOfASpec", R"(printf 'runtimes = ["%s/canary.so"]\n' $PWD >spec.toml)",
     "before_after spec.toml runs.db plain.onnx plain.onnx", 1, "RIDGE-WB-0302"},
    {"PlugInOfAManifest", R"(printf 'kind: runtime\nname: canary.so\n' >mine.yml)",
     "ridge eval plain.onnx --bind batch=1 --runtime-manifest mine.yml", 3, "RIDGE-WB-0193"},
    {"PlugInOfALock",
     R"(ridge eval plain.onnx $evaluation --lock run.lock >/dev/null || [ $? -eq 1 ]
        sed -i "s|^name = \"ort\"|name = \"canary.so\"|" run.lock; grep -q canary run.lock
        printf '[[files]]\nuse = "plug-in canary.so"\nname = "%s/canary.so"\nsha256 = ""\n' $PWD >>run.lock)",
     "ridge eval --lock run.lock --allow-differences", 2, "RIDGE-WB-0391"},
    {"ManifestOfBricks",
     R"(ridge bricks plan plain.onnx --bind batch=1 --out bricks >/dev/null
        sed -i "s|\"ridge.bricks/1\"|&,\"runtime_library\":\"$PWD/canary.so\",\"plugin\":\"$PWD/canary.so\"|" bricks/*.json)",
     // measured, or too noisy
     "ridge bricks run bricks --processes 2 --budget 1s --store bricks.db || [ $? -eq 1 ]", 0, ""},
    {"Store",
     R"sh(ridge bench plain.onnx --bind batch=1 --processes 1 --no-pin --store runs.db >/dev/null
        python3 -c "import os, sqlite3
store = sqlite3.connect('runs.db')
store.execute('UPDATE run SET runtime_library = ?', [os.getcwd() + '/canary.so'])
store.commit()")sh",
     "ridge bench plain.onnx --bind batch=1,2 --processes 1 --no-pin --store runs.db", 0, ""},
    {"Document",
     R"(sed "s|\"library\":\"[^\"]*\"|\"library\":\"$PWD/canary.so\"|" run.json >other.json
        grep -q canary other.json)",
     "ridge compare run.json other.json", 0, ""},
};

INSTANTIATE_TEST_SUITE_P(Readers, ReadLibrarySlow, ::testing::ValuesIn(kReaders),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace ridge::tests
