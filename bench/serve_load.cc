// SPDX-License-Identifier: Apache-2.0
// HTTP load from one thread, for bench/serve_load.py, and a server that does nothing, whose
// latencies are the load's own.
//
//   serve_load trivial                        # prints its port; ends with its standard input
//   serve_load PORT COOKIE SECONDS REQUESTS_PER_S CONNECTIONS TARGET...
//
// Requests are due at fixed times, whatever the server does, in turn on the connections; a latency
// counts from the time at which the request was due. With 0 requests per second, each connection
// asks as soon as it was answered. Percentiles are exact: all latencies are kept.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::size_t kBlock = 1 << 16;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(1);
}

std::int64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * kSecond + t.tv_nsec;
}

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

void watch(int epoll, int file) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = file;
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, file, &event) != 0) give_up("epoll_ctl");
}

void send_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = send(file, text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0) give_up("send");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Answers each block that arrives with 2 KiB until standard input ends.
void be_trivial() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0), epoll = epoll_create1(0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof(address);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener, 256) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    give_up("no server");
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  const std::string body(2048, 'x');
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2048\r\n\r\n" + body;
  watch(epoll, listener);
  watch(epoll, STDIN_FILENO);
  std::vector<char> block(kBlock);
  for (;;) {
    epoll_event event{};
    if (epoll_wait(epoll, &event, 1, -1) != 1) continue;
    if (event.data.fd == STDIN_FILENO) return;
    if (event.data.fd == listener)
      watch(epoll, accept(listener, nullptr, nullptr));
    else if (recv(event.data.fd, block.data(), block.size(), 0) > 0)
      send_all(event.data.fd, answer);
    else
      close(event.data.fd);
  }
}

struct Connection {
  int file = -1;
  std::deque<std::int64_t> due;  ///< times of requests that wait, and of the one that was sent
  bool busy = false;
  std::string received;
};

class Load {
 public:
  Load(int port, const std::string& cookie, double seconds, double rate, int connections,
       std::vector<std::string> targets)
      : rate_(rate), begin_(now() + kSecond / 5), end_(begin_ + std::llround(seconds * kSecond)) {
    for (const std::string& target : targets)
      requests_.push_back("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                          "\r\nCookie: " + cookie + "\r\n\r\n");
    if (connections < 1 || requests_.empty()) std::exit(2);
    for (int i = 0; i < connections; ++i) connect_to(port);
    timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    watch(epoll_, timer_);
  }

  void run() {
    set_timer(begin_);
    std::vector<epoll_event> events(256);
    for (;;) {
      issue();
      if (now() >= end_ && open_ == 0) return;
      const int n = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 1000);
      for (int i = 0; i < n; ++i) {
        const int file = events[static_cast<std::size_t>(i)].data.fd;
        std::uint64_t expirations = 0;
        if (file != timer_)
          take(connections_[by_file_[file]]);
        else if (read(timer_, &expirations, sizeof(expirations)) < 0)
          continue;
      }
    }
  }

  void print() {
    const auto say = [](const char* what, std::vector<std::int64_t>& of) {
      std::sort(of.begin(), of.end());
      std::printf("%s", what);
      for (const double share : {0.5, 0.9, 0.99, 0.999, 1.0}) {
        const double at = share * static_cast<double>(of.size() - 1);
        std::printf("  p%g %.2f ms", 100 * share,
                    static_cast<double>(of[static_cast<std::size_t>(at)]) / 1e6);
      }
      std::printf("\n");
    };
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const double took = static_cast<double>(last_ - begin_) / 1e9;
    std::printf("%zu requests, %zu failed, %.0f/s, %.1f MB\n", latencies_.size(), failed_,
                static_cast<double>(latencies_.size()) / took, static_cast<double>(bytes_) / 1e6);
    if (latencies_.empty()) return;
    say("latency", latencies_);
    say("sent late", late_);
    std::printf("processor time of the load %.2f s\n",
                static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                    static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
  }

 private:
  void connect_to(int port) {
    const int file = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback(port);
    if (connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
      give_up("connect");
    const int on = 1;
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    by_file_[file] = connections_.size();
    connections_.push_back({.file = file, .due = {}, .received = {}});
    watch(epoll_, file);
  }

  void set_timer(std::int64_t at) const {
    itimerspec when{};
    when.it_value = {.tv_sec = at / kSecond, .tv_nsec = at % kSecond};
    timerfd_settime(timer_, TFD_TIMER_ABSTIME, &when, nullptr);
  }

  /// Hands the requests that are due to their connections.
  void issue() {
    const std::int64_t time = now();
    if (time < begin_) return;
    if (rate_ == 0) {
      for (Connection& c : connections_)
        if (!c.busy && time < end_) request(c, time);
      return;
    }
    std::int64_t due = due_of(next_);
    for (; due <= time && due < end_; due = due_of(++next_))
      request(connections_[static_cast<std::size_t>(next_) % connections_.size()], due);
    set_timer(std::min(due, end_));
  }

  std::int64_t due_of(std::int64_t number) const {
    return begin_ + std::llround(static_cast<double>(number) * kSecond / rate_);
  }

  void request(Connection& c, std::int64_t due) {
    c.due.push_back(due);
    ++open_;
    if (!c.busy) send_next(c);
  }

  void send_next(Connection& c) {
    // Late only by this program if the connection was free when the request was due.
    if (c.due.front() > free_since_[c.file]) late_.push_back(now() - c.due.front());
    send_all(c.file, requests_[turn_++ % requests_.size()]);
    c.busy = true;
  }

  void take(Connection& c) {
    block_.resize(kBlock);
    const ssize_t n = recv(c.file, block_.data(), block_.size(), 0);
    if (n <= 0) give_up("the server ended a connection");
    bytes_ += static_cast<std::size_t>(n);
    c.received.append(block_.data(), static_cast<std::size_t>(n));
    const std::size_t head = c.received.find("\r\n\r\n");
    if (head == std::string::npos) return;
    if (c.received.size() < head + 4 + length_of(c.received.substr(0, head))) return;
    last_ = free_since_[c.file] = now();
    latencies_.push_back(last_ - c.due.front());
    if (!c.received.starts_with("HTTP/1.1 200")) ++failed_;
    c.received.clear();
    c.due.pop_front();
    c.busy = false;
    --open_;
    if (!c.due.empty()) send_next(c);
  }

  static std::size_t length_of(const std::string& head) {
    constexpr const char* kName = "\r\nContent-Length: ";
    const char* at = strcasestr(head.c_str(), kName);
    if (at == nullptr) give_up("an answer without its length");
    return std::strtoul(at + std::strlen(kName), nullptr, 10);
  }

  double rate_;
  std::int64_t begin_, end_, last_ = 0, next_ = 0;
  std::size_t turn_ = 0, open_ = 0, failed_ = 0, bytes_ = 0;
  int epoll_ = epoll_create1(0), timer_ = -1;
  std::vector<std::string> requests_;
  std::vector<Connection> connections_;
  std::map<int, std::size_t> by_file_;
  std::map<int, std::int64_t> free_since_;
  std::vector<std::int64_t> latencies_, late_;
  std::vector<char> block_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "trivial") return be_trivial(), 0;
  if (argc < 7) return 2;
  Load load(std::atoi(argv[1]), argv[2], std::atof(argv[3]), std::atof(argv[4]), std::atoi(argv[5]),
            {argv + 6, argv + argc});
  load.run();
  load.print();
}
