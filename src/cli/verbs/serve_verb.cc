// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/serve_verb.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <thread>

#include "cli/flags/registry_option.h"
#include "cli/interrupt.h"
#include "lab/serve/server.h"

namespace ridge::cli {
namespace {

constexpr std::chrono::milliseconds kLook{50};
constexpr int kLastPort = 65535;

Result<void> serve_until_interrupted(const ServeOptions& options, Console& console) {
  using lab::serve::Server;
  const std::string token =
      options.token_file.empty() ? "" : TRY(lab::serve::read_token(options.token_file));
  const Interruption interruption;
  const std::unique_ptr<Server> server = TRY(Server::start(
      {.store = options.store,
       .registry = registry_folder(options.registry),
       .endpoint = {options.listen, static_cast<std::uint16_t>(options.port)},
       .names = options.hosts,
       .token = token,
       .allow_run = options.allow_run,
       .otlp = options.otlp,
       .warn = [&](const Error& error) { console.err.write(error.text("warning")); }}));
  while (!Interruption::requested()) {
    if (const auto address = server->new_address()) {
      console.out.write(fmt::format("open once: {}\n", *address));
      TRY(console.flush_out());
    }
    std::this_thread::sleep_for(kLook);
  }
  return {};
}

}  // namespace

int serve(const ServeOptions& options, Console& console) {
  const Result<void> served = serve_until_interrupted(options, console);
  return served.ok() ? static_cast<int>(kDone) : report(console, served.error());
}

Run setup_serve(Flags& flags) {
  auto o = std::make_shared<ServeOptions>();
  flags.add("STORE", o->store, "a run database: a file, or postgresql://?service=lab").required();
  flags.add("--port", o->port, "port to listen on (8080); 0: one that is free").range(0, kLastPort);
  flags
      .add("--listen", o->listen,
           "address to listen on (127.0.0.1); another than of loopback needs --token-file")
      .shown_as("ADDRESS");
  flags
      .add("--host", o->hosts,
           "further name and port by which browsers ask for it: lab.example:8080; repeatable")
      .single();
  flags
      .add("--token-file", o->token_file,
           "file with a token of 16 characters or more, by which programs may ask")
      .shown_as("FILE");
  flags.add("--allow-run", o->allow_run,
            "clients may start evaluations and benchmarks on this machine, one at a time");
  flags
      .add("--otlp", o->otlp,
           "collector of OpenTelemetry, http://HOST:PORT, to which the traces of their runs are "
           "pushed")
      .shown_as("URL");
  add_registry_option(flags, o->registry);
  return [o](Console& console) { return serve(*o, console); };
}

}  // namespace ridge::cli
