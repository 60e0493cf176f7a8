// SPDX-License-Identifier: Apache-2.0
#include "base/xml.h"

#include <expat.h>

#include <memory>
#include <new>
#include <utility>

namespace ridge {
namespace {

constexpr std::size_t kMaxDepth = 32;
/// Bytes at a time: expat counts them in int.
constexpr std::size_t kPiece = std::size_t{1} << 24;

struct Free {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};

/// A document that is being read.
struct Reading {
  XML_Parser parser;
  XmlHandler& handler;
  std::size_t depth = 0;

  void stop(const char* what) {
    handler.stop(what);
    end_if_stopped();
  }
  void end_if_stopped() const {
    if (handler.stopped()) XML_StopParser(parser, XML_FALSE);
  }
};

Reading& reading(void* data) { return *static_cast<Reading*>(data); }

void open(void* data, const XML_Char* element, const XML_Char** attributes) {
  Reading& r = reading(data);
  if (++r.depth > kMaxDepth) return r.stop("elements nest too deep");
  r.handler.open(element, XmlAttributes(attributes));
  r.end_if_stopped();
}

void close(void* data, const XML_Char* element) {
  Reading& r = reading(data);
  // An empty element is closed even if its opening ended the document.
  if (r.handler.stopped()) return;
  --r.depth;
  r.handler.close(element);
  r.end_if_stopped();
}

void text(void* data, const XML_Char* text, int length) {
  Reading& r = reading(data);
  if (r.handler.stopped()) return;
  r.handler.text({text, static_cast<std::size_t>(length)});
  r.end_if_stopped();
}

void refuse(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
  reading(data).stop("a document type");
}

}  // namespace

std::string_view XmlAttributes::operator[](std::string_view name) const {
  for (const char* const* at = pairs_; *at != nullptr; at += 2)
    if (name == *at) return at[1];
  return "";
}

void XmlHandler::stop(std::string what) {
  if (!stopped_) stopped_ = std::move(what);
}

std::optional<XmlFault> read_xml(std::string_view document, XmlHandler& handler) {
  const std::unique_ptr<XML_ParserStruct, Free> parser(XML_ParserCreate(nullptr));
  if (!parser) throw std::bad_alloc();
  Reading state{parser.get(), handler};
  XML_SetUserData(parser.get(), &state);
  XML_SetElementHandler(parser.get(), open, close);
  XML_SetCharacterDataHandler(parser.get(), text);
  XML_SetStartDoctypeDeclHandler(parser.get(), refuse);
  for (bool last = false; !last;) {
    const std::string_view piece = document.substr(0, kPiece);
    document.remove_prefix(piece.size());
    last = document.empty();
    if (XML_Parse(parser.get(), piece.data(), static_cast<int>(piece.size()), last ? 1 : 0) ==
        XML_STATUS_OK)
      continue;
    return XmlFault{XML_GetCurrentLineNumber(parser.get()),
                    handler.stopped().value_or(XML_ErrorString(XML_GetErrorCode(parser.get())))};
  }
  return std::nullopt;
}

}  // namespace ridge
