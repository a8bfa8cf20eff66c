/*
 * What bench/peers measures of an MPI library: the time from the call at the root, or the last call, until the last rank has all.
 * All ranks share a machine, and so the monotonic clock.
 *
 *   mpi WARM_UP_ROUNDS SMALL_ROUNDS SOURCE LARGE_ROUNDS REDUCE_ROUNDS [large=BYTES ...] [reduce=BYTES ...]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SMALL_BYTES 1000

static int rank, size;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void report(const char *kind, long bytes, int source, int round, double began, double ended) {
  double last, first;
  MPI_Reduce(&ended, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&began, &first, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0 && round >= 0) {
    printf("%s %ld %d %d %.6f\n", kind, bytes, source, round, last - first);
    fflush(stdout);
  }
}

static void broadcast(const char *kind, char *bytes, long count, int source, int round) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == source) usleep(800000); /* All others wait in the call by then. */
  double began = rank == source ? now() : 0;
  MPI_Bcast(bytes, (int)count, MPI_BYTE, source, MPI_COMM_WORLD);
  report(kind, count, source, round, began, now());
}

/* Returns at the same time at all ranks. */
static double begin_together(void) {
  double start = now() + 2;
  MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  while (now() < start) usleep(200);
  return now();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 6) return 2;
  int warm_up = atoi(argv[1]), small_rounds = atoi(argv[2]), source = atoi(argv[3]);
  int large_rounds = atoi(argv[4]), reduce_rounds = atoi(argv[5]);
  char small[SMALL_BYTES] = {0};
  for (int round = -warm_up; round < small_rounds && small_rounds > 0; round++) {
    for (int root = 0; root < size; root++) broadcast("small", small, SMALL_BYTES, root, round);
  }
  int large_begin = large_rounds > 0 ? -1 : 0, reduce_begin = reduce_rounds > 0 ? -1 : 0; /* The first case of a kind also runs once uncounted. */
  for (int i = 6; i < argc; i++) {
    long bytes = atol(strchr(argv[i], '=') + 1);
    if (strncmp(argv[i], "large", 5) == 0) {
      char *payload = calloc(1, (size_t)bytes);
      for (int round = large_begin; round < large_rounds; round++) broadcast("large", payload, bytes, source, round);
      large_begin = 0;
      free(payload);
    } else {
      int count = bytes < 4 ? 1 : (int)(bytes / 4);
      float *vector = calloc((size_t)count, sizeof *vector), *sum = calloc((size_t)count, sizeof *sum);
      for (int round = reduce_begin; round < reduce_rounds; round++) {
        double began = begin_together();
        MPI_Allreduce(vector, sum, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        report("reduce", bytes, 0, round, began, now());
      }
      free(vector);
      free(sum);
      reduce_begin = 0;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    printf("done\n"); /* Some libraries take long to finish over long links. */
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
