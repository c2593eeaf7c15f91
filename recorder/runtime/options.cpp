// PATHSPOOL_OPTIONS="output=FILE form=FORM ...": a program that is started by hand starts itself
// anew, under `pathspool record`.
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process.h"
#include "system_calls.h"

namespace pathspool::runtime {
namespace {

constexpr char kVariable[] = "PATHSPOOL_OPTIONS";

struct Option {
  const char* key;
  const char* argument;  // of `pathspool record`
};
constexpr Option kOptions[] = {
    {"output", "-o"}, {"form", "--form"}, {"mode", "--mode"}, {"include", "-F"}, {"exclude", "-N"},
};

bool starts_with(const char* text, const char* prefix) {
  while (*prefix != 0 && *text == *prefix) ++text, ++prefix;
  return *prefix == 0;
}

bool equal(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\n'; }

// Memory for the new arguments; nothing is given back, since what follows is exec or an unrecorded
// run.
class Memory {
 public:
  explicit Memory(std::size_t bytes) {
    const long got = system_call(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got < 0 && got > -4096) return;
    next_ = reinterpret_cast<char*>(got);
  }
  bool failed() const { return next_ == nullptr; }
  char* take(std::size_t bytes) {
    char* const taken = next_;
    next_ += (bytes + 15) & ~std::size_t{15};
    return taken;
  }

 private:
  char* next_ = nullptr;
};

std::size_t length_of(const char* text) {
  std::size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

struct Command {
  const char* program = nullptr;  // pathspool's own path, if it was given
  const char** arguments = nullptr;
  std::size_t count = 0;

  void add(const char* argument) { arguments[count++] = argument; }
};

// One "key=value", ended by a zero. False if it means nothing.
bool add_option(Command& command, const char* option) {
  const char* value = option;
  while (*value != 0 && *value != '=') ++value;
  if (*value == 0 || value[1] == 0) return false;
  ++value;
  for (const Option& known : kOptions) {
    if (!starts_with(option, known.key) || option[length_of(known.key)] != '=') continue;
    command.add(known.argument);
    command.add(value);
    return true;
  }
  if (starts_with(option, "pathspool=")) {
    command.program = value;
    return true;
  }
  if (starts_with(option, "start=") && (equal(value, "on") || equal(value, "off"))) {
    if (equal(value, "off")) command.add("--start-paused");
    return true;
  }
  return false;
}

bool add_options(Command& command, char* options) {
  while (*options != 0) {
    while (is_blank(*options)) ++options;
    char* const option = options;
    while (*options != 0 && !is_blank(*options)) ++options;
    if (*options != 0) *options++ = 0;
    if (*option != 0 && !add_option(command, option)) {
      say_unrecorded("unknown option in PATHSPOOL_OPTIONS", option);
      return false;
    }
  }
  return true;
}

void remove_variable(char** environment, const char* variable) {
  char** kept = environment;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    char* one[] = {*entry, nullptr};
    if (value_in(one, variable) == nullptr) *kept++ = *entry;
  }
  *kept = nullptr;
}

void execute(const char* path, const Command& command, char** environment) {
  system_call(SYS_execve, as_argument(path), as_argument(command.arguments),
              as_argument(environment));
}

// As execvp does, without its memory.
void execute_from_path(const Command& command, char** environment) {
  const char* folders = value_in(environment, "PATH");
  char path[4096];
  while (folders != nullptr && *folders != 0) {
    std::size_t length = 0;
    while (*folders != 0 && *folders != ':') {
      if (length < sizeof path - 16) path[length++] = *folders;
      ++folders;
    }
    if (*folders == ':') ++folders;
    for (const char* letter = "/pathspool"; *letter != 0; ++letter) path[length++] = *letter;
    path[length] = 0;
    if (path[0] == '/') execute(path, command, environment);
  }
}

}  // namespace

void obey_options(int argc, char** argv, char** environment) {
  const char* given = value_in(environment, kVariable);
  if (given == nullptr || *given == 0 || argc < 1) return;
  if (value_in(environment, PATHSPOOL_ARENA_VARIABLE) != nullptr) return;
  remove_variable(environment, kVariable);

  // At most two arguments for each two letters of options, and the fixed ones.
  constexpr std::size_t kLongestPath = 4096;
  const std::size_t option_bytes = length_of(given) + 1;
  const std::size_t most_arguments = option_bytes + static_cast<std::size_t>(argc) + 16;
  Memory memory(kLongestPath + option_bytes + most_arguments * sizeof(char*) + 64);
  if (memory.failed()) {
    say_unrecorded("no memory to start pathspool record");
    return;
  }
  char* const program = memory.take(kLongestPath);
  char* const options = memory.take(option_bytes);
  for (std::size_t i = 0; i < option_bytes; ++i) options[i] = given[i];
  Command command;
  command.arguments = reinterpret_cast<const char**>(memory.take(most_arguments * sizeof(char*)));

  const long length = system_call(SYS_readlinkat, AT_FDCWD, as_argument("/proc/self/exe"),
                                  as_argument(program), kLongestPath - 1);
  if (length <= 0) {
    say_unrecorded("cannot find its own file in /proc");
    return;
  }
  program[length] = 0;
  command.add("pathspool");
  command.add("record");
  if (!add_options(command, options)) return;
  command.add("--argv0");
  command.add(argv[0]);
  command.add("--");
  command.add(program);
  for (int i = 1; i < argc; ++i) command.add(argv[i]);
  command.add(nullptr);

  if (command.program != nullptr) {
    execute(command.program, command, environment);
  } else {
    execute_from_path(command, environment);
  }
  say_unrecorded("cannot start pathspool record",
                 command.program != nullptr ? command.program : "no pathspool in PATH");
}

}  // namespace pathspool::runtime
