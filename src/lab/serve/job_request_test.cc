// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/job_request.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "manifest/registry.h"

namespace ridge::lab::serve {
namespace {

/// The verb of a request that is taken, or the summary of its error.
std::string asked(const std::string& body, const std::string& registry = "") {
  const auto request = read_job_request(body, registry);
  return request.ok() ? request->verb : request.error().summary();
}

TEST(JobRequest, IsOfEvalOrBench) {
  EXPECT_EQ(asked(R"({"verb":"eval","model":"zoo:resnet18","threads":[1,2],"find-peak":true})"),
            "eval");
  EXPECT_EQ(asked(R"({"schema":"ridge.request/1","verb":"bench","model":["zoo:resnet18"]})"),
            "bench");
  const std::string kNone = "a request without the verb eval or bench";
  EXPECT_EQ(asked(R"({"verb":"profile","model":"zoo:resnet18"})"), kNone);
  EXPECT_EQ(asked(R"({"model":"zoo:resnet18"})"), kNone);
  EXPECT_EQ(asked("[]"), kNone);
  EXPECT_EQ(asked(R"({"verb":{"verb":"eval"}})"), kNone);
}

TEST(JobRequest, HasAModel) {
  for (const char* rest : {"", R"(,"threads":[1])", R"(,"model":[])"})
    EXPECT_EQ(asked(std::string(R"({"verb":"eval")") + rest + "}"), "a request without a model");
}

TEST(JobRequest, NamesModelsByNameOnly) {
  for (const char* name :
       {"/etc/passwd", "../net.onnx", "net.onnx", "zoo:../net", "zoo:none", "digits", "", "-o",
        "--store=x", "digits@../1", "http://evil/net.onnx", "zoo:resnet18/../x", "\\u0000"})
    EXPECT_TRUE(asked(std::string(R"({"verb":"eval","model":")") + name + "\"}")
                    .starts_with("model: there is no model '"))
        << name;
}

TEST(JobRequest, NamesModelsOfTheRegistry) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder.ok());
  const std::string file = folder->path() + "/net.onnx";
  ASSERT_TRUE(write_file(file, "x").ok());
  const std::string registry = folder->path() + "/registry";
  ASSERT_TRUE(manifest::Registry(registry)
                  .add(manifest::EntryKind::kModel, "net", "1.0.0", {{"net.onnx", file}})
                  .ok());
  EXPECT_EQ(asked(R"({"verb":"eval","model":"net@^1"})", registry), "eval");
  EXPECT_EQ(asked(R"({"verb":"eval","model":"net@2"})", registry),
            "model: there is no model 'net@2' here");
  EXPECT_EQ(asked(R"({"verb":"bench","model":"net"})", registry),
            "model: there is no model 'net' here");
}

TEST(JobRequest, NamesNoFilesFoldersOrLibraries) {
  for (const char* key : {"data",
                          "labels",
                          "store",
                          "output",
                          "report",
                          "lock",
                          "input",
                          "mix",
                          "save-outputs",
                          "runtime-library",
                          "runtime_library",
                          "trace",
                          "mlperf-logs",
                          "user-conf",
                          "registry",
                          "request",
                          "steps",
                          "post",
                          "queries",
                          "runtime-manifest",
                          "data-root",
                          "x",
                          ""})
    EXPECT_EQ(
        asked(std::string(R"({"verb":"eval","model":"zoo:resnet18",")") + key + R"(":"a"})"),
        "no request to this server decides '" +
            [&] {
              std::string out = key;
              std::ranges::replace(out, '_', '-');
              return out;
            }() +
            "'");
  EXPECT_EQ(asked(R"({"verb":"eval","model":"zoo:resnet18","runtime":"./mine.so"})"),
            "runtime: './mine.so' is no runtime");
  EXPECT_EQ(asked(R"({"verb":"eval","model":"zoo:resnet18","runtime":["ort,/x.so"]})"),
            "runtime: '/x.so' is no runtime");
  EXPECT_EQ(asked(R"({"verb":"eval","model":"zoo:resnet18","arrivals":"trace:/etc/passwd"})"),
            "arrivals: no request names a file of times");
}

TEST(JobRequest, HasLimits) {
  EXPECT_FALSE(read_job_request(std::string(70000, ' ') + "{}", "").ok());
  EXPECT_FALSE(read_job_request(std::string(1000, '['), "").ok());
  EXPECT_FALSE(read_job_request("", "").ok());
}

}  // namespace
}  // namespace ridge::lab::serve
