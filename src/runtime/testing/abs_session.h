// SPDX-License-Identifier: Apache-2.0
// A session of ONNX Runtime through the C interface, for tests of what only that shows: y = Abs(x)
// of x = -1, 2, -3, 4.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "onnx/writer.h"
#include "runtime/abi_error.h"
#include "runtime/child/plugin.h"
#include "runtime/paths.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/models.h"

namespace ridge::runtime {

class AbsSession {
 public:
  explicit AbsSession(std::uint32_t threads, std::uint64_t arena_reach = 0) {
    const std::string folder =
        std::filesystem::path(expect_ok(find_plugin("ort"))).parent_path().string();
    const char* folders[] = {folder.c_str()};
    RidgeOpenOptions options{};
    options.size = sizeof(options);
    options.threads = threads;
    options.folders = folders;
    options.folder_count = 1;
    EXPECT_EQ(api.open(&options, &runtime_, &error), RIDGE_OK) << error.message;
    const std::string bytes = expect_ok(onnx::write_bytes(single("Abs")));
    RidgeModel model{};
    model.size = sizeof(model);
    model.descriptor = -1;
    model.data = bytes.data();
    model.bytes = bytes.size();
    model.arena_reach = arena_reach;
    EXPECT_EQ(api.load(runtime_, &model, &session, &error), RIDGE_OK) << error.message;
    const std::int64_t dims[] = {4};
    const RidgeTensor input = {sizeof(RidgeTensor), 1, "x", dims, 1, 0, x_, sizeof(x_)};
    const RidgeTensors inputs = {&input, 1, sizeof(RidgeTensor)};
    EXPECT_EQ(api.set_inputs(session, &inputs, &error), RIDGE_OK) << error.message;
  }
  ~AbsSession() {
    api.unload(session);
    api.close(runtime_);
  }
  AbsSession(const AbsSession&) = delete;
  AbsSession& operator=(const AbsSession&) = delete;

  /// Elements of y after a run; valid until the next.
  const float* y() {
    RidgeTensors outputs{};
    EXPECT_EQ(api.outputs(session, &outputs, &error), RIDGE_OK) << error.message;
    return static_cast<const float*>(outputs.items[0].data);
  }

  const RidgeRuntimeApi& api = *expect_ok(open_plugin(expect_ok(find_plugin("ort"))));
  RidgeError error = no_error();
  RidgeSession* session = nullptr;

 private:
  RidgeRuntime* runtime_ = nullptr;
  float x_[4] = {-1, 2, -3, 4};  // a session uses its inputs in place
};

}  // namespace ridge::runtime
