// SPDX-License-Identifier: Apache-2.0
// Elements of an XML document, one after the other (expat).
//
//   struct Names : XmlHandler {
//     void open(std::string_view element, const XmlAttributes& attributes) override {
//       if (element == "layer") names.push_back(std::string(attributes["name"]));
//     }
//     std::vector<std::string> names;
//   } handler;
//   if (const std::optional<XmlFault> fault = read_xml(text, handler)) fault->line, fault->what
//
// Documents are untrusted: a document type, and with it every entity, is refused, and elements nest
// at most 32 levels deep. Time is linear in the text; memory holds one tag. Thread rule: pure,
// except for the handler.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge {

class XmlAttributes {
 public:
  /// `pairs`: names and values in turn, ended by nullptr; borrowed.
  explicit XmlAttributes(const char* const* pairs) : pairs_(pairs) {}
  /// The value of an attribute; "" where the element lacks it.
  std::string_view operator[](std::string_view name) const;

 private:
  const char* const* pairs_;
};

class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void open(std::string_view element, const XmlAttributes& attributes) = 0;
  virtual void close(std::string_view element) = 0;
  /// A piece of the text inside an element; what lies between two tags may come in several.
  virtual void text(std::string_view) {}

  /// Ends the document with a fault, which counts if it is the first.
  void stop(std::string what);
  const std::optional<std::string>& stopped() const { return stopped_; }

 private:
  std::optional<std::string> stopped_;
};

struct XmlFault {
  std::size_t line = 0;
  std::string what;
};

/// Calls the handler for all of the document, or until a fault.
std::optional<XmlFault> read_xml(std::string_view document, XmlHandler& handler);

}  // namespace ridge
