// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/hash/sha256.h"
#include "base/number.h"
#include "base/text.h"
#include "ipc/descriptor.h"
#include "lab/serve/library.h"
#include "report/chart/roofline.h"
#include "report/kit/picture.h"

namespace ridge::lab::serve {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int kBacklog = 256;
constexpr std::chrono::seconds kLongestUpload{30};
constexpr std::chrono::milliseconds kEventsEvery{100};
constexpr std::size_t kEventBlock = 4096;

/// Headers of every response whose answer has no other, beside the content policy.
constexpr std::pair<const char*, const char*> kHeaders[] = {
    {"Cache-Control", "no-store"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};

/// Nothing from elsewhere, no script in a page, and no style but that of the roofline, which is a
/// part of its SVG, and attributes.
const std::string& content_policy() {
  static const std::string policy = [] {
    std::string digest;
    const std::string hex = sha256_of(report::roofline_style());
    for (std::size_t i = 0; i < hex.size(); i += 2)
      digest += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return fmt::format(
        "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{}'; style-src-attr "
        "'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri "
        "'none'; frame-ancestors 'none'",
        report::base64(digest));
  }();
  return policy;
}

/// An address as the system takes it.
struct SocketAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

std::optional<SocketAddress> socket_address(const Endpoint& endpoint) {
  SocketAddress out;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&out.bytes);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&out.bytes);
  if (::inet_pton(AF_INET, endpoint.address.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(endpoint.port);
    out.size = sizeof(sockaddr_in);
    return out;
  }
  if (::inet_pton(AF_INET6, endpoint.address.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(endpoint.port);
    out.size = sizeof(sockaddr_in6);
    return out;
  }
  return std::nullopt;
}

Error no_address(const Endpoint& endpoint) {
  return usage_error("RIDGE-SERVE-0003",
                     fmt::format("'{}' is no address", printable(endpoint.address)))
      .hint("write an address of IPv4 or IPv6, such as 127.0.0.1");
}

Error cannot_listen(const Endpoint& endpoint, std::string why) {
  return environment_error("RIDGE-SERVE-0004",
                           fmt::format("no server can listen on {}", endpoint.text()))
      .evidence(std::move(why))
      .hint("another program may have the port: --port N, or --port 0 for a free one");
}

Result<ipc::Descriptor> listening_socket(const Endpoint& endpoint) {
  const auto address = socket_address(endpoint);
  if (!address) return no_address(endpoint);
  const auto failed = [&] {
    return cannot_listen(endpoint, std::generic_category().message(errno));
  };
  ipc::Descriptor out(
      ::socket(address->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!out.is_open()) return failed();
  const int on = 1;
  ::setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (::bind(out.get(), reinterpret_cast<const sockaddr*>(&address->bytes), address->size) != 0 ||
      ::listen(out.get(), kBacklog) != 0)
    return failed();
  return out;
}

std::uint16_t port_of(int socket) {
  sockaddr_storage bytes{};
  socklen_t size = sizeof(bytes);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&bytes), &size) != 0) return 0;
  return ntohs(bytes.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&bytes)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&bytes)->sin_port);
}

/// Connections whose events are not known yet, which are looked at again from time to time.
class WaitingConnections {
 public:
  explicit WaitingConnections(const Library& http)
      : http_(http), thread_([this] { wake_until_closed(); }) {}
  WaitingConnections(const WaitingConnections&) = delete;
  WaitingConnections& operator=(const WaitingConnections&) = delete;
  ~WaitingConnections() { close(); }

  /// Called in the turn of the connection, which waits from now on; false once closed.
  bool add(MHD_Connection* connection) {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    waiting_.push_back(connection);
    http_.suspend_connection(connection);
    return true;
  }

  /// Lets all go on, and no other wait.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void wake_until_closed() {
    std::unique_lock lock(mutex_);
    while (!closed_) {
      changed_.wait_for(lock, kEventsEvery);
      // A connection that waits lives until it is woken.
      for (MHD_Connection* connection : waiting_) http_.resume_connection(connection);
      waiting_.clear();
    }
  }

  const Library& http_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<MHD_Connection*> waiting_;
  bool closed_ = false;
  std::thread thread_;
};

/// One response of events.
struct EventStream {
  std::shared_ptr<EventSource> source;
  WaitingConnections* waiting;
  MHD_Connection* connection;
  std::string ready;  ///< taken from the source, not sent
};

ssize_t read_events(void* context, std::uint64_t, char* buffer, std::size_t size) {
  auto& stream = *static_cast<EventStream*>(context);
  if (stream.ready.empty()) {
    auto text = stream.source->take();
    if (!text) return MHD_CONTENT_READER_END_OF_STREAM;
    stream.ready = std::move(*text);
  }
  if (stream.ready.empty())
    return stream.waiting->add(stream.connection) ? 0 : MHD_CONTENT_READER_END_OF_STREAM;
  const std::size_t n = std::min(size, stream.ready.size());
  std::memcpy(buffer, stream.ready.data(), n);
  stream.ready.erase(0, n);
  return static_cast<ssize_t>(n);
}

void end_events(void* context) { delete static_cast<EventStream*>(context); }

/// A request while it arrives.
struct Arriving {
  Request request;
  bool begun = false;
  std::size_t most = kBodyBytes;  ///< bytes of its body
  SteadyClock::time_point since;
};

MHD_Result add_header(void* context, MHD_ValueKind, const char* name, const char* value) {
  static_cast<Request*>(context)->headers.emplace_back(name, value == nullptr ? "" : value);
  return MHD_YES;
}

/// Decodes nothing: parse_target() does.
std::size_t leave_escaped(void*, MHD_Connection*, char* text) { return std::strlen(text); }

void* begin_request(void*, const char* target, MHD_Connection*) {
  auto* arriving = new Arriving;
  arriving->request.raw_target = target;
  return arriving;
}

void end_request(void*, MHD_Connection*, void** context, MHD_RequestTerminationCode) {
  delete static_cast<Arriving*>(*context);
  *context = nullptr;
}

class MicroListener final : public Listener {
 public:
  MicroListener(const Library& http, ipc::Descriptor socket, Endpoint endpoint)
      : http_(http), socket_(std::move(socket)), endpoint_(std::move(endpoint)), waiting_(http) {}
  ~MicroListener() override {
    waiting_.close();
    if (daemon_ != nullptr) http_.stop_daemon(daemon_);
  }
  MicroListener(const MicroListener&) = delete;
  MicroListener& operator=(const MicroListener&) = delete;

  const Endpoint& endpoint() const override { return endpoint_; }

  Result<void> start(Handler& handler) override {
    handler_ = &handler;
    const int of_daemon = ::fcntl(socket_.get(), F_DUPFD_CLOEXEC, 0);  // which closes it
    daemon_ = http_.start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr,
        nullptr, on_request, this,                          //
        MHD_OPTION_LISTEN_SOCKET, of_daemon,                //
        MHD_OPTION_THREAD_POOL_SIZE, kThreads,              //
        MHD_OPTION_CONNECTION_LIMIT, kConnections,          //
        MHD_OPTION_CONNECTION_TIMEOUT, kSilentSeconds,      //
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, kHeaderBytes,   //
        MHD_OPTION_STRICT_FOR_CLIENT, 1,                    //
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, this,  //
        MHD_OPTION_URI_LOG_CALLBACK, begin_request, this,   //
        MHD_OPTION_NOTIFY_COMPLETED, end_request, this,     //
        MHD_OPTION_END);
    if (daemon_ != nullptr) return {};
    return cannot_listen(endpoint_, "libmicrohttpd did not start");
  }

 private:
  static MHD_Result on_request(void* self, MHD_Connection* connection, const char*,
                               const char* method, const char*, const char* upload,
                               std::size_t* upload_size, void** context) {
    auto& arriving = *static_cast<Arriving*>(*context);
    auto& listener = *static_cast<MicroListener*>(self);
    if (!arriving.begun) return listener.begin(connection, method, arriving);
    if (*upload_size > 0) {
      const bool fits = arriving.request.body.size() + *upload_size <= arriving.most &&
                        SteadyClock::now() - arriving.since < kLongestUpload;
      if (!fits) return MHD_NO;  // ends the connection
      arriving.request.body.append(upload, *upload_size);
      *upload_size = 0;
      return MHD_YES;
    }
    return listener.send(connection, listener.handler_->answer(arriving.request));
  }

  MHD_Result begin(MHD_Connection* connection, const char* method, Arriving& arriving) {
    arriving.begun = true;
    arriving.since = SteadyClock::now();
    arriving.request.method = method;
    http_.get_connection_values(connection, MHD_HEADER_KIND, add_header, &arriving.request);
    if (auto answer = handler_->admit(arriving.request)) return send(connection, *answer);
    arriving.most = handler_->largest_body(arriving.request);
    const auto length = arriving.request.header("Content-Length");
    const auto bytes =
        length ? whole_number<std::uint64_t>(*length) : std::optional<std::uint64_t>(0);
    if (bytes && *bytes <= arriving.most) return MHD_YES;
    return send(
        connection,
        error_answer(input_error("RIDGE-SERVE-0018",
                                 fmt::format("a body of more than {} bytes", arriving.most)),
                     kTooLarge));
  }

  MHD_Response* response_of(MHD_Connection* connection, const Answer& answer) {
    if (!answer.events)
      return http_.create_response_from_buffer(
          answer.body.size(), const_cast<char*>(answer.body.data()), MHD_RESPMEM_MUST_COPY);
    http_.set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0U);
    auto* stream = new EventStream{answer.events, &waiting_, connection, {}};
    return http_.create_response_from_callback(MHD_SIZE_UNKNOWN, kEventBlock, read_events, stream,
                                               end_events);
  }

  MHD_Result send(MHD_Connection* connection, const Answer& answer) {
    MHD_Response* response = response_of(connection, answer);
    if (response == nullptr) return MHD_NO;
    for (const auto& [name, value] : kHeaders)
      if (!answer.has_header(name)) http_.add_response_header(response, name, value);
    http_.add_response_header(response, "Content-Security-Policy", content_policy().c_str());
    if (!answer.type.empty())
      http_.add_response_header(response, "Content-Type", answer.type.c_str());
    for (const auto& [name, value] : answer.headers)
      http_.add_response_header(response, name.c_str(), value.c_str());
    const MHD_Result queued = http_.queue_response(connection, answer.status, response);
    http_.destroy_response(response);
    return queued;
  }

  const Library& http_;
  ipc::Descriptor socket_;
  Endpoint endpoint_;
  WaitingConnections waiting_;
  Handler* handler_ = nullptr;
  MHD_Daemon* daemon_ = nullptr;
};

}  // namespace

std::string Endpoint::text() const {
  return address.find(':') == std::string::npos ? fmt::format("{}:{}", address, port)
                                                : fmt::format("[{}]:{}", address, port);
}

Result<bool> Endpoint::is_loopback() const {
  const auto bytes = socket_address(*this);
  if (!bytes) return no_address(*this);
  if (bytes->bytes.ss_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(&bytes->bytes)->sin6_addr);
  const auto* v4 = reinterpret_cast<const sockaddr_in*>(&bytes->bytes);
  return (ntohl(v4->sin_addr.s_addr) >> 24) == 127;
}

Result<std::unique_ptr<Listener>> Listener::open(const Endpoint& endpoint) {
  const Library* http = TRY(library());
  ipc::Descriptor socket = TRY(listening_socket(endpoint));
  Endpoint taken{endpoint.address, port_of(socket.get())};
  return std::unique_ptr<Listener>(
      std::make_unique<MicroListener>(*http, std::move(socket), std::move(taken)));
}

}  // namespace ridge::lab::serve
