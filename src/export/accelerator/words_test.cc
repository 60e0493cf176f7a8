// SPDX-License-Identifier: Apache-2.0
#include "export/accelerator/words.h"

#include <gtest/gtest.h>

#include "accelerator/machine_file.h"

namespace ridge::exports {
namespace {

using accelerator::BufferProfile;
using Role = BufferProfile::Role;

accelerator::StudyNetwork network_of(std::vector<BufferProfile> buffers) {
  accelerator::StudyNetwork out;
  out.memory.layers.emplace_back();
  out.memory.layers.back().buffers = std::move(buffers);
  return out;
}

BufferProfile buffer(Role role, std::string dtype, std::int64_t bytes) {
  return {.name = "b", .shape = {bytes}, .dtype = std::move(dtype), .role = role, .bytes = bytes};
}

TEST(AcceleratorWords, SayTheTypeThatBytesAreStoredIn) {
  EXPECT_EQ(stored_text(accelerator::StudyNetwork()), "as stored");
  EXPECT_EQ(stored_text(network_of(
                {buffer(Role::kInput, "int64", 80), buffer(Role::kParameter, "float32", 40)})),
            "as stored, float32");
  EXPECT_EQ(stored_text(network_of(
                {buffer(Role::kParameter, "int8", 60), buffer(Role::kOutput, "float32", 40)})),
            "as stored, mostly int8");
}

TEST(AcceleratorWords, GiveMemoriesPrefixes) {
  auto machine = accelerator::shipped_machine("edge-32");
  ASSERT_TRUE(machine.ok());
  machine->sram.shared_bytes = std::int64_t{24576} << 10;
  EXPECT_NE(machine_text(*machine).find("SRAM 24 MiB shared"), std::string::npos);
  machine->sram.shared_bytes = 0;
  machine->sram.bytes = {.ifmap = 1 << 24, .filter = 512, .ofmap = 1 << 16};
  EXPECT_NE(machine_text(*machine).find("SRAM 16 MiB + 0.5 KiB + 64 KiB (ifmap, filter, ofmap)"),
            std::string::npos)
      << machine_text(*machine);
}

}  // namespace
}  // namespace ridge::exports
