// SPDX-License-Identifier: Apache-2.0
#include "runtime/read_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace ridge::runtime {
namespace {

/// Options of ridge itself begin so; all of them take numbers and words.
constexpr std::string_view kOwn = "ridge.";

/// ONNX Runtime's, from onnxruntime_session_options_config_keys.h of 1.31, then OpenVINO's, from
/// openvino/runtime/properties.hpp of 2026.4 and intel_cpu/properties.hpp. Sorted.
constexpr std::string_view kHarmless[] = {
    "ACTIVATIONS_SCALE_FACTOR",
    "AUTO_BATCH_TIMEOUT",
    "CPU_DENORMALS_OPTIMIZATION",
    "CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE",
    "DYNAMIC_QUANTIZATION_GROUP_SIZE",
    "ENABLE_CPU_PINNING",
    "ENABLE_CPU_RESERVATION",
    "ENABLE_HYPER_THREADING",
    "EXECUTION_MODE_HINT",
    "INFERENCE_NUM_THREADS",
    "INFERENCE_PRECISION_HINT",
    "KEY_CACHE_GROUP_SIZE",
    "KEY_CACHE_PRECISION",
    "KV_CACHE_PRECISION",
    "LOG_LEVEL",
    "MODEL_DISTRIBUTION_POLICY",
    "MODEL_PRIORITY",
    "NUM_STREAMS",
    "PERFORMANCE_HINT",
    "PERFORMANCE_HINT_NUM_REQUESTS",
    "PERF_COUNT",
    "SCHEDULING_CORE_TYPE",
    "VALUE_CACHE_GROUP_SIZE",
    "VALUE_CACHE_PRECISION",
    "mlas.disable_kleidiai",
    "mlas.enable_gemm_fastmath_arm64_bfloat16",
    "mlas.kleidiai.conv_igemm_max_work",
    "mlas.use_lut_gemm",
    "optimization.constant_folding_max_output_size_in_bytes",
    "optimization.disable_specified_optimizers",
    "optimization.enable_cast_chain_elimination",
    "optimization.enable_gelu_approximation",
    "optimization.memory_optimizer_config",
    "session.allow_released_opsets_only",
    "session.disable_aot_function_inlining",
    "session.disable_cpu_ep_fallback",
    "session.disable_double_qdq_remover",
    "session.disable_prepacking",
    "session.disable_qdq_constant_folding",
    "session.disable_quant_qdq",
    "session.dynamic_block_base",
    "session.enable_cpu_mem_arena",
    "session.enable_dq_matmulnbits_fusion",
    "session.enable_mem_pattern",
    "session.enable_quant_qdq_cleanup",
    "session.execution_mode",
    "session.force_spinning_stop",
    "session.graph_optimization_level",
    "session.graph_optimizations_loop_level",
    "session.inter_op.allow_spinning",
    "session.inter_op.spin_backoff_max",
    "session.inter_op.spin_duration_us",
    "session.inter_op_num_threads",
    "session.intra_op.allow_spinning",
    "session.intra_op.spin_backoff_max",
    "session.intra_op.spin_duration_us",
    "session.intra_op_num_threads",
    "session.intra_op_thread_affinities",
    "session.log_id",
    "session.log_severity_level",
    "session.log_verbosity_level",
    "session.qdq_matmulnbits_accuracy_level",
    "session.qdq_matmulnbits_block_size",
    "session.qdqisint8allowed",
    "session.set_denormal_as_zero",
    "session.strict_shape_type_inference",
    "session.use_deterministic_compute",
    "session.use_device_allocator_for_initializers",
    "session.use_env_allocators",
    "session.use_per_session_threads",
    "session.x64quantprecision",
};
static_assert(std::ranges::is_sorted(kHarmless));

}  // namespace

Result<void> check_read_option(std::string_view key) {
  if (key.starts_with(kOwn) || std::ranges::binary_search(kHarmless, key)) return {};
  return input_error(
             "RIDGE-RT-0090",
             fmt::format("the runtime's option '{}' is not taken from a file", printable(key)))
      .evidence("it may name a library to load or a file to write, and files may be from others")
      .hint(fmt::format("state it on the command line: --runtime-option {}=VALUE", printable(key)));
}

}  // namespace ridge::runtime
