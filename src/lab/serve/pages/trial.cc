// SPDX-License-Identifier: Apache-2.0
// Pages that try models on a sample, and show what each made of it.
#include <fmt/format.h>

#include "base/numeral.h"
#include "base/text.h"
#include "lab/serve/pages/frame.h"
#include "lab/serve/queries.h"
#include "lab/serve/service.h"
#include "report/kit/markup.h"
#include "runtime/paths.h"
#include "zoo/zoo.h"

namespace ridge::lab::serve {
namespace {

using report::text_cell;

constexpr int kShownDigits = 3;

std::string try_form(const std::string& registry) {
  std::string out =
      "<form id=\"try\"><label>models (1 to 4) <select name=\"models\" multiple required "
      "size=\"8\">";
  for (const ServedModel& model : models_of(registry).models)
    out += fmt::format("<option>{}</option>", html_escape(model.model));
  for (const zoo::Entry& entry : zoo::entries())
    out += fmt::format("<option>zoo:{}</option>", html_escape(entry.name));
  out +=
      "</select></label><label>runtimes (none: the model's) <select name=\"runtimes\" multiple "
      "size=\"8\">";
  for (const runtime::KnownRuntime& known : runtime::known_runtimes())
    out += fmt::format("<option value=\"{}\">{}</option>", known.name, known.title);
  return out +
         "</select></label><label>picture (JPEG, PNG), tensor (.npy) or text (.txt) <input "
         "type=\"file\" name=\"sample\" accept=\".jpg,.jpeg,.png,.npy,.txt\"></label>"
         "<label>or a text <textarea name=\"text\" rows=\"4\"></textarea></label>"
         "<button>try</button><output id=\"refusal\"></output></form>\n";
}

std::string class_text(const TriedClass& c) {
  const std::string name = c.name.empty() ? fmt::format("class {}", c.number) : c.name;
  return fmt::format("{} {}", html_escape(name), significant(c.score, kShownDigits));
}

std::string lines(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "<br>"));
}

std::string answer_cell(const TriedPair& pair) {
  std::vector<std::string> texts;
  if (pair.error) {
    texts = {html_escape(pair.error->message), html_escape(pair.error->evidence),
             html_escape(pair.error->hint), html_escape(pair.error->code)};
    std::erase(texts, "");
    return "<td class=\"failed\">" + lines(texts) + "</td>";
  }
  if (!pair.answer) return "<td>no steps after the run</td>";
  for (const TriedClass& c : pair.answer->classes) texts.push_back(class_text(c));
  for (const TriedBox& box : pair.answer->boxes)
    texts.push_back(
        fmt::format("{} at {}, {} to {}, {}", class_text(box.of),
                    significant(box.left, kShownDigits), significant(box.top, kShownDigits),
                    significant(box.right, kShownDigits), significant(box.bottom, kShownDigits)));
  if (!pair.answer->text.empty()) texts.push_back(html_escape(pair.answer->text));
  return "<td>" + lines(texts) + "</td>";
}

std::string latency_cell(const TriedPair& pair) {
  std::vector<std::string> texts;
  if (pair.median) {
    texts.push_back(duration(pair.median->value_ns));
    if (pair.median->interval)
      texts.push_back(fmt::format("{} to {}", duration(pair.median->interval->lo),
                                  duration(pair.median->interval->hi)));
    texts.push_back(fmt::format("{} queries", pair.queries));
  }
  for (const std::string& note : pair.notes) texts.push_back(html_escape(note));
  return "<td>" + lines(texts) + "</td>";
}

std::string outputs_cell(const TriedPair& pair) {
  std::vector<std::string> texts;
  for (const TriedOutput& output : pair.outputs) {
    std::vector<std::string> first;
    for (const double value : output.first) first.push_back(significant(value, kShownDigits));
    texts.push_back(fmt::format("<b>{}</b> {} {}: {}", html_escape(output.name), output.type,
                                fmt::join(output.shape, "x"), fmt::join(first, " ")));
  }
  return "<td>" + lines(texts) + "</td>";
}

std::string results(const Trial& trial) {
  std::string rows;
  for (const TriedPair& pair : trial.pairs)
    rows += "<tr>" + text_cell(pair.model) + text_cell(pair.runtime) + latency_cell(pair) +
            answer_cell(pair) + outputs_cell(pair) + "</tr>\n";
  return fmt::format(
             "<div id=\"trial\" data-state=\"{}\">\n<p class=\"sub\">{} of {} done: {}</p>\n",
             word(trial.state), trial.pairs.size(), trial.asked, word(trial.state)) +
         report::scrolled(
             "<table id=\"pairs\"><thead><tr><th>model</th><th>runtime</th><th>median latency"
             "</th><th>answer</th><th>outputs</th></tr></thead><tbody>\n" +
             rows + "</tbody></table>\n") +
         "</div>\n";
}

}  // namespace

Result<Answer> try_page(Service& service, const Call&) {
  std::string markup = "<h1>Try</h1>\n";
  markup +=
      service.trials
          ? "<p class=\"sub\">Models on a picture, tensor or text of your own: what each answers, "
            "and how long it takes on this machine.</p>\n" +
                try_form(service.registry)
          : "<p class=\"sub\">This server tries no models: ridge serve --allow-run does."
            "</p>\n";
  return page_answer("try", {"ridge: try", std::move(markup), kServedFooter});
}

Result<Answer> trial_page(Service& service, const Call& call) {
  if (!service.trials) return try_page(service, call);
  const Trial trial = TRY(service.trials->find(call.id));
  const std::string sample = trial.name.empty() ? std::string(word(trial.kind)) : trial.name;
  return page_answer("try", {fmt::format("ridge: try {}", trial.id),
                             fmt::format("<h1>Try {}: {}</h1>\n", trial.id, html_escape(sample)) +
                                 results(trial) + "<p><a href=\"/try\">another</a></p>\n",
                             kServedFooter});
}

}  // namespace ridge::lab::serve
