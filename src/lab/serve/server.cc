// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/server.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <mutex>
#include <utility>

#include "base/file.h"
#include "base/trim.h"
#include "lab/serve/gate.h"
#include "lab/serve/routes.h"
#include "lab/serve/service.h"
#include "store/store.h"

namespace ridge::lab::serve {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::int64_t kLargestToken = 4096;
constexpr std::uint16_t kHttpPort = 80;

/// Values of Host by which the server is asked; its own first.
std::vector<std::string> host_values(const Endpoint& endpoint,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> out = {endpoint.text()};
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"})
    out.push_back(fmt::format("{}:{}", name, endpoint.port));
  out.insert(out.end(), names.begin(), names.end());
  if (endpoint.port != kHttpPort) return out;
  for (std::string& host : out) host = host.substr(0, host.find_last_of(':'));
  return out;
}

Result<void> check_options(const ServerOptions& options) {
  if (!options.token.empty() && options.token.size() < kShortestToken)
    return usage_error("RIDGE-SERVE-0006",
                       fmt::format("a token of {} characters", options.token.size()))
        .hint(fmt::format("let it have {} or more: openssl rand -hex 32", kShortestToken));
  if (options.token.empty() && !TRY(options.endpoint.is_loopback()))
    return usage_error("RIDGE-SERVE-0005",
                       fmt::format("other machines can reach {}", options.endpoint.address))
        .hint("--token-file FILE says who may ask; or listen on 127.0.0.1, and use ssh -L");
  return {};
}

Result<std::optional<Collector>> collector_of(const ServerOptions& options) {
  if (options.otlp.empty()) return std::optional<Collector>();
  const Collector out = TRY(parse_collector(options.otlp));
  if (!options.allow_run)
    return usage_error("RIDGE-SERVE-0043", "there are no traces to push to a collector")
        .evidence("they come from the measurements that clients start")
        .hint("add --allow-run, or leave out --otlp; ridge export --to otlp writes stored runs");
  return std::optional(out);
}

class StoreServer final : public Server, private Handler {
 public:
  StoreServer(ServerOptions options, std::unique_ptr<Listener> listener, std::string session,
              std::optional<Collector> collector)
      : gate_(std::move(session), {.hosts = host_values(listener->endpoint(), options.names),
                                   .cookie = fmt::format("ridge-{}", listener->endpoint().port),
                                   .token = options.token}),
        service_(options.store),
        listener_(std::move(listener)) {
    if (options.allow_run) {
      service_.jobs.emplace(options.store, options.registry);
      service_.trials.emplace(*service_.jobs, options.registry);
    }
    if (collector)
      service_.pusher.emplace(std::move(*collector), service_.stores, *service_.jobs,
                              std::move(options.warn));
    service_.registry = std::move(options.registry);
  }

  Result<void> start() {
    TRY(announce());
    return listener_->start(*this);
  }

  std::string address() const override {
    return fmt::format("http://{}/", listener_->endpoint().text());
  }

  std::optional<std::string> new_address() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(announced_, std::nullopt);
  }

 private:
  Result<void> announce() {
    const std::string key = TRY(gate_.next_key());
    const std::lock_guard lock(mutex_);
    announced_ = fmt::format("{}{}?key={}", address(), kLoginPath, key);
    return {};
  }

  std::optional<Answer> admit(Request& request) override {
    if (const auto refusal = gate_.refusal(request)) {
      service_.counts.add(refusal->status, {});
      Answer out = refusal_answer(request, refusal->error, refusal->status);
      if (out.status == kMethodNotAllowed) add_allowed(out, request);
      return out;
    }
    return std::nullopt;
  }

  std::size_t largest_body(const Request& request) override { return body_limit(request); }

  Answer answer(const Request& request) override {
    const SteadyClock::time_point begun = SteadyClock::now();
    Answer out = Gate::is_login(request) ? login(request) : dispatch(service_, request);
    service_.counts.add(out.status, SteadyClock::now() - begun);
    return out;
  }

  Answer login(const Request& request) {
    Result<Answer> out = gate_.login(request);
    if (out.ok()) {
      const Result<void> next = announce();
      if (next.ok()) return std::move(*out);
      return refusal_answer(request, next.error(), kUnavailable);
    }
    return refusal_answer(request, out.error(), kForbidden);
  }

  Gate gate_;
  Service service_;
  std::mutex mutex_;
  std::optional<std::string> announced_;
  std::unique_ptr<Listener> listener_;  ///< last: it ends before what its threads use
};

}  // namespace

Result<std::unique_ptr<Server>> Server::start(ServerOptions options) {
  TRY(check_options(options));
  std::optional<Collector> collector = TRY(collector_of(options));
  TRY(store::Store::open(options.store, store::Access::kRead));
  std::unique_ptr<Listener> listener = TRY(Listener::open(options.endpoint));
  auto out = std::make_unique<StoreServer>(std::move(options), std::move(listener),
                                           TRY(random_secret()), std::move(collector));
  TRY(out->start());
  return std::unique_ptr<Server>(std::move(out));
}

Result<std::string> read_token(const std::string& path) {
  const std::string text = TRY(read_file(path, kLargestToken));
  struct stat status {};
  constexpr mode_t kOthers = S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
  if (::stat(path.c_str(), &status) != 0 || (status.st_mode & kOthers) != 0)
    return environment_error("RIDGE-SERVE-0007", "others may read or change the token")
        .hint("chmod 600 " + path)
        .in_file(path);
  return std::string(trimmed(text));
}

}  // namespace ridge::lab::serve
