// The networks of the zoo, one file each. Structure and sizes are those of the paper's own code or
// of torchvision, Hugging Face and OpenAI (named in each file), before BatchNormalization is
// folded.
#pragma once

#include "onnx/document.h"

namespace ridge::zoo {

onnx::Document bert_base();
onnx::Document efficientnet_b0();
onnx::Document gpt2();
onnx::Document mobilenet_v2();
onnx::Document resnet50();
onnx::Document vit_b_16();

}  // namespace ridge::zoo
