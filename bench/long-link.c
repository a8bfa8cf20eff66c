/*
 * A link between two network namespaces, of given delay, rate and loss: each end is a TUN device, and this process carries
 * the packets from one to the other. For kernels without netem.
 *
 *   long-link NAMESPACE DEVICE NAMESPACE DEVICE ROUND_TRIP_MILLIS MEGABITS_PER_SECOND LOSS_PERMILLE QUEUE_MILLIS
 *
 * Each direction has a queue that takes what the link carries in QUEUE_MILLIS and drops what does not fit, then a line of
 * that rate, then half of the round trip as delay. A packet is lost at random before it is queued. The devices must exist
 * (ip tuntap add dev DEVICE mode tun); ends when it is killed, and says then on standard error what each direction carried.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define MAX_PACKET_BYTES 2048
#define BATCH 64

struct packet {
  uint64_t due_nanos;
  uint16_t bytes;
  unsigned char content[MAX_PACKET_BYTES];
};

struct direction {
  int from;
  int to;
  struct packet *ring; /* Of packets that are queued or under way. */
  size_t capacity, head, count;
  uint64_t line_free_nanos; /* When the line has sent all that is queued. */
  uint64_t carried, lost, dropped;
};

static volatile sig_atomic_t ended;

static void end(int signal) {
  (void)signal;
  ended = 1;
}

static void fail(const char *what) {
  fprintf(stderr, "long-link: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int open_device(const char *namespace, const char *device) {
  char path[128];
  snprintf(path, sizeof path, "/run/netns/%s", namespace);
  int net = open(path, O_RDONLY);
  if (net < 0 || setns(net, CLONE_NEWNET) < 0) fail(path);
  close(net);
  int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  if (tun < 0) fail("/dev/net/tun");
  struct ifreq request;
  memset(&request, 0, sizeof request);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  strncpy(request.ifr_name, device, IFNAMSIZ - 1);
  if (ioctl(tun, TUNSETIFF, &request) < 0) fail(device);
  return tun;
}

static uint64_t now_nanos(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static double random_part(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) / (double)(1ull << 53);
}

int main(int argc, char **argv) {
  if (argc != 9) {
    fprintf(stderr,
            "usage: long-link NAMESPACE DEVICE NAMESPACE DEVICE ROUND_TRIP_MILLIS MEGABITS_PER_SECOND LOSS_PERMILLE "
            "QUEUE_MILLIS\n");
    return 2;
  }
  uint64_t delay_nanos = (uint64_t)(atof(argv[5]) * 1e6 / 2);
  double nanos_per_byte = 8000.0 / atof(argv[6]);
  double loss = atof(argv[7]) / 1000;
  uint64_t queue_nanos = (uint64_t)(atof(argv[8]) * 1e6);
  int left = open_device(argv[1], argv[2]);
  int right = open_device(argv[3], argv[4]);

  struct direction directions[2] = {{.from = left, .to = right}, {.from = right, .to = left}};
  for (int i = 0; i < 2; i++) {
    /* Room for what the queue and the delay hold of packets of 500 bytes: acknowledgements are smaller, and fewer. */
    directions[i].capacity = (size_t)((double)(delay_nanos + queue_nanos) / nanos_per_byte / 500) + 4096;
    directions[i].ring = malloc(directions[i].capacity * sizeof(struct packet));
    if (directions[i].ring == NULL) fail("memory");
  }
  signal(SIGTERM, end);
  signal(SIGINT, end);

  while (!ended) {
    uint64_t now = now_nanos();
    uint64_t next = now + 1000000000u;
    int busy = 0;
    for (int i = 0; i < 2; i++) {
      struct direction *d = &directions[i];
      for (int n = 0; n < BATCH; n++) {
        unsigned char scratch[MAX_PACKET_BYTES];
        int full = d->count == d->capacity;
        struct packet *p = &d->ring[(d->head + d->count) % d->capacity];
        ssize_t bytes = read(d->from, full ? scratch : p->content, MAX_PACKET_BYTES);
        if (bytes <= 0) break;
        busy |= n == BATCH - 1;
        uint64_t begin = d->line_free_nanos > now ? d->line_free_nanos : now;
        if (random_part() < loss) {
          d->lost++;
        } else if (full || begin - now > queue_nanos) {
          d->dropped++;
        } else {
          d->line_free_nanos = begin + (uint64_t)((double)bytes * nanos_per_byte);
          p->due_nanos = d->line_free_nanos + delay_nanos;
          p->bytes = (uint16_t)bytes;
          d->count++;
        }
      }
      for (int n = 0; d->count > 0 && d->ring[d->head].due_nanos <= now; n++) {
        if (n == BATCH) {
          busy = 1;
          break;
        }
        struct packet *p = &d->ring[d->head];
        if (write(d->to, p->content, p->bytes) == p->bytes) d->carried++;
        d->head = (d->head + 1) % d->capacity;
        d->count--;
      }
      if (d->count > 0 && d->ring[d->head].due_nanos < next) next = d->ring[d->head].due_nanos;
    }
    if (!busy) {
      struct pollfd polled[2] = {{.fd = left, .events = POLLIN}, {.fd = right, .events = POLLIN}};
      now = now_nanos();
      uint64_t wait = next > now ? next - now : 0;
      struct timespec timeout = {(time_t)(wait / 1000000000u), (long)(wait % 1000000000u)};
      ppoll(polled, 2, &timeout, NULL);
    }
  }
  for (int i = 0; i < 2; i++) {
    fprintf(stderr, "%s: %llu packets carried, %llu lost, %llu dropped by a full queue\n", i == 0 ? "there" : "back",
            (unsigned long long)directions[i].carried, (unsigned long long)directions[i].lost,
            (unsigned long long)directions[i].dropped);
  }
  return 0;
}
