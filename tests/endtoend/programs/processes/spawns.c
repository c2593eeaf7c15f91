// posix_spawn, system and popen, of this program and of others.
// expect: main( spawn shell pipe_in )
// expect 3 streams: main( child )
// run: parent
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

extern char **environ;

KEEP static int child(const char *text) { puts(text); fflush(stdout); DONE; return 3; }
KEEP static void spawn(char *program) {
  char *arguments[] = {program, "child", "spawned", NULL};
  pid_t id = 0;
  posix_spawn(&id, program, NULL, NULL, arguments, environ);
  int status = 0;
  waitpid(id, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
  fflush(stdout);
}
KEEP static void shell(void) {
  int status = system("./program child shell; echo from the shell");
  printf("%d\n", WEXITSTATUS(status));
  fflush(stdout);
}
KEEP static void pipe_in(void) {
  char line[100] = "";
  FILE *pipe = popen("./program child piped | tr a-z A-Z", "r");
  if (fgets(line, sizeof line, pipe) != NULL) printf("read %s", line);
  pclose(pipe);
}

int main(int count, char **arguments) {
  if (count > 2 && strcmp(arguments[1], "child") == 0) {
    int result = child(arguments[2]);
    DONE;
    return result;
  }
  spawn(arguments[0]);
  shell();
  pipe_in();
  DONE;
  return 0;
}
