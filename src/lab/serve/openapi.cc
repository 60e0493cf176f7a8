// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/sink.h"
#include "base/version.h"
#include "lab/serve/describe.h"
#include "lab/serve/gate.h"
#include "lab/serve/routes.h"
#include "record/schema.h"

namespace ridge::lab::serve {
namespace {

using record::kType;

constexpr std::string_view kApi = "/api/v1";

/// "ridge.profile.1" of "ridge.profile/1"
std::string component_of(std::string_view schema) {
  std::string out(schema);
  std::ranges::replace(out, '/', '.');
  return out;
}

std::string reference_to(std::string_view schema) {
  return "#/components/schemas/" + component_of(schema);
}

/// A document's schema without line ends; documents in it are components too.
std::string schema_text(const record::Type& type) {
  StringSink sink;
  record::write_schema(type, sink);
  std::string out = sink.text();
  std::erase(out, '\n');
  constexpr std::string_view kFile = "\"$ref\":\"", kEnding = ".json\"";
  const std::string component = "\"$ref\":\"#/components/schemas/";
  for (std::size_t at = out.find(kFile); at != std::string::npos; at = out.find(kFile, at)) {
    out.replace(at, kFile.size(), component);
    at += component.size();
    out.erase(out.find(kEnding, at), kEnding.size() - 1);
  }
  return out;
}

/// Answers of errors, by status.
constexpr std::pair<unsigned, std::string_view> kRefusals[] = {
    {kBadRequest, "What was sent cannot be read, or asks for what is not possible."},
    {kUnauthorized, "Neither the session's cookie nor the token."},
    {kForbidden, "A page of another site asks, or a header is missing."},
    {kNotFound, "There is no such thing."},
    {kMisdirected, "The request is for another host."},
    {kUnavailable, "The store cannot be reached."},
};

/// Further ones of requests with a body.
constexpr std::pair<unsigned, std::string_view> kRefusalsOfBodies[] = {
    {kConflict, "Another runs; there is one at a time."},
    {kTooLarge, "The body has more bytes than it may have."},
};

constexpr std::size_t kManyItems = 1000;  // a limit of items that is none

class Writer {
 public:
  explicit Writer(JsonWriter& json) : json_(json) {}

  void document() {
    json_.begin_object().line().key("openapi").value("3.1.0").line().key("info");
    json_.begin_object().key("title").value("ridge serve").key("version").value("1");
    json_.key("description")
        .value(
            "Results of a run database. Names and meanings are as in "
            "the documents that the verbs of ridge write.");
    json_.key("license").begin_object().key("name").value("Apache-2.0");
    json_.key("identifier").value("Apache-2.0").end_object().end_object();
    json_.line().key("security").begin_array();
    json_.begin_object().key("token").begin_array().end_array().end_object().end_array();
    json_.line().key("paths").begin_object();
    paths();
    json_.line().end_object().line().key("components").begin_object();
    json_.key("securitySchemes").begin_object().key("token").begin_object();
    json_.key("type").value("http").key("scheme").value("bearer").end_object().end_object();
    json_.key("schemas").begin_object();
    components();
    json_.line().end_object().end_object().line().end_object();
  }

 private:
  /// Routes of one path stand together in the table.
  void paths() {
    std::string_view last;
    for (const Route& route : routes()) {
      if (!route.is_api()) continue;
      if (route.path != last) {
        if (!last.empty()) json_.end_object();
        json_.line().name(route.path).begin_object();
        last = route.path;
      }
      operation(route);
    }
    json_.end_object();
  }

  void operation(const Route& route) {
    std::string method(route.method);
    for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
    json_.line().name(method).begin_object();
    json_.key("summary").value(route.summary).key("operationId").value(id_of(route));
    json_.key("parameters").begin_array();
    path_parameter(route);
    if (route.query != nullptr)
      for (const record::Field& field : route.query->fields()) query_parameter(field);
    json_.end_array();
    if (!route.body.empty()) request_body(route);
    json_.key("responses").begin_object();
    json_.name(fmt::format("{}", route.status)).begin_object();
    json_.key("description").value(route.summary).key("content").begin_object();
    json_.name(route.type).begin_object();
    if (route.answer != nullptr) schema_reference(route.answer->schema);
    json_.end_object().end_object().end_object();
    for (const auto& [status, meaning] : kRefusals) refusal(status, meaning);
    if (!route.body.empty())
      for (const auto& [status, meaning] : kRefusalsOfBodies) refusal(status, meaning);
    if (route.method == "GET") {
      json_.name(fmt::format("{}", +kNotModified)).begin_object().key("description");
      json_.value("A tag in If-None-Match equals the tag of the answer.").end_object();
    }
    json_.end_object().end_object();
  }

  void request_body(const Route& route) {
    json_.key("requestBody").begin_object().key("required").value(true);
    json_.key("description").value(route.body).key("content").begin_object();
    json_.key("application/json").begin_object();
    if (route.request != nullptr)
      schema_reference(route.request->schema);
    else
      job_schema();
    json_.end_object().end_object().end_object();
  }

  void job_schema() {
    json_.key("schema").begin_object().key("type").value("object").key("required").begin_array();
    json_.value("verb").value("model").end_array().key("properties").begin_object();
    json_.key("verb").begin_object().key("enum").begin_array();
    json_.value("eval").value("bench").end_array().end_object().key("model").begin_object();
    json_.key("type").begin_array().value("string").value("array").end_array();
    json_.key("items").begin_object().key("type").value("string").end_object();
    json_.key("minItems").value(1).end_object().end_object().end_object();
  }

  /// "get_runs_run" of GET /api/v1/runs/{run}.
  static std::string id_of(const Route& route) {
    std::string_view path = route.path;
    if (path.starts_with(kApi)) path.remove_prefix(kApi.size());
    std::string out(route.method);
    for (char& c : out) c = static_cast<char>(c - 'A' + 'a');
    for (const char c : path)
      if (c != '{' && c != '}') out += c == '/' || c == '.' ? '_' : c;
    return out;
  }

  void refusal(unsigned status, std::string_view meaning) {
    json_.name(fmt::format("{}", status)).begin_object().key("description").value(meaning);
    json_.key("content").begin_object().key("application/json").begin_object();
    schema_reference(kType<ErrorDocument>.schema);
    json_.end_object().end_object().end_object();
  }

  void schema_reference(std::string_view schema) {
    json_.key("schema").begin_object().key("$ref").value(reference_to(schema)).end_object();
  }

  void path_parameter(const Route& route) {
    const std::size_t open = route.path.find('{');
    if (open == std::string_view::npos) return;
    const std::string_view name = route.path.substr(open + 1, route.path.find('}') - open - 1);
    json_.line().begin_object().key("name").value(name).key("in").value("path");
    json_.key("required").value(true).key("schema").begin_object().key("type").value("integer");
    json_.key("minimum").value(1).end_object().end_object();
  }

  void query_parameter(const record::Field& field) {
    const record::Type& type = record::present(*field.type);
    const bool is_list = type.form == record::Form::kList;
    const record::Type& item = is_list ? *type.item : type;
    json_.line().begin_object().key("name").value(field.name).key("in").value("query");
    json_.key("description").value(field.text);
    if (is_list) json_.key("style").value("form").key("explode").value(false);
    if (field.min_items > 0) json_.key("required").value(true);
    json_.key("schema").begin_object();
    if (is_list) {
      json_.key("type").value("array");
      if (field.min_items > 0)
        json_.key("minItems").value(static_cast<std::int64_t>(field.min_items));
      if (field.max_items < kManyItems)
        json_.key("maxItems").value(static_cast<std::int64_t>(field.max_items));
      json_.key("items").begin_object();
    }
    if (item.form == record::Form::kInteger)
      integer_schema(field, item);
    else
      json_.key("type").value("string").key("pattern").value("^[^\\u0000-\\u001f\\u007f]*$");
    if (is_list) json_.end_object();
    json_.end_object().end_object();
  }

  /// Within the bounds of the field and those of its type.
  void integer_schema(const record::Field& field, const record::Type& type) {
    constexpr std::int64_t kBitsOfByte = 8;
    const auto bits = kBitsOfByte * type.size - (type.is_signed ? 1 : 0);
    std::int64_t most = bits < 63 ? (std::int64_t{1} << bits) - 1 : INT64_MAX;
    std::int64_t least = type.is_signed ? -most - 1 : 0;
    if (field.least > static_cast<double>(least)) least = static_cast<std::int64_t>(field.least);
    if (field.most < static_cast<double>(most)) most = static_cast<std::int64_t>(field.most);
    json_.key("type").value("integer").key("minimum").value(least).key("maximum").value(most);
  }

  /// Documents that are answered or sent, with those that stand in them.
  void components() {
    std::vector<const record::Type*> types = {&kType<ErrorDocument>};
    for (const Route& route : routes())
      for (const record::Type* type : {route.answer, route.request})
        if (type != nullptr) types.push_back(type);
    std::ranges::sort(types, {}, &record::Type::schema);
    std::string_view last;
    for (const record::Type* type : types) {
      if (type->schema == last) continue;
      last = type->schema;
      json_.line().name(component_of(last)).raw(schema_text(*type));
    }
  }

  JsonWriter& json_;
};

}  // namespace

std::string openapi_document() {
  StringSink sink;
  JsonWriter json(sink);
  Writer(json).document();
  return sink.text() + "\n";
}

Result<Answer> show_openapi(Service&, const Call&) {
  static const std::string document = openapi_document();
  return Answer::json(document);
}

}  // namespace ridge::lab::serve
