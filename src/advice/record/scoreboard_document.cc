#include "advice/record/scoreboard_document.h"

#include "base/json_writer.h"

namespace ridge::advice {
namespace {

void write_share(JsonWriter& json, std::string_view key, const Share& share) {
  json.key(key).begin_object().key("count").value(share.count).key("of").value(share.of);
  json.key("share").value(share.value()).key("ci95");
  if (const std::optional<stats::Interval> interval = share.interval())
    json.begin_array().value(interval->lo).value(interval->hi).end_array();
  else
    json.null();
  json.end_object();
}

/// Writes the figures of a row or of the total into an open object.
void write_figures(JsonWriter& json, const ScoreRow& row) {
  json.key("checks").value(row.checks).key("judged").value(row.judged);
  json.key("repeated").value(row.repeated).key("predicted").value(row.predicted);
  write_share(json, "unpredictable", row.unpredictable);
  write_share(json, "within", row.within);
  write_share(json, "sign_right", row.sign_right);
  write_share(json, "covered", row.covered);
  write_share(json, "inside", row.inside);
  json.key("median_relative_error").value(row.median_error);
}

}  // namespace

void write_scoreboard(const Scoreboard& board, std::string_view ridge, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.advice_scoreboard/1").key("ridge").value(ridge);
  json.line().key("rows").begin_array();
  for (const ScoreRow& row : board.rows) {
    json.line().begin_object().key("kind").value(row.kind).key("host").value(row.host);
    json.key("runtime").value(row.runtime);
    write_figures(json, row);
    json.key("confidence").value_or_null(confidence(row)).end_object();
  }
  json.end_array().line().key("total").begin_object();
  write_figures(json, board.total);
  json.end_object().end_object().line();
}

}  // namespace ridge::advice
