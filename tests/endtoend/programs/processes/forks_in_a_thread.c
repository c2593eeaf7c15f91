// The child of a thread has that thread's frames, and is a process of one thread.
// flags: -pthread
// expect: main
// expect stream: thread( work( before in_parent ) )
// expect stream: thread!( work!( in_child! ) )
// expect parents: 0 1
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static void before(void) { DONE; }
KEEP static void in_parent(void) {
  int status = 0;
  wait(&status);
  printf("%d\n", WEXITSTATUS(status));
  DONE;
}
KEEP static void in_child(void) {
  DONE;
  _exit(5);
}
KEEP static void work(void) {
  before();
  if (fork() == 0) in_child();
  in_parent();
  DONE;
}
static void *thread(void *argument) {
  work();
  DONE;
  return argument;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
  return 0;
}
