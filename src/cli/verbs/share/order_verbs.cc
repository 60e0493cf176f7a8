// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "base/file.h"
#include "base/numeral.h"
#include "base/text.h"
#include "cli/document.h"
#include "cli/flags/document_options.h"
#include "cli/share_folder.h"
#include "cli/verbs/share/daemon_verbs.h"
#include "export/table.h"
#include "sharing/run/start_daemon.h"

namespace ridge::cli {
namespace {

using sharing::Ask;
using sharing::Client;
using sharing::ShareList;
using sharing::What;

/// A load may read a file from a slow disk.
constexpr Nanos kForLoads{600'000'000'000};
constexpr std::size_t kShownKey = 12;

struct ShareModels {
  std::vector<std::string> models;
  std::string level = "memory";
};

/// A file by its absolute path; what is none of a file goes as it is: a key.
std::string named_model(const std::string& model) {
  std::error_code failed;
  const bool is_key =
      !file_exists(model) && model.find_first_not_of("0123456789abcdef") == std::string::npos;
  const std::filesystem::path path = std::filesystem::absolute(model, failed);
  return is_key || failed ? model : path.lexically_normal().string();
}

/// The daemon, which is started for an order that has something done.
Result<Client> daemon_for(What what) {
  if (what != What::kPin) return Client::connect(share_folder());
  return sharing::connect_or_start(
      {.program = "/proc/self/exe", .folder = share_folder(), .arguments = {"--idle-exit", "10m"}});
}

Result<void> order_models(What what, std::string_view done, const ShareModels& options,
                          Console& console) {
  Client client = TRY(daemon_for(what));
  for (const std::string& model : options.models) {
    const Ask ask{.what = what,
                  .model = named_model(model),
                  .level = *find_word<sharing::Level>(options.level),
                  .wait = true};
    TRY(client.order(ask, kForLoads));
    console.out.write(fmt::format("{}: {}\n", printable(model), done));
  }
  return {};
}

template <typename Options, typename Do>
Run run_order(std::shared_ptr<Options> options, Do act) {
  return [options = std::move(options), act](Console& console) {
    const Result<void> done = act(*options, console);
    return done.ok() ? static_cast<int>(kDone) : report(console, done.error());
  };
}

Run set_up_order(Flags& flags, What what, std::string_view done) {
  auto o = std::make_shared<ShareModels>();
  flags.add("MODEL", o->models, "files, or keys that ridge share list shows").required();
  flags.add("--level", o->level, "where it lies: memory or templates")
      .one_of(words<sharing::Level>());
  return run_order(std::move(o), [what, done](const ShareModels& options, Console& console) {
    return order_models(what, done, options, console);
  });
}

// List

struct ShareListOptions {
  std::string format = "table", output;
};

void write_share_table(const ShareList& list, Sink& sink) {
  sink.write(fmt::format("ridge {}, process {}, {}\n", printable(list.ridge), list.process,
                         counted(static_cast<std::int64_t>(list.clients), "client")));
  for (const sharing::ShareLevel& level : list.levels)
    sink.write(fmt::format("{}: {} of {} ({})\n", word(level.level), binary_bytes(level.used.count),
                           binary_bytes(level.budget.count), printable(level.policy)));
  if (list.objects.empty()) return;
  using exports::Align;
  exports::Table table({{"model"},
                        {"level"},
                        {"state"},
                        {"size", Align::kRight},
                        {"leases", Align::kRight},
                        {"pinned"},
                        {"hits", Align::kRight},
                        {"load", Align::kRight},
                        {"key"}});
  for (const sharing::ShareObject& o : list.objects)
    table.add({o.model, std::string(word(o.level)), std::string(word(o.state)),
               binary_bytes(o.bytes.count), std::to_string(o.leases), o.pinned ? "yes" : "",
               std::to_string(o.hits), o.reload.count > 0 ? duration(o.reload.count) : "",
               o.key.substr(0, kShownKey)});
  sink.write("\n" + table.text());
}

constexpr Document<const ShareList&> kShareListDocument = {
    .table = write_share_table, .described = [](auto& list, auto& out) { out.write(list); }};

Result<void> share_list(const ShareListOptions& options, Console& console) {
  Client client = TRY(daemon_for(What::kList));
  const ShareList list = TRY(client.list());
  Output output = TRY(Output::open(options.output, console));
  kShareListDocument.write(options.format, list, output.sink());
  return output.close();
}

// Flush and stop

struct NoOptions {};

Result<void> share_flush(const NoOptions&, Console& console) {
  Client client = TRY(daemon_for(What::kFlush));
  const sharing::Done done = TRY(client.order({.what = What::kFlush}));
  console.out.write(fmt::format(
      "{} freed, {} kept\n", counted(static_cast<std::int64_t>(done.done), "model"), done.spared));
  return {};
}

Result<void> share_stop(const NoOptions&, Console&) {
  Client client = TRY(daemon_for(What::kStop));
  TRY(client.order({.what = What::kStop}));
  return client.wait_for_end();
}

}  // namespace

Run setup_share_list(Flags& flags) {
  auto o = std::make_shared<ShareListOptions>();
  add_document_options(flags, o->format, o->output, kShareListDocument.formats());
  return run_order(std::move(o), share_list);
}

Run setup_share_pin(Flags& flags) { return set_up_order(flags, What::kPin, "pinned"); }
Run setup_share_unpin(Flags& flags) { return set_up_order(flags, What::kUnpin, "unpinned"); }
Run setup_share_evict(Flags& flags) { return set_up_order(flags, What::kEvict, "evicted"); }

Run setup_share_flush(Flags&) { return run_order(std::make_shared<NoOptions>(), share_flush); }
Run setup_share_stop(Flags&) { return run_order(std::make_shared<NoOptions>(), share_stop); }

}  // namespace ridge::cli
