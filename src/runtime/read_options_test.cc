// SPDX-License-Identifier: Apache-2.0
#include "runtime/read_options.h"

#include <gtest/gtest.h>

namespace ridge::runtime {
namespace {

TEST(ReadOptions, NumbersAndWordsMayComeFromAFile) {
  for (const char* key : {"ridge.observer", "ridge.inter_op_threads", "NUM_STREAMS",
                          "session.inter_op.allow_spinning", "session.x64quantprecision",
                          "session.set_denormal_as_zero", "ACTIVATIONS_SCALE_FACTOR"})
    EXPECT_TRUE(check_read_option(key).ok()) << key;
}

/// Every option of ONNX Runtime 1.31 and OpenVINO 2026.4 that takes a path, and what is not known.
TEST(ReadOptions, LibrariesAndFilesMayNot) {
  for (const char* key : {"",
                          "a.b",
                          "session.node_partition_config_file",
                          "session.optimized_model_external_initializers_file_name",
                          "session.model_external_initializers_file_folder_path",
                          "session.save_external_prepacked_constant_initializers",
                          "session.collect_node_memory_stats_to_file",
                          "session.resource_cuda_partitioning_settings",
                          "session.enable_profiling",
                          "session.optimized_model_filepath",
                          "session.load_model_format",
                          "ep.context_enable",
                          "ep.context_file_path",
                          "ep.context_model_external_initializers_file_name",
                          "ep.context_source_model_path",
                          "session.custom_ops_library",
                          "CACHE_DIR",
                          "WEIGHTS_PATH",
                          "CONFIG_FILE",
                          "EXTENSIONS",
                          "num_streams",
                          "NUM_STREAMS ",
                          "ridge"})
    EXPECT_FALSE(check_read_option(key).ok()) << key;
}

TEST(ReadOptions, TheErrorSaysWhereTheOptionMayStand) {
  EXPECT_EQ(check_read_option("ep.context_file_path").error().text(),
            "error: the runtime's option 'ep.context_file_path' is not taken from a file\n"
            "  it may name a library to load or a file to write, and files may be from others\n"
            "  hint: state it on the command line: --runtime-option ep.context_file_path=VALUE\n"
            "  [RIDGE-RT-0090]\n");
  EXPECT_EQ(check_read_option("\x1b[2J").error().summary(),
            "the runtime's option '\\x1b[2J' is not taken from a file");
}

}  // namespace
}  // namespace ridge::runtime
