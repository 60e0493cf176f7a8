// SPDX-License-Identifier: Apache-2.0
#include "onnx/kind.h"

#include <algorithm>
#include <array>

namespace ridge::onnx {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  ForeignFormat format;
};

constexpr std::string_view kExport = "export the model to ONNX (torch.onnx.export)";

// Interpreted as protobuf, each of these would be invalid or begin with fields unknown to ONNX.
constexpr std::string_view kLfsPointer = "version https://git-lfs";
constexpr std::array kMagics = {
    Magic{kLfsPointer, {"a Git LFS pointer", "fetch the model with 'git lfs pull'"}},
    Magic{"\x1f\x8b"sv, {"gzip data", "unpack it with gunzip first"}},
    Magic{"\x28\xb5\x2f\xfd"sv, {"zstd data", "unpack it with unzstd first"}},
    Magic{"\xfd"
          "7zXZ\0"sv,
          {"xz data", "unpack it with unxz first"}},
    Magic{"BZh"sv, {"bzip2 data", "unpack it with bunzip2 first"}},
    Magic{"GGUF"sv, {"a GGUF model", "use an ONNX export of the same network"}},
    Magic{"\x89HDF\r\n\x1a\n"sv,
          {"an HDF5 file (a Keras model?)", "convert it with tf2onnx (--keras)"}},
    Magic{"\x93NUMPY"sv, {"a NumPy array", "specify the model, not its data"}},
    Magic{"\x80\x02"sv, {"a Python pickle (a PyTorch checkpoint?)", kExport}},
    Magic{"\x7f"
          "ELF"sv,
          {"a program or shared library", "give an .onnx file"}},
    Magic{"\x89PNG"sv, {"a PNG image", "give an .onnx file"}},
    Magic{"%PDF"sv, {"a PDF document", "give an .onnx file"}},
};

constexpr ForeignFormat kPyTorch = {"a PyTorch archive (.pt)", kExport};
constexpr ForeignFormat kZip = {"a zip archive", "unpack it first"};
constexpr ForeignFormat kOrt = {"an ONNX Runtime .ort model",
                                "give the .onnx file that it was converted from"};
constexpr ForeignFormat kTflite = {"a TensorFlow Lite model", "convert it with tf2onnx (--tflite)"};
constexpr ForeignFormat kSafetensors = {"a safetensors file",
                                        "it holds weights without a graph; give an ONNX export"};
constexpr ForeignFormat kHtml = {"a web page", "the download gave a page instead of the model"};
constexpr ForeignFormat kOpenVino = {"an XML file (OpenVINO IR?)",
                                     "give the .onnx file that it was converted from"};
constexpr ForeignFormat kJson = {"JSON text",
                                 "save the model in binary: onnx.save(onnx.load(f, 'json'), g)"};
constexpr ForeignFormat kTextProto = {"a model as protobuf text",
                                      "save it in binary: onnx.save(onnx.load(f, 'textproto'), g)"};
constexpr ForeignFormat kText = {"text", "give an .onnx file"};
constexpr ForeignFormat kTar = {"a tar archive", "unpack it with 'tar xf' first"};
constexpr ForeignFormat kOnnxText = {"a model in ONNX's text syntax",
                                     "save it in binary: onnx.save(onnx.parser.parse_model(s), g)"};

bool begins_with(std::string_view text, std::string_view lower) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [&](char wanted, char given) { return same(given, wanted); });
}

const ForeignFormat* text_format(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const std::size_t start = head.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return nullptr;
  head.remove_prefix(start);
  if (begins_with(head, "<!doctype") || begins_with(head, "<html")) return &kHtml;
  if (begins_with(head, "<?xml")) return &kOpenVino;
  if (head.front() == '<' && head.find("ir_version") != std::string_view::npos) return &kOnnxText;
  // Interpreted as protobuf, a brace would open a group, which ONNX does not use.
  if (head.front() == '{' || head.front() == '[') return &kJson;
  for (const std::string_view field :
       {"ir_version:"sv, "producer_name:"sv, "opset_import {"sv, "graph {"sv, "node {"sv}) {
    if (head.starts_with(field)) return &kTextProto;
  }
  return nullptr;
}

/// True for a tar header: the first member's name, its mode in octal digits, and the magic. The
/// magic alone may also occur in a name or a tensor of a model.
bool is_tar(std::string_view head) {
  return head.size() > 262 && head[0] > ' ' && head.substr(100, 3) == "000" &&
         head.substr(257, 5) == "ustar";
}

/// Detects formats with a magic after an offset or a length. An ONNX model may have its producer's
/// name there, so the zero bytes of a small offset are checked too.
const ForeignFormat* flat_format(std::string_view head) {
  if (head.size() < 12) return nullptr;
  if (head[3] == '\0' && head.substr(4, 4) == "ORTM") return &kOrt;
  if (head[3] == '\0' && head.substr(4, 4) == "TFL3") return &kTflite;
  const bool small_length = head.substr(4, 4) == std::string_view("\0\0\0\0", 4);
  return small_length && head.substr(8, 2) == "{\"" ? &kSafetensors : nullptr;
}

}  // namespace

bool is_lfs_pointer(std::string_view head) { return head.starts_with(kLfsPointer); }

const ForeignFormat* foreign_format(std::string_view head) {
  if (head.starts_with("PK\x03\x04")) {
    const bool torch = head.find("/data.pkl") != std::string_view::npos ||
                       head.find("/version") != std::string_view::npos;
    return torch ? &kPyTorch : &kZip;
  }
  if (is_tar(head)) return &kTar;
  if (const ForeignFormat* format = flat_format(head); format != nullptr) return format;
  for (const Magic& magic : kMagics) {
    if (head.starts_with(magic.bytes)) return &magic.format;
  }
  return text_format(head);
}

const ForeignFormat* plain_text(std::string_view head) {
  const auto printed = [](char c) {
    return (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) || c == '\t' || c == '\n' ||
           c == '\r';
  };
  return std::all_of(head.begin(), head.end(), printed) ? &kText : nullptr;
}

}  // namespace ridge::onnx
