/* Two processes on one core that pass a line to and fro over pipes: the floor under any referee.
   Usage: pingpong CORE ROUNDS DOWN UP; prints microseconds a round trip. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char line[1 << 16];

static void pass_on(int in, int out, size_t in_size, size_t out_size)
{
    size_t have = 0;
    while (have < in_size) {
        ssize_t n = read(in, line, in_size - have);
        if (n <= 0)
            exit(0);
        have += (size_t)n;
    }
    if (write(out, line, out_size) != (ssize_t)out_size)
        exit(0);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    long rounds = atol(argv[2]);
    size_t down = (size_t)atol(argv[3]), up = (size_t)atol(argv[4]);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(argv[1]), &set);
    sched_setaffinity(0, sizeof set, &set);
    int there[2], back[2];
    if (pipe(there) || pipe(back))
        return 1;
    memset(line, 'x', sizeof line);
    if (fork() == 0) {
        close(there[1]);
        close(back[0]);
        for (;;)
            pass_on(there[0], back[1], down, up);
    }
    close(there[0]);
    close(back[1]);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long i = 0; i < rounds; i++) {
        if (write(there[1], line, down) != (ssize_t)down)
            return 1;
        size_t have = 0;
        while (have < up) {
            ssize_t n = read(back[0], line, up - have);
            if (n <= 0)
                return 1;
            have += (size_t)n;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double us = (end.tv_sec - begin.tv_sec) * 1e6 + (end.tv_nsec - begin.tv_nsec) / 1e3;
    printf("%.3f\n", us / rounds);
    close(there[1]);
    wait(NULL);
    return 0;
}
