/* Started with its set-uid bit or with capabilities of its file: tells, as the attacking program
 * does of every attack, whether they came into effect. The argument is the attack's name. */
#include "bomb.h"
#include <linux/capability.h>

int main(int count, char **arguments)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    memset(data, 0, sizeof data);
    syscall(SYS_capget, &header, data);
    int gained = geteuid() == 0 || getegid() == 0 || data[0].effective || data[1].effective;
    printf("{\"attack\": \"%s\", \"verdict\": \"%s\", \"detail\": \"euid %d, capabilities %x\"}\n",
           count > 1 ? arguments[1] : "", gained ? "breach" : "stopped", (int)geteuid(),
           data[0].effective);
}
