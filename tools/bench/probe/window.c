/* The driver's socket, and the file that it shares with the ranks. */
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "probe.h"

struct line* lines;
struct stamps* own_stamps;
unsigned char* own_data;

int connect_to(const char* name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int driver = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const size_t length = strlen(name);
  if (length + 1 > sizeof address.sun_path) die("the socket's name is too long");
  memcpy(address.sun_path + 1, name, length);
  if (connect(driver, (struct sockaddr*)&address,
              (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) != 0)
    die("the driver is not there");
  return driver;
}

static int receive_file(int driver) {
  char byte;
  char room[CMSG_SPACE(sizeof(int))];
  struct iovec data = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  if (recvmsg(driver, &message, 0) != 1 || CMSG_FIRSTHDR(&message) == NULL) die("the driver sent no file");
  int fd;
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

void receive_window(int driver) {
  const int fd = receive_file(driver);
  struct stat file;
  if (fstat(fd, &file) != 0) die("the driver's file cannot be read");
  unsigned char* const at = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) die("the driver's file cannot be mapped");
  lines = (struct line*)at;
  own_stamps = (struct stamps*)(at + MAX_RANKS * LINE) + (size_t)rank * MAX_CALLS;
  own_data =
      at + MAX_RANKS * LINE + (size_t)ranks * MAX_CALLS * sizeof(struct stamps) + (size_t)rank * DATA_BYTES;
  close(fd);
}
