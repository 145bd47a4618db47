/* Memory that RLIMIT_DATA does not count, in MiB: shared, of /dev/zero, of System V. */
#include "bomb.h"
#include <sys/ipc.h>
#include <sys/shm.h>

static long take(void *area)
{
    if (area == MAP_FAILED)
        return 0;
    memset(area, 1, STEP_MIB * MIB);
    return STEP_MIB;
}

static long take_mapping(int flags, int descriptor)
{
    return take(mmap(NULL, STEP_MIB * MIB, PROT_READ | PROT_WRITE, flags, descriptor, 0));
}

static long take_segment(void)
{
    int segment = shmget(IPC_PRIVATE, STEP_MIB * MIB, IPC_CREAT | 0600);
    if (segment < 0)
        return 0;
    long taken = take(shmat(segment, NULL, 0));
    /* Gone as soon as this process is. */
    shmctl(segment, IPC_RMID, NULL);
    return taken;
}

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 1536), total = 0, before = -1;
    int zero = open("/dev/zero", O_RDWR);
    while (total < most && total > before) {
        before = total;
        total += take_mapping(MAP_SHARED | MAP_ANONYMOUS, -1);
        total += take_mapping(MAP_SHARED, zero);
        total += take_segment();
    }
    reached(total);
}
