#include "import/exec_graph.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "profile/precision.h"

namespace ridge::imports {
namespace {

struct Free {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};
using Parser = std::unique_ptr<XML_ParserStruct, Free>;

std::string first_of_list(std::string_view list) {
  return std::string(trimmed(list.substr(0, list.find(','))));
}

class Reader {
 public:
  Result<ExecGraph> run(std::string_view xml) {
    const Parser parser(XML_ParserCreate(nullptr));
    if (!parser)
      return environment_error("RIDGE-IMP-0024", "out of memory for the XML parser")
          .hint("free some memory");
    parser_ = parser.get();
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(parser_, begin, end);
    XML_SetCharacterDataHandler(parser_, text);
    XML_SetStartDoctypeDeclHandler(parser_, refuse);
    constexpr std::size_t kPiece = std::size_t{1} << 24;
    for (bool last = false; !last;) {
      const std::string_view piece = xml.substr(0, kPiece);
      xml.remove_prefix(piece.size());
      last = xml.empty();
      if (XML_Parse(parser_, piece.data(), static_cast<int>(piece.size()), last ? 1 : 0) !=
          XML_STATUS_OK)
        return broken();
    }
    if (out_.layers.empty())
      return input_error("RIDGE-IMP-0023", "the execution graph has no layer")
          .hint("pass the complete file written by benchmark_app -exec_graph_path");
    return std::move(out_);
  }

 private:
  Error broken() const {
    return input_error("RIDGE-IMP-0022", "the execution graph is not valid XML")
        .evidence(fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser_),
                              XML_ErrorString(XML_GetErrorCode(parser_))))
        .hint("pass the complete file written by benchmark_app -exec_graph_path");
  }

  static Reader& self(void* data) { return *static_cast<Reader*>(data); }

  static void refuse(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    XML_StopParser(self(data).parser_, XML_FALSE);
  }

  static void begin(void* data, const XML_Char* name, const XML_Char** attributes) {
    self(data).open(name, attributes);
  }
  static void end(void* data, const XML_Char* name) { self(data).close(name); }
  static void text(void* data, const XML_Char* text, int length) {
    Reader& reader = self(data);
    if (reader.in_dim_) reader.dim_.append(text, static_cast<std::size_t>(length));
  }

  void open(std::string_view element, const XML_Char** attributes) {
    if (element == "layer") {
      name_ = value(attributes, "name");
      type_ = value(attributes, "type");
      layer_ = {};
    } else if (element == "data") {
      data(attributes);
    } else if (element == "output") {
      in_output_ = true;
    } else if (element == "port" && in_output_) {
      layer_.outputs.emplace_back();
    } else if (element == "dim" && in_output_) {
      in_dim_ = true;
      dim_.clear();
    }
  }

  void close(std::string_view element) {
    if (element == "dim" && std::exchange(in_dim_, false) && !layer_.outputs.empty()) {
      layer_.outputs.back().push_back(whole_number<std::int64_t>(trimmed(dim_)).value_or(-1));
    } else if (element == "output") {
      in_output_ = false;
    } else if (element == "layer" && !name_.empty()) {
      if ((type_ == "Input" || type_ == "Parameter") && !layer_.outputs.empty())
        out_.inputs.try_emplace(name_, layer_.outputs.front());
      out_.layers.try_emplace(std::move(name_), std::move(layer_));
      name_.clear();
      layer_ = {};
    }
  }

  void data(const XML_Char** attributes) {
    layer_.precision = profile::precision_word(value(attributes, "runtimePrecision"));
    layer_.output_precision =
        profile::precision_word(first_of_list(value(attributes, "outputPrecisions")));
    const std::string originals = value(attributes, "originalLayersNames");
    for (std::string_view rest = originals; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma > 0) layer_.originals.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }

  static std::string value(const XML_Char** attributes, std::string_view key) {
    for (; attributes[0] != nullptr; attributes += 2)
      if (key == attributes[0]) return attributes[1];
    return "";
  }

  XML_Parser parser_ = nullptr;
  ExecGraph out_;
  std::string name_, type_, dim_;
  ExecLayer layer_;
  bool in_output_ = false, in_dim_ = false;
};

}  // namespace

Result<ExecGraph> read_exec_graph(std::string_view xml) { return Reader().run(xml); }

void describe(const ExecGraph& graph, Recorded& recorded) {
  std::int64_t missing = 0;
  for (RecordedLayer& layer : recorded.layers) {
    const auto at = graph.layers.find(layer.name);
    if (at == graph.layers.end()) {
      ++missing;
      continue;
    }
    const ExecLayer& exec = at->second;
    layer.parts = exec.originals;
    layer.outputs = exec.outputs;
    if (!exec.precision.empty()) layer.precision = exec.precision;
    if (exec.output_precision != layer.precision) layer.output_precision = exec.output_precision;
  }
  recorded.tensors = graph.inputs;
  if (missing > 0)
    recorded.notes.push_back(fmt::format("{} not in the execution graph: of another compilation?",
                                         counted(missing, "layer")));
}

}  // namespace ridge::imports
