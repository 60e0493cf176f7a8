#include "accelerator/layer_nest.h"

#include <algorithm>
#include <array>

#include "accelerator/nest_operators.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;

struct Row {
  std::string_view domain, op;
  bool (*build)(NestBuilder&, PaddingForm);
};
constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr std::array kRows = {
    Row{"", "Conv", convolution_nest},
    Row{kMicrosoft, "FusedConv", convolution_nest},
    Row{"", "ConvTranspose", transposed_convolution_nest},
    Row{"", "Gemm", gemm_nest},
    Row{"", "MatMul", matmul_nest},
    Row{kMicrosoft, "FusedMatMul", matmul_nest},
    Row{kMicrosoft, "FusedGemm", gemm_nest},
    Row{"", "LSTM", recurrent_nest},
    Row{"", "GRU", recurrent_nest},
    Row{"", "RNN", recurrent_nest},
};

}  // namespace

std::optional<LayerNest> layer_nest(const Resolved& resolved, graph::NodeId node,
                                    PaddingForm padding) {
  NestBuilder builder(resolved, node);
  const ops::Dim repeat = resolved.repeat(node);
  if (!repeat.known()) return std::nullopt;
  for (const Row& row : kRows) {
    if (row.op != builder.form().node().op_type || row.domain != builder.form().node().domain)
      continue;
    if (!row.build(builder, padding)) return std::nullopt;
    LayerNest out = std::move(builder).finish();
    out.repeat = repeat.value();
    return out;
  }
  return std::nullopt;
}

Result<Profiles> profile_nests(const Lowered& lowered, const Resolved& resolved,
                               PaddingForm padding) {
  ProfileCollector collector;
  std::vector<LayerProfile> without;
  for (const Layer& layer : lowered.layers) {
    if (layer.node == graph::kNone) continue;
    const auto nest = layer_nest(resolved, layer.node, padding);
    if (nest) {
      TRY(collector.add(nest->nest, nest->parameters, nest->repeat));
      continue;
    }
    LayerProfile none;
    none.node = layer.node;
    none.reason = "no loop nest is written for this operator";
    without.push_back(std::move(none));
  }
  Profiles out = collector.finish(ProfileSource::kNest);
  out.layers.insert(out.layers.end(), without.begin(), without.end());
  std::sort(out.layers.begin(), out.layers.end(),
            [](const auto& a, const auto& b) { return a.node < b.node; });
  return out;
}

}  // namespace ridge::accelerator
