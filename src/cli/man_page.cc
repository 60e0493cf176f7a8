// SPDX-License-Identifier: Apache-2.0
#include "cli/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/version.h"
#include "cli/flags/flag_parser.h"
#include "runtime/paths.h"

namespace ridge::cli {
namespace {

/// Text of a line of roff: it begins with no request, and its dashes can be copied.
std::string roff(std::string_view text) {
  std::string out = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string page_name(std::string_view verb) {
  std::string out = fmt::format("ridge-{}", verb);
  std::ranges::replace(out, ' ', '-');
  return out;
}

std::string head(std::string_view name, std::string_view summary) {
  return fmt::format(
      ".\\\" Made by `ridge help man` from src/cli; change that.\n"
      ".TH {} 1 \"\" \"ridge {}\" \"Ridgeline\"\n.SH NAME\n{} \\- {}\n",
      roff(name), version(), roff(name), roff(summary.substr(0, summary.rfind('.'))));
}

std::string examples(std::string_view lines) {
  std::string out = ".SH EXAMPLES\n.nf\n";
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    out += roff(lines.substr(0, end)) + "\n";
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return out + ".fi\n";
}

/// A paragraph with a hanging label.
std::string item(std::string_view label, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", label, text);
}

/// Placeholder for the value of a flag; "" of a flag without one.
std::string shown_value(const Flag& flag) {
  if (std::holds_alternative<bool*>(flag.target) ||
      std::holds_alternative<std::function<void()>>(flag.target))
    return "";
  if (!flag.shown.empty()) return flag.shown;
  if (!flag.values.empty()) return fmt::format("{}", fmt::join(flag.values, "|"));
  if (flag.bounds) return fmt::format("{}..{}", flag.bounds->first, flag.bounds->second);
  const bool text = std::holds_alternative<std::string*>(flag.target) ||
                    std::holds_alternative<std::vector<std::string>*>(flag.target) ||
                    std::holds_alternative<std::function<void(const std::string&)>>(flag.target);
  return text ? "TEXT" : "NUMBER";
}

std::string label(const Flag& flag) {
  std::string names = flag.names;
  for (std::size_t at = 0; (at = names.find(',', at)) != std::string::npos; at += 2)
    names.replace(at, 1, ", ");
  const std::string value = flag.names.starts_with('-') ? shown_value(flag) : "";
  return roff(names) + (value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(value)));
}

std::string flag_items(const Flags& flags, bool positional) {
  std::string out;
  for (const Flag& flag : flags.rows())
    if (flag.names.starts_with('-') != positional) out += item(label(flag), roff(flag.help));
  return out;
}

constexpr std::array<std::pair<Exit, std::string_view>, 7> kStatuses = {{
    {kDone, "Done."},
    {kCheckFailed, "Ran to its end, and a check failed: a limit was exceeded, a goal missed."},
    {kUsage, "The command line is wrong."},
    {kRejected, "The input was rejected."},
    {kEnvironment, "The machine, its software or its files prevent it."},
    {kBug, "A bug of ridge; the message says how to report it."},
    {kInterrupted, "Interrupted; what was measured until then is kept."},
}};

std::string statuses() {
  std::string out = ".SH EXIT STATUS\n";
  for (const auto& [status, meaning] : kStatuses)
    out += item(std::to_string(static_cast<int>(status)), roff(meaning));
  return out;
}

std::string environment() {
  std::string out = ".SH ENVIRONMENT\n";
  for (const runtime::KnownRuntime& known : runtime::known_runtimes())
    out += item(known.root_variable,
                roff(fmt::format("Installation of {} whose library is used.", known.title)));
  out += item("RIDGE_TVM", roff("Folder of the Python environment with TVM."));
  out += item("XDG_CACHE_HOME",
              roff("Parent of ridge's cache of measured roofs and fetched runtimes (~/.cache)."));
  return out;
}

}  // namespace

std::string man_page(std::span<const Verb> verbs) {
  std::string out = head("ridge", "inference performance of neural networks, node by node.");
  out += ".SH SYNOPSIS\n.B ridge\n.I VERB\n[\\fIARGUMENT\\fR ...]\n.SH DESCRIPTION\n" +
         roff(
             "Measures and explains the inference performance of neural networks, node by node of "
             "the ONNX model.") +
         "\n.SH VERBS\n";
  for (const Verb& verb : verbs) out += item(roff(verb.name), roff(verb.summary));
  out += statuses() + environment() + ".SH SEE ALSO\n";
  for (const Verb& verb : verbs)
    out += fmt::format(".BR {} (1){}\n", roff(page_name(verb.name)),
                       &verb == &verbs.back() ? "" : ",");
  return out;
}

std::string man_page(const Verb& verb) {
  Flags flags;
  const Run run = set_up(verb, flags);
  std::string out = head(page_name(verb.name), verb.summary);
  out += fmt::format(".SH SYNOPSIS\n.B ridge {}\n[\\fIOPTION\\fR ...]", roff(verb.name));
  for (const Flag& flag : flags.rows())
    if (!flag.names.starts_with('-')) out += fmt::format(" \\fI{}\\fR", roff(flag.names));
  out += fmt::format("\n.SH DESCRIPTION\n{}\n", roff(verb.summary));
  out += flag_items(flags, true) + ".SH OPTIONS\n" +
         item(fmt::format("\\-\\-{}", kHelpFlag), roff(kHelpOfHelp)) + flag_items(flags, false);
  return out + examples(verb.examples) + ".SH SEE ALSO\n.BR ridge (1)\n";
}

}  // namespace ridge::cli
