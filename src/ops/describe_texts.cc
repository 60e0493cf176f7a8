#include "ops/describe_texts.h"

#include "ops/rule.h"

namespace ridge::ops {
namespace {

constexpr std::string_view kPreview = "ai.onnx.preview", kTraining = "ai.onnx.preview.training";

constexpr RuleText kShapes[] = {
    // Element by element
    {"", "Relu", "as input 0"},
    {"", "Add", "the inputs broadcast to each other; type of input 0"},
    {"", "Max", "all inputs broadcast to each other; type of input 0"},
    {"", "Equal And", "the inputs broadcast to each other; bool"},
    {"", "Not IsNaN", "as input 0; bool"},
    {"", "PRelu", "as input 0; the slope broadcasts to it"},
    {"", "Clip", "as input 0; the bounds are scalars"},
    {"", "Gelu", "as input 0"},
    {"", "Where", "all three inputs broadcast to each other; type of input 1"},
    {"", "Cast", "as input 0; type of attribute to"},
    {"", "CastLike", "as input 0; type of input 1"},
    {"", "BitCast", "as input 0; type of attribute to, of the same width"},
    {"", "SwiGLU", "as input 0, its last axis halved"},
    // Convolutions and products
    {"", "Conv ConvInteger QLinearConv",
     "[N, Cout, out...]; out = floor((in + pads - dilation*(kernel - 1) - 1) / stride) + 1, or as "
     "auto_pad says"},
    {"", "ConvTranspose",
     "[N, group*W[1], out...]; out = stride*(in - 1) + output_padding + dilation*(kernel - 1) + 1 "
     "- pads, or output_shape"},
    {"", "DeformConv", "as Conv"},
    {"", "MatMul MatMulInteger QLinearMatMul",
     "the leading axes broadcast, then [M, N]; a factor of rank 1 loses its axis"},
    {"", "Gemm", "[M, N] after transA and transB; C broadcasts to it"},
    {"", "Einsum", "the sizes of the labels behind the arrow, by numpy's rules"},
    {"", "Det", "input 0 without its last two axes"},
    // Windows
    {"", "MaxPool AveragePool LpPool",
     "[N, C, out...]; out as for Conv, rounded up with ceil_mode unless the window would start in "
     "the padding"},
    {"", "GlobalMaxPool", "[N, C, 1...]"},
    {"", "MaxUnpool", "the pooling undone: stride*(in - 1) + kernel - pads, or input 2"},
    {"", "MaxRoiPool RoiAlign", "[rois, C, height, width] of the attributes"},
    {"", "GridSample", "[N, C, grid sizes...]"},
    {"", "AffineGrid", "[N, sizes of input 1..., number of spatial axes]"},
    {"", "Col2Im", "[N, C, sizes of input 1...]; C is input 0's axis 1 over the block's elements"},
    {"", "ImageDecoder", "[height, width, channels], which the data decide; uint8"},
    {"", "Resize Upsample",
     "sizes where given, else floor(in * scale) per axis; keep_aspect_ratio_policy shrinks or "
     "grows them together"},
    // Normalisation
    {"", "BatchNormalization",
     "as input 0; in training also the running mean and variance, as inputs 3 and 4"},
    {"", "InstanceNormalization GroupNormalization", "as input 0; one scale and bias per channel"},
    {"", "LayerNormalization",
     "as input 0; mean and inverse deviation with 1 along the normalised axes"},
    {"", "RMSNormalization SimplifiedLayerNormalization", "as input 0"},
    {"", "MeanVarianceNormalization LpNormalization LRN", "as input 0"},
    {"", "Softmax", "as input 0"},
    {"", "SoftmaxCrossEntropyLoss NegativeLogLikelihoodLoss",
     "a scalar, or the labels' shape with reduction none; log-probabilities as input 0"},
    // Reductions
    {"", "ReduceSum ReduceMax",
     "input 0 with the axes gone, or 1 with keepdims; all axes where none is given"},
    {"", "ArgMax", "input 0 with the axis gone, or 1 with keepdims; int64"},
    {"", "CumSum CumProd", "as input 0"},
    {"", "TopK", "input 0 with k along the axis, twice; the second is int64"},
    // Recurrent
    {"", "LSTM",
     "[steps, directions, batch, hidden], and the last state and cell [directions, "
     "batch, hidden]; batch first with layout 1"},
    {"", "GRU RNN",
     "[steps, directions, batch, hidden], and the last state [directions, batch, "
     "hidden]; batch first with layout 1"},
    // Attention
    {"", "Attention",
     "as the query, its last size that of the values; present key and value with the past's "
     "length added"},
    {kPreview, "FlexAttention", "as the query, its last size that of the values"},
    {"", "RotaryEmbedding", "as input 0"},
    {"", "LinearAttention CausalConvWithState", "as the query or input 0, and the state"},
    // Moving data
    {"", "Reshape", "input 1; 0 copies a size, -1 is what is left"},
    {"", "Flatten", "[sizes before axis multiplied, the others multiplied]"},
    {"", "Squeeze", "input 0 without the axes, or without all sizes of 1"},
    {"", "Unsqueeze", "input 0 with sizes of 1 put in at the axes"},
    {"", "Identity", "as input 0"},
    {"", "Dropout", "as input 0; the mask is bool"},
    {"", "Transpose", "the axes in the order of perm; reversed without it"},
    {"", "DepthToSpace", "[N, C/b^2, H*b, W*b]"},
    {"", "SpaceToDepth", "[N, C*b^2, H/b, W/b]"},
    {"", "Concat", "the sizes along axis added up, the others as they are"},
    {"", "Split", "input 0 with the parts' sizes along axis: given, or as equal as can be"},
    {"", "Slice", "ceil((end - start) / step) along each axis, bounds clamped to the size"},
    {"", "Pad", "sizes and both paddings added up"},
    {"", "CenterCropPad", "the sizes of input 1 along the axes"},
    {"", "Expand", "input 0 and the shape of input 1 broadcast to each other"},
    {"", "Tile", "sizes times repeats"},
    {"", "Gather", "the axis of input 0 replaced by the indices' shape"},
    {"", "GatherElements", "as the indices; type of input 0"},
    {"", "GatherND",
     "the indices' shape without its last axis, then what of input 0 it does not address"},
    {"", "ScatterND", "as input 0"},
    {"", "ScatterElements Scatter TensorScatter", "as input 0"},
    {"", "Compress", "along axis as many as the condition keeps; not known unless it is constant"},
    {"", "Trilu", "as input 0"},
    {"", "ReverseSequence", "as input 0"},
    {"", "OneHot", "the indices' shape with depth put in at axis; type of the values"},
    {"", "NonZero", "[rank, count]; the data decide the count"},
    {"", "Unique", "the data decide how many"},
    {"", "NonMaxSuppression", "[count, 3]; the data decide the count"},
    {"", "EyeLike", "as input 0; type of attribute dtype"},
    // Constants and shapes
    {"", "Shape", "[rank] or the part from start to end; int64"},
    {"", "Size", "a scalar; int64"},
    {"", "Constant", "that of the attribute"},
    {"", "ConstantOfShape", "the elements of input 0; type of attribute value"},
    {"", "Range", "[max(0, ceil((limit - start) / delta))]"},
    {"", "RandomNormal", "attribute shape; type of attribute dtype"},
    {"", "RandomNormalLike Bernoulli", "as input 0; type of attribute dtype"},
    {"", "Multinomial", "[batch, sample_size]"},
    // Quantisation
    {"", "QuantizeLinear", "as input 0; type of the zero point or output_dtype, else uint8"},
    {"", "DequantizeLinear", "as input 0; type of the scale or output_dtype"},
    {"", "DynamicQuantizeLinear", "as input 0 in uint8, and scalar scale and zero point"},
    // Signals
    {"", "DFT", "as input 0 with dft_length along the axis and 2 last; onesided: length/2 + 1"},
    {"", "STFT", "[batch, frames, bins, 2]; frames = floor((signal - frame) / step) + 1"},
    {"", "HannWindow HammingWindow BlackmanWindow", "[size]"},
    {"", "MelWeightMatrix", "[dft_length/2 + 1, num_mel_bins]"},
    // Sequences, optionals, text
    {"", "SequenceEmpty", "a sequence without members"},
    {"", "SequenceConstruct", "a sequence of the inputs"},
    {"", "SequenceInsert SequenceErase SequenceMap", "a sequence with the same element type"},
    {"", "SequenceAt", "a member: its shape where all members agree"},
    {"", "SequenceLength", "a scalar; int64"},
    {"", "SplitToSequence", "a sequence of the parts along axis"},
    {"", "ConcatFromSequence", "the members joined along axis, or along a new one"},
    {"", "Optional", "an optional of input 0, or empty of the attribute's type"},
    {"", "OptionalGetElement", "what the optional holds"},
    {"", "OptionalHasElement", "a scalar; bool"},
    {"", "StringConcat", "the inputs broadcast to each other; string"},
    {"", "StringNormalizer", "as input 0; fewer where stop words go"},
    {"", "StringSplit", "input 0 with the longest split last, and the numbers of parts"},
    {"", "RegexFullMatch", "as input 0; bool"},
    {"", "TfIdfVectorizer", "the last axis becomes the number of indexes; float32"},
    // Training
    {kTraining, "Gradient", "as the tensors differentiated by"},
    {kTraining, "Adagrad Adam Momentum", "each tensor and its states as they were"},
    // Control flow
    {"", "If", "what the branch taken gives; what both agree in where that is not known"},
    {"", "Loop", "carried values as their bodies give them; scanned outputs with the trips first"},
    {"", "Scan", "states as the body gives them; scanned outputs with the length at their axis"},
    // com.microsoft
    {kMicrosoft, "FusedConv QLinearConv", "as Conv"},
    {kMicrosoft, "NhwcConv NhwcFusedConv NhwcMaxPool", "as Conv or MaxPool, the channels last"},
    {kMicrosoft, "MaxpoolWithMask", "as MaxPool"},
    {kMicrosoft, "FusedMatMul FusedMatMulActivation TransposeMatMul",
     "as MatMul after transA and transB"},
    {kMicrosoft, "FusedGemm GemmFloat8 GemmFastGelu SparseToDenseMatMul", "as Gemm or MatMul"},
    {kMicrosoft,
     "Gelu BiasGelu FastGelu QuickGelu BiasAdd BiasDropout BiasSoftmax GatedAdd ComplexMul "
     "ComplexMulConj BitmaskDropout BitmaskBiasDropout",
     "as input 0"},
    {kMicrosoft, "BiasSplitGelu", "as input 0, its last axis halved"},
    {kMicrosoft, "SkipLayerNormalization SkipSimplifiedLayerNormalization",
     "as input 0; mean and inverse deviation with 1 last; the sum as input 0"},
    {kMicrosoft, "EmbedLayerNormalization QEmbedLayerNormalization",
     "[batch, sequence, hidden], the mask's index [batch], the sum"},
    {kMicrosoft, "GroupNorm SkipGroupNorm GatedRMSNorm", "as input 0"},
    {kMicrosoft,
     "Attention QAttention MultiHeadAttention GroupQueryAttention PackedAttention "
     "PackedMultiHeadAttention PagedAttention SparseAttention DecoderMaskedMultiHeadAttention "
     "DecoderMaskedSelfAttention",
     "[batch, sequence, heads * size of a value]; present key and value with the past's length "
     "added"},
    {kMicrosoft,
     "MatMulNBits MatMulNBitsMlp MatMulNBitsQkv MatMulBnb4 MatMulFpQ4 "
     "MatMulBlockQuantizedFp4Weight MatMulBlockQuantizedFp8Weight",
     "input 0 with its last axis replaced by attribute N"},
    {kMicrosoft, "DynamicQuantizeMatMul MatMulInteger16 MatMulIntegerToFloat QOrderedMatMul QGemm",
     "as MatMul or Gemm"},
    {kMicrosoft, "QLinearAdd QLinearMul MulInteger QLinearWhere",
     "the operands broadcast to each other"},
    {kMicrosoft, "QLinearLeakyRelu QLinearSigmoid QLinearSoftmax", "as input 0"},
    {kMicrosoft, "QLinearAveragePool QLinearGlobalAveragePool",
     "as AveragePool or GlobalAveragePool"},
    {kMicrosoft, "QLinearConcat", "as Concat"},
    {kMicrosoft, "QLinearReduceMean ReduceSumInteger", "as ReduceMean"},
    {kMicrosoft, "GatherBlockQuantized TorchEmbedding", "as Gather"},
    {kMicrosoft, "MoE QMoE RotaryEmbedding MRotaryEmbedding", "as input 0"},
    {kMicrosoft, "CDist", "[rows of input 0, rows of input 1]"},
    {kMicrosoft, "ExpandDims", "as Unsqueeze"},
    {kMicrosoft, "UnfoldTensor",
     "windows along dim: floor((size - window) / step) + 1, and window last"},
    // ai.onnx.ml
    {kMl, "ArrayFeatureExtractor", "input 0 with as many last as input 1 has indices"},
    {kMl, "Binarizer Imputer", "as input 0"},
    {kMl, "Normalizer Scaler", "as input 0; float32"},
    {kMl, "CategoryMapper", "as input 0; int64 for strings, string for integers"},
    {kMl, "LabelEncoder", "as input 0; type of the values"},
    {kMl, "CastMap", "[1, keys], or max_map with a sparse map; type of attribute cast_to"},
    {kMl, "DictVectorizer", "[1, vocabulary]"},
    {kMl, "FeatureVectorizer", "[N, sum of inputdimensions]; float32"},
    {kMl, "OneHotEncoder", "input 0 with the categories last; float32"},
    {kMl, "LinearClassifier SVMClassifier TreeEnsembleClassifier",
     "labels [N], int64 or string, and scores [N, classes]"},
    {kMl, "LinearRegressor TreeEnsembleRegressor TreeEnsemble", "[N, targets]"},
    {kMl, "SVMRegressor", "[N, 1]"},
    {kMl, "ZipMap", "a sequence of maps from label to score"},
};

constexpr RuleText kTraffic[] = {
    {"", "Dropout", "nothing at inference, where it is a view; its input in training"},
};

constexpr RuleText kExamples[] = {
    {"", "Relu", "input x[1,64,56,56]; Relu(x) -> y"},
    {"", "Add", "input x[1,64,56,56]; constant b[64,1,1]; Add(x, b) -> y"},
    {"", "Max", "input x[2,8] z[8]; Max(x, z) -> y"},
    {"", "Equal", "input x[2,8] z[2,1]; Equal(x, z) -> y"},
    {"", "Conv",
     "input x[1,64,56,56]; constant w[128,64,3,3] b[128]; Conv(x, w, b) {pads=[1,1,1,1] "
     "strides=[2,2]} -> y"},
    {"", "ConvTranspose",
     "input x[1,64,28,28]; constant w[64,32,2,2]; ConvTranspose(x, w) {strides=[2,2]} -> y"},
    {"", "MatMul", "input x[1,128,768]; constant w[768,3072]; MatMul(x, w) -> y"},
    {"", "Gemm", "input x[8,2048]; constant w[1000,2048] c[1000]; Gemm(x, w, c) {transB=1} -> y"},
    {"", "MaxPool",
     "input x[1,64,112,112]; MaxPool(x) {kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]} -> y"},
    {"", "GlobalAveragePool", "input x[1,2048,7,7]; GlobalAveragePool(x) -> y"},
    {"", "BatchNormalization",
     "input x[1,64,56,56]; constant s[64] b[64] m[64] v[64]; BatchNormalization(x, s, b, m, v) -> "
     "y"},
    {"", "InstanceNormalization",
     "input x[1,64,56,56]; constant s[64] b[64]; InstanceNormalization(x, s, b) -> y"},
    {"", "LayerNormalization",
     "input x[1,128,768]; constant s[768] b[768]; LayerNormalization(x, s, b) -> y"},
    {"", "RMSNormalization", "input x[1,128,768]; constant s[768]; RMSNormalization(x, s) -> y"},
    {"", "Softmax", "input x[1,12,128,128]; Softmax(x) {axis=3} -> y"},
    {"", "ReduceSum", "input x[8,128,768]; integers a[1]=2; ReduceSum(x, a) -> y"},
    {"", "ReduceMean", "input x[8,128,768]; integers a[1]=2; ReduceMean(x, a) -> y"},
    {"", "ArgMax", "input x[8,1000]; ArgMax(x) {axis=1} -> y"},
    {"", "TopK", "input x[8,1000]; integers k[1]=5; TopK(x, k) -> y, i"},
    {"", "LSTM",
     "input x[20,1,64]; constant w[1,512,64] r[1,512,128]; LSTM(x, w, r) {hidden_size=128} -> y"},
    {"", "GRU",
     "input x[20,1,64]; constant w[1,384,64] r[1,384,128]; GRU(x, w, r) {hidden_size=128} -> y"},
    {"", "RNN",
     "input x[20,1,64]; constant w[1,128,64] r[1,128,128]; RNN(x, w, r) {hidden_size=128} -> y"},
    {"", "Attention",
     "input q[1,12,128,64] k[1,12,128,64] v[1,12,128,64]; Attention(q, k, v) -> y"},
    {"", "Reshape", "input x[8,128,768]; integers s[4]=0,0,12,64; Reshape(x, s) -> y"},
    {"", "Flatten", "input x[8,512,7,7]; Flatten(x) -> y"},
    {"", "Squeeze", "input x[8,512,1,1]; integers a[2]=2,3; Squeeze(x, a) -> y"},
    {"", "Unsqueeze", "input x[8,512]; integers a[1]=1; Unsqueeze(x, a) -> y"},
    {"", "Transpose", "input x[1,128,12,64]; Transpose(x) {perm=[0,2,1,3]} -> y"},
    {"", "Concat", "input x[1,64,56,56] z[1,32,56,56]; Concat(x, z) {axis=1} -> y"},
    {"", "Split", "input x[1,128,2304]; Split(x) {axis=2 num_outputs=3} -> q, k, v"},
    {"", "Slice", "input x[1,128,768]; integers b[1]=0 e[1]=64 a[1]=1; Slice(x, b, e, a) -> y"},
    {"", "Pad", "input x[1,64,56,56]; integers p[8]=0,0,1,1,0,0,1,1; Pad(x, p) -> y"},
    {"", "Expand", "input x[1,1,128]; integers s[3]=8,12,128; Expand(x, s) -> y"},
    {"", "Tile", "input x[1,128]; integers r[2]=8,1; Tile(x, r) -> y"},
    {"", "Gather", "constant t[30522,768]; integers i[2]=7,9; Gather(t, i) -> y"},
    {"", "Resize",
     "input x[1,64,28,28]; integers s[4]=1,64,56,56; Resize(x, _, _, s) {mode='linear'} -> y"},
    {"", "Upsample", ""},
    {"", "DepthToSpace", "input x[1,256,28,28]; DepthToSpace(x) {blocksize=2} -> y"},
    {"", "SpaceToDepth", "input x[1,64,56,56]; SpaceToDepth(x) {blocksize=2} -> y"},
    {"", "Shape", "input x[8,128,768]; Shape(x) -> y"},
    {"", "Cast", "input x[8,128]; Cast(x) {to=10} -> y"},
    {kMicrosoft, "Gelu", "input x[1,128,3072]; com.microsoft.Gelu(x) -> y"},
    {kMicrosoft, "FusedMatMul",
     "input x[1,12,128,64] z[1,12,128,64]; com.microsoft.FusedMatMul(x, z) {transB=1} -> y"},
    {kMicrosoft, "SkipLayerNormalization",
     "input x[1,128,768] s[1,128,768]; constant g[768] b[768]; "
     "com.microsoft.SkipLayerNormalization(x, s, g, b) -> y"},
    {kMicrosoft, "Attention",
     "input x[1,128,768]; constant w[768,2304] b[2304]; com.microsoft.Attention(x, w, b) "
     "{num_heads=12} -> y"},
    {kMicrosoft, "MultiHeadAttention",
     "input q[1,128,768] k[1,128,768] v[1,128,768]; com.microsoft.MultiHeadAttention(q, k, v) "
     "{num_heads=12} -> y"},
};

}  // namespace

std::span<const RuleText> shape_texts() { return kShapes; }
std::span<const RuleText> traffic_texts() { return kTraffic; }
std::span<const RuleText> example_texts() { return kExamples; }

}  // namespace ridge::ops
