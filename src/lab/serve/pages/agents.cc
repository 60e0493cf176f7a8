// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/pages/agents.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lab/serve/agent_age.h"
#include "lab/serve/pages/cells.h"
#include "report/kit/markup.h"

namespace ridge::lab::serve {
namespace {

using report::column;
using report::text_cell;
using store::AgentState;

/// Models that a cell names.
constexpr std::size_t kNamedModels = 6;

std::string state_text(const store::Agent& agent, std::int64_t now_s) {
  std::string out(word(agent.state));
  if (is_silent(agent, now_s)) out += ", but silent";
  if (!agent.doing.empty()) out += ": " + agent.doing;
  if (!agent.reason.empty()) out += ": " + agent.reason;
  return out;
}

std::string state_cell(const store::Agent& agent, std::int64_t now_s) {
  const bool is_bad = agent.state == AgentState::kGone || is_silent(agent, now_s);
  return fmt::format("<td class=\"name{}\">{}</td>", is_bad ? " failed" : "",
                     html_escape(state_text(agent, now_s)));
}

std::string models_text(const store::Agent& agent) {
  std::string out;
  const std::size_t named = std::min(agent.models.size(), kNamedModels);
  for (std::size_t i = 0; i < named; ++i) out += (i == 0 ? "" : ", ") + agent.models[i].model;
  if (agent.models.size() > named) out += fmt::format(" and {} more", agent.models.size() - named);
  return out;
}

std::string agent_row(const store::AgentRow& row, std::int64_t now_s) {
  const store::Agent& agent = row.agent;
  return "<tr>" + text_cell(agent.name) + state_cell(agent, now_s) +
         date_cell(agent.last_s, age_text(agent.last_s, now_s)) +
         text_cell(store::runtimes_text(agent.runtimes)) + text_cell(models_text(agent)) +
         text_cell(agent.machine) + text_cell(agent.ridge_version) +
         fmt::format("<td class=\"n\"><a href=\"/experiments/{0}\">{0}</a></td></tr>\n",
                     row.experiment);
}

}  // namespace

std::string agents_table(const std::vector<store::AgentRow>& agents, std::int64_t now_s) {
  std::string rows;
  for (const store::AgentRow& row : agents) rows += agent_row(row, now_s);
  return report::scrolled("<table class=\"sortable\" id=\"agents\"><thead><tr>" +
                          column("agent", false) + column("what it does", false) +
                          column("last sign of life", true) + column("runtimes", false) +
                          column("models", false) + column("machine", false) +
                          column("ridge", false) + column("experiment", true) +
                          "</tr></thead><tbody>\n" + rows + "</tbody></table>\n");
}

}  // namespace ridge::lab::serve
