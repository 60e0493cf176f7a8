// Where activations lie: through the C interface, which shows the addresses of outputs.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "onnx/writer.h"
#include "runtime/abi_error.h"
#include "runtime/paths.h"
#include "runtime/plugin.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/models.h"

namespace ridge::runtime {
namespace {

/// Outputs of eight runs of a session, and their addresses.
struct Returned {
  std::set<const void*> addresses;
  std::set<std::vector<float>> values;
};

Returned returned_with(std::uint64_t arena_reach) {
  Returned out;
  const RidgeRuntimeApi& api = *expect_ok(open_plugin(expect_ok(find_plugin("ort"))));
  const std::string folder =
      std::filesystem::path(expect_ok(find_plugin("ort"))).parent_path().string();
  const char* folders[] = {folder.c_str()};
  RidgeOpenOptions options{};
  options.size = sizeof(options);
  options.threads = 1;
  options.folders = folders;
  options.folder_count = 1;
  RidgeError error = no_error();
  RidgeRuntime* runtime = nullptr;
  EXPECT_EQ(api.open(&options, &runtime, &error), RIDGE_OK) << error.message;
  const std::string bytes = expect_ok(onnx::write_bytes(single("Abs")));
  RidgeModel model{};
  model.size = sizeof(model);
  model.descriptor = -1;
  model.data = bytes.data();
  model.bytes = bytes.size();
  model.arena_reach = arena_reach;
  RidgeSession* session = nullptr;
  EXPECT_EQ(api.load(runtime, &model, &session, &error), RIDGE_OK) << error.message;
  const float x[] = {-1, 2, -3, 4};
  const std::int64_t dims[] = {4};
  const RidgeTensor input = {sizeof(RidgeTensor), 1, "x", dims, 1, 0, x, sizeof(x)};
  const RidgeTensors inputs = {&input, 1, sizeof(RidgeTensor)};
  EXPECT_EQ(api.set_inputs(session, &inputs, &error), RIDGE_OK) << error.message;
  for (int run = 0; run < 8; ++run) {
    EXPECT_EQ(api.run(session, &error), RIDGE_OK) << error.message;
    RidgeTensors outputs{};
    EXPECT_EQ(api.outputs(session, &outputs, &error), RIDGE_OK) << error.message;
    const auto* values = static_cast<const float*>(outputs.items[0].data);
    out.addresses.insert(values);
    out.values.insert({values, values + 4});
  }
  api.unload(session);
  api.close(runtime);
  return out;
}

TEST(OrtArena, ActivationsLieElsewhereInEveryRunWhereAsked) {
  const Returned still = returned_with(0), moved = returned_with(1 << 20);
  EXPECT_LE(still.addresses.size(), 2U);
  EXPECT_GE(moved.addresses.size(), 6U);
  EXPECT_EQ(moved.values, (std::set<std::vector<float>>{{1, 2, 3, 4}}));
  EXPECT_EQ(moved.values, still.values);
  // The reach is a limit: two blocks lie no further apart, but for what the arena adds.
  const auto* first = static_cast<const std::byte*>(*moved.addresses.begin());
  const auto* last = static_cast<const std::byte*>(*moved.addresses.rbegin());
  EXPECT_LE(last - first, (1 << 20) + 4096);
}

}  // namespace
}  // namespace ridge::runtime
