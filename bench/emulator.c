/*
 * A network between namespaces, of given delays, rates and loss: each node is a TUN device in a namespace, and this process
 * carries the packets from one to another. For kernels without netem. It reads lines from standard input:
 *
 *   queue MILLIS                              what an uplink holds before it drops packets; 100 if not given
 *   loss PERMILLE                             of all packets, at random; 0 if not given
 *   node NAMESPACE DEVICE ADDRESS MEGABITS    the next node, from 0, and the rate of its uplink; 0 is without limit
 *   roundtrip NODE NODE MILLIS                between two nodes, once all nodes are known; 0 if not given
 *   start                                     carries packets from here on, and prints "started"
 *   rate NODE MEGABITS                        changes the rate of an uplink
 *   counts                                    prints a line for each node: the bytes that it has sent to each node
 *   health                                    prints packets carried, lost and dropped, and the worst lateness in microseconds
 *
 * A packet waits in the queue of its sender's uplink, is sent at that rate, and arrives after half of the round trip. A packet
 * is lost at random before it is queued. Packets of a pair of nodes stay in order. The devices must exist (ip tuntap add dev
 * DEVICE mode tun). The process ends when it is killed, or when standard input ends before "start".
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define MAX_NODES 64
#define MAX_PACKET_BYTES 65536
#define DESTINATION_OFFSET 16 /* Of the address in an IPv4 header. */
#define BATCH 64

struct packet {
  uint64_t due_nanos;
  uint64_t number; /* Keeps packets with the same due time in order. */
  int to;
  uint32_t bytes;
  unsigned char content[];
};

struct node {
  int tun;
  uint32_t address;
  double nanos_per_byte;
  uint64_t line_free_nanos; /* When the uplink has sent all that is queued. */
  uint64_t delay_nanos[MAX_NODES];
  uint64_t bytes_to[MAX_NODES];
};

static struct node nodes[MAX_NODES];
static int node_count;
static double loss;
static uint64_t queue_nanos = 100000000u;
static uint64_t carried, lost, dropped, worst_late_nanos;

static struct packet **heap; /* The earliest due packet first. */
static size_t heap_count, heap_capacity;
static uint64_t packet_number;

static void fail(const char *what) {
  fprintf(stderr, "emulator: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void refuse(const char *line) {
  fprintf(stderr, "emulator: cannot read the line: %s", line);
  exit(2);
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

static int earlier(const struct packet *a, const struct packet *b) {
  return a->due_nanos != b->due_nanos ? a->due_nanos < b->due_nanos : a->number < b->number;
}

static void push(struct packet *p) {
  if (heap_count == heap_capacity) {
    heap_capacity = heap_capacity ? 2 * heap_capacity : 1024;
    heap = realloc(heap, heap_capacity * sizeof *heap);
    if (heap == NULL) fail("memory");
  }
  size_t at = heap_count++;
  while (at > 0 && earlier(p, heap[(at - 1) / 2])) {
    heap[at] = heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap[at] = p;
}

static struct packet *pop(void) {
  struct packet *first = heap[0], *last = heap[--heap_count];
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= heap_count) break;
    if (child + 1 < heap_count && earlier(heap[child + 1], heap[child])) child++;
    if (!earlier(heap[child], last)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return first;
}

static int open_device(const char *namespace, const char *device) {
  char path[128];
  int own = open("/proc/self/ns/net", O_RDONLY);
  if (own < 0) fail("/proc/self/ns/net");
  snprintf(path, sizeof path, "/run/netns/%s", namespace);
  int net = open(path, O_RDONLY);
  if (net < 0 || setns(net, CLONE_NEWNET) < 0) fail(path);
  close(net);
  int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  if (tun < 0) fail("/dev/net/tun");
  struct ifreq request;
  memset(&request, 0, sizeof request);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device);
  if (ioctl(tun, TUNSETIFF, &request) < 0) fail(device);
  if (setns(own, CLONE_NEWNET) < 0) fail("/proc/self/ns/net");
  close(own);
  return tun;
}

static double nanos_per_byte(double megabits) { return megabits > 0 ? 8000.0 / megabits : 0; }

/* Carries out a line of standard input; returns whether it was "start". */
static int command(const char *line) {
  char namespace[64], device[IFNAMSIZ], address[64];
  int a, b;
  double value;
  if (sscanf(line, "node %63s %15s %63s %lf", namespace, device, address, &value) == 4) {
    if (node_count == MAX_NODES) refuse(line);
    struct node *n = &nodes[node_count];
    if (inet_pton(AF_INET, address, &n->address) != 1) refuse(line);
    n->tun = open_device(namespace, device);
    n->nanos_per_byte = nanos_per_byte(value);
    node_count++;
  } else if (sscanf(line, "roundtrip %d %d %lf", &a, &b, &value) == 3 && a >= 0 && b >= 0 && a < node_count &&
             b < node_count) {
    nodes[a].delay_nanos[b] = nodes[b].delay_nanos[a] = (uint64_t)(value * 1e6 / 2);
  } else if (sscanf(line, "rate %d %lf", &a, &value) == 2 && a >= 0 && a < node_count) {
    nodes[a].nanos_per_byte = nanos_per_byte(value);
  } else if (sscanf(line, "loss %lf", &value) == 1) {
    loss = value / 1000;
  } else if (sscanf(line, "queue %lf", &value) == 1) {
    queue_nanos = (uint64_t)(value * 1e6);
  } else if (strcmp(line, "counts\n") == 0) {
    for (int i = 0; i < node_count; i++) {
      for (int j = 0; j < node_count; j++) printf(j ? " %llu" : "%llu", (unsigned long long)nodes[i].bytes_to[j]);
      printf("\n");
    }
  } else if (strcmp(line, "health\n") == 0) {
    printf("%llu %llu %llu %llu\n", (unsigned long long)carried, (unsigned long long)lost, (unsigned long long)dropped,
           (unsigned long long)worst_late_nanos / 1000);
    worst_late_nanos = 0;
  } else if (strcmp(line, "start\n") == 0) {
    printf("started\n");
    fflush(stdout);
    return 1;
  } else {
    refuse(line);
  }
  fflush(stdout);
  return 0;
}

/* Takes packets of a node until none waits, or a batch is full; returns whether more may wait. */
static int take(struct node *n) {
  static unsigned char content[MAX_PACKET_BYTES];
  for (int i = 0; i < BATCH; i++) {
    ssize_t bytes = read(n->tun, content, sizeof content);
    if (bytes <= 0) return 0;
    if (bytes < DESTINATION_OFFSET + 4 || content[0] >> 4 != 4) continue; /* Not IPv4. */
    uint32_t destination;
    memcpy(&destination, content + DESTINATION_OFFSET, sizeof destination);
    int to = 0;
    while (to < node_count && nodes[to].address != destination) to++;
    if (to == node_count) continue;
    uint64_t now = now_nanos();
    uint64_t begin = n->line_free_nanos > now ? n->line_free_nanos : now;
    if (random_part() < loss) {
      lost++;
      continue;
    }
    if (begin - now > queue_nanos) {
      dropped++;
      continue;
    }
    struct packet *p = malloc(sizeof *p + (size_t)bytes);
    if (p == NULL) fail("memory");
    n->line_free_nanos = begin + (uint64_t)((double)bytes * n->nanos_per_byte);
    n->bytes_to[to] += (uint64_t)bytes;
    p->due_nanos = n->line_free_nanos + n->delay_nanos[to];
    p->number = packet_number++;
    p->to = to;
    p->bytes = (uint32_t)bytes;
    memcpy(p->content, content, (size_t)bytes);
    push(p);
  }
  return 1;
}

int main(void) {
  static char input[1 << 16];
  size_t input_bytes = 0;
  int started = 0, input_open = 1;
  setvbuf(stdin, NULL, _IONBF, 0);
  while (!started) {
    char line[256];
    if (fgets(line, sizeof line, stdin) == NULL) return 1;
    started = command(line);
  }
  fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);

  struct pollfd polled[MAX_NODES + 1];
  for (int i = 0; i < node_count; i++) polled[i] = (struct pollfd){.fd = nodes[i].tun, .events = POLLIN};
  polled[node_count] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
  for (;;) {
    int busy = 0;
    for (int i = 0; i < node_count; i++) {
      if (polled[i].revents) busy |= take(&nodes[i]);
    }
    if (polled[node_count].revents && input_open) {
      ssize_t bytes = read(STDIN_FILENO, input + input_bytes, sizeof input - 1 - input_bytes);
      if (bytes == 0) {
        input_open = 0;
        polled[node_count].fd = -1;
      } else if (bytes > 0) {
        input_bytes += (size_t)bytes;
        input[input_bytes] = 0;
        char *line = input, *end;
        while ((end = strchr(line, '\n')) != NULL) {
          char kept = end[1];
          end[1] = 0;
          command(line);
          end[1] = kept;
          line = end + 1;
        }
        input_bytes -= (size_t)(line - input);
        memmove(input, line, input_bytes);
      }
    }
    uint64_t now = now_nanos();
    for (int i = 0; heap_count > 0 && heap[0]->due_nanos <= now; i++) {
      if (i == BATCH * node_count) {
        busy = 1;
        break;
      }
      struct packet *p = pop();
      if (now - p->due_nanos > worst_late_nanos) worst_late_nanos = now - p->due_nanos;
      if (write(nodes[p->to].tun, p->content, p->bytes) == (ssize_t)p->bytes) carried++;
      free(p);
    }
    uint64_t wait = 1000000000u;
    now = now_nanos();
    if (heap_count > 0) wait = heap[0]->due_nanos > now ? heap[0]->due_nanos - now : 0;
    if (busy) wait = 0;
    struct timespec timeout = {(time_t)(wait / 1000000000u), (long)(wait % 1000000000u)};
    ppoll(polled, (nfds_t)node_count + 1, &timeout, NULL);
  }
}
