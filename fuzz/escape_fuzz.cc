// SPDX-License-Identifier: Apache-2.0
// Arbitrary text as names of a model, in every output format: JSON reads back as the same text, CSV
// as one field, HTML and Markdown have no additional tag, terminal output has no control character.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/text.h"
#include "check.h"
#include "export/table.h"
#include "report/profile/page.h"

namespace {

using nlohmann::json;
using ridge::fuzz::check;

/// Text with invalid UTF-8 replaced by the JSON library (as an independent reference).
std::string replaced(const std::string& text) {
  const std::string quoted = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(quoted).get<std::string>();
}

void check_json(const std::string& text) {
  ridge::StringSink sink;
  {
    ridge::JsonWriter writer(sink);
    writer.begin_object().name(text).value(text).key("k").value(text).end_object();
  }
  const json back = json::parse(sink.text());
  const std::string expected = replaced(text);
  check(back.contains(expected));
  if (expected != "k") check(back[expected] == expected);
  check(back["k"] == expected);
  check(ridge::valid_utf8(text) == expected);
}

/// Fields of a CSV line by RFC 4180.
std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      check(quoted || (c != '\n' && c != '\r'));
      fields.back() += c;
    }
  }
  check(!quoted);
  return fields;
}

bool evaluated(char c) { return std::string_view("=+-@\t\r").find(c) != std::string_view::npos; }

/// C1 and bidirectional control characters in UTF-8, which affect terminals and pages.
std::vector<std::string> concealing() {
  std::vector<std::string> out;
  for (int c = 0x80; c <= 0x9f; ++c) out.push_back({'\xc2', static_cast<char>(c)});
  for (int c = 0xaa; c <= 0xae; ++c) out.push_back({'\xe2', '\x80', static_cast<char>(c)});
  for (int c = 0xa6; c <= 0xa9; ++c) out.push_back({'\xe2', '\x81', static_cast<char>(c)});
  return out;
}

void check_csv(const std::string& text) {
  const std::vector<std::string> fields =
      csv_fields("a," + ridge::csv_field(text) + "," + ridge::csv_field(text));
  check(fields.size() == 3 && fields[1] == fields[2]);
  const std::string& field = fields[1];
  check(field.empty() == text.empty());
  if (!field.empty()) check(!evaluated(field[0]));
  check(replaced(field) == field);  // valid UTF-8
  for (const std::string& hidden : concealing()) check(field.find(hidden) == std::string::npos);
  bool plain = true;
  for (const char c : text) plain = plain && c >= 0x20 && c < 0x7f;
  if (plain) check(field == (!text.empty() && evaluated(text[0]) ? "'" + text : text));
}

void check_html(const std::string& text) {
  const std::string escaped = ridge::html_escape(text);
  for (const char c : {'<', '>', '"', '\''}) check(escaped.find(c) == std::string::npos);
  for (std::size_t at = escaped.find('&'); at != std::string::npos;
       at = escaped.find('&', at + 1)) {
    const std::string_view entity = std::string_view(escaped).substr(at);
    check(entity.starts_with("&amp;") || entity.starts_with("&lt;") || entity.starts_with("&gt;") ||
          entity.starts_with("&quot;") || entity.starts_with("&#39;"));
  }
}

void check_terminal(const std::string& text) {
  const std::string shown = ridge::printable(text);
  for (const char c : shown) check(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  check(replaced(shown) == shown);  // valid UTF-8
}

ridge::profile::Profile profile_named(const std::string& text) {
  using namespace ridge::profile;
  Profile p;
  p.subject.path = p.subject.producer = text;
  p.subject.bindings[text] = {2, false};
  p.latency.processes.push_back({.samples_ns = {10, 11, 12}, .steadiness = "flat"});
  p.latency.ns = {11, {{10, 12}}};
  p.nodes.push_back(
      {.index = 0, .name = text, .op_type = text, .module = text, .status = "counted"});
  Layer l{.index = 0, .name = text, .type = text, .precision = "float32"};
  l.module = text;
  l.share = 1;
  l.members.push_back({0, Role::kExecutes, Evidence::kSameTensor});
  l.kernels.push_back({text, text, {5, {{4, 6}}}});
  p.layers.push_back(std::move(l));
  p.modules = {{.path = ""}, {.path = text, .depth = 1}};
  p.notes.push_back(text);
  return p;
}

std::size_t count(std::string_view text, char wanted) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), wanted));
}

/// Checks that a page has as many tags as one of the same model with harmless names.
void check_page(const std::string& text) {
  static const std::string harmless = ridge::report::profile_page(profile_named("name"), {});
  const std::string page = ridge::report::profile_page(profile_named(text), {});
  for (const char c : {'<', '>'}) check(count(page, c) == count(harmless, c));
}

/// Checks that a table keeps its rows, and that no control character or tag is left.
void check_tables(const std::string& text) {
  ridge::exports::Table table({{"one"}, {"two"}});
  table.add({text, "x"});
  const std::string shown = table.text(), markdown = table.markdown();
  check(count(shown, '\n') == 3 && count(markdown, '\n') == 3);
  check(markdown.find('<') == std::string::npos);
  for (const std::string* t : {&shown, &markdown})
    for (const char c : *t)
      check(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_json(text);
  check_csv(text);
  check_html(text);
  check_terminal(text);
  check_tables(text);
  if (!text.empty() && text.find('/') == std::string::npos) check_page(text);
  return 0;
}
