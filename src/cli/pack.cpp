// pathspool pack: from the text form, or from another spool, to a spool.
#include "pathspool/pack.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "cli/choice_option.h"
#include "cli/command_error.h"
#include "cli/message_line.h"
#include "cli/number_arguments.h"
#include "cli/opened_spool.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "cli/verb.h"
#include "pathspool/spool.h"

namespace pathspool::cli {

namespace {

struct PackArguments {
  std::string input;
  std::string output;
  PackOptions options;  // all but the three that follow
  // None for `paths`, which this version lacks.
  std::optional<Symbols> chosen_symbols = Symbols::segments;
  std::uint64_t chunk_bytes = 4U << 20;
  bool no_index = false;
  // To know which options were given, not what they were set to.
  const CLI::Option* codec = nullptr;
  const CLI::Option* symbols = nullptr;
  const CLI::Option* chunk_size = nullptr;
};

// Scripts give the same options to every form: one that has no effect is worth a line, not a
// refusal.
void warn_unless_form(const CLI::Option* option, const PackOptions& options, Form form) {
  if (option->count() == 0 || options.form == form) return;
  print_message(fmt::format("pack: {} has no effect with --form {}", option->get_name(),
                            name_of(options.form)));
}

void require_sense(const PackArguments& arguments) {
  if (!arguments.chosen_symbols) throw UsageError("this version has no --symbols paths");
  warn_unless_form(arguments.codec, arguments.options, Form::chunks);
  warn_unless_form(arguments.chunk_size, arguments.options, Form::chunks);
  warn_unless_form(arguments.symbols, arguments.options, Form::grammar);
  if (arguments.options.memory_bytes < kLeastMemoryBytes) {
    throw UsageError(fmt::format("--memory must be {}M at least", kLeastMemoryBytes >> 20));
  }
  if (arguments.chunk_bytes == 0) throw UsageError("--chunk-size must be 1 at least");
  if (arguments.chunk_bytes > kLargestChunkBytes) {
    throw UsageError(fmt::format("--chunk-size must be {}M at most", kLargestChunkBytes >> 20));
  }
  if (arguments.options.form == Form::columns) {
    throw UsageError("this version has no --form columns");
  }
  if (arguments.output == "-") throw FileError("standard output", "a spool needs a seekable file");
}

void require_two_files(const TextInput& input, const std::string& output) {
  struct stat status {};
  if (stat(output.c_str(), &status) == 0 && input.is_the_same_file_as(status)) {
    throw FileError(output, "is both the input and the output");
  }
}

// Errors of the library get the name of the file that they are about.
template <typename Action>
void naming_both(const TextInput& input, const std::string& output, Action&& action) {
  naming(input.name(), [&] {
    try {
      action();
    } catch (const OutputError& error) {
      throw FileError(output, error.what(), error.offset_bytes());
    }
  });
}

int run_pack(PackArguments& arguments) {
  require_sense(arguments);
  if (arguments.symbols->count() > 0) arguments.options.symbols = arguments.chosen_symbols;
  if (arguments.chunk_size->count() > 0) arguments.options.chunk_bytes = arguments.chunk_bytes;
  arguments.options.index = !arguments.no_index;
  TextInput input(arguments.input);
  require_two_files(input, arguments.output);
  const bool is_standard_input = arguments.input == "-";
  const std::string path = is_standard_input ? "/dev/stdin" : arguments.input;
  // Only a regular file is looked into: what is read from a pipe is gone.
  const bool is_spool =
      input.is_regular() && naming(input.name(), [&] { return looks_like_a_spool(path); });
  if (is_spool && is_standard_input) {
    throw FileError(input.name(), "is a spool, which needs a seekable file: give its name");
  }
  if (is_spool) {
    const Spool spool = open_spool(arguments.input);
    ProgressLine progress("packing", "events");
    naming_both(input, arguments.output,
                [&] { pack(spool, arguments.output, arguments.options, progress.callback()); });
    return kSuccess;
  }
  ProgressLine progress("packing", "bytes");
  const auto show = [&](std::uint64_t done, std::uint64_t) {
    progress.show(done, input.total_bytes());
  };
  naming_both(input, arguments.output,
              [&] { pack_text(input.source(), arguments.output, arguments.options, show); });
  return kSuccess;
}

template <typename Value>
Choices<Value> by_name(std::initializer_list<Value> values) {
  Choices<Value> choices;
  for (const Value value : values) choices.emplace_back(name_of(value), value);
  return choices;
}

CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& target,
                      const std::string& default_text, const std::string& description) {
  return app
      .add_option_function<std::string>(
          name, [name, &target](const std::string& text) { target = parse_size(name, text); },
          description)
      ->type_name("SIZE")
      ->default_str(default_text);
}

Run declare(CLI::App& app) {
  const auto arguments = std::make_shared<PackArguments>();
  PackOptions& options = arguments->options;
  app.add_option("IN", arguments->input,
                 "A trace in text form ('-' for standard input), or a spool")
      ->required();
  app.add_option(
         "-o,--output", arguments->output,
         "The spool to write. It appears, or replaces an older one, only when it is complete")
      ->type_name("OUT")
      ->required();
  add_choice(app, "--form", options.form,
             by_name({Form::chunks, Form::grammar, Form::bits, Form::columns}),
             "How to store the events");
  arguments->codec = add_choice(app, "--codec", options.codec,
                                by_name({Codec::gzip, Codec::bzip2, Codec::zstd, Codec::xz}),
                                "What compresses the chunks of --form chunks");
  CLI::Option* symbols = add_choice<std::optional<Symbols>>(
      app, "--symbols", arguments->chosen_symbols,
      {{"blocks", Symbols::blocks}, {"segments", Symbols::segments}, {"paths", std::nullopt}},
      "What the grammar of --form grammar is made of: single events, or acyclic runs of them, "
      "which is faster and smaller");
  symbols->default_str(fmt::format("segments, but blocks for less than {} events", kFewEvents));
  arguments->symbols = symbols;
  arguments->chunk_size =
      add_size(app, "--chunk-size", arguments->chunk_bytes, "4M",
               "How many bytes of events make a chunk of --form chunks, before compression");
  add_size(app, "--memory", options.memory_bytes, "1G",
           "How much memory to use: long streams are cut into segments that fit");
  app.add_flag("--no-index", arguments->no_index, "Leave out the index that speeds up queries");
  return [arguments] { return run_pack(*arguments); };
}

constexpr std::string_view kDescription[] = {
    "Winds a trace onto a spool: a file that is small and can be read and searched without "
    "unpacking it. The input may be a spool too, which changes its form and keeps all it knows.",
    "A SIZE is a number of bytes, or of units of 1024, 1024^2 or 1024^3 bytes with K, M or G "
    "after it."};
constexpr Example kExamples[] = {
    {"a trace in text form", "pathspool pack run.txt -o run.spool"},
    {"what another program prints", "tracer | pathspool pack - -o run.spool --form grammar"},
    {"the smallest chunks", "pathspool pack run.txt -o run.spool --codec bzip2"},
    {"a spool in another form", "pathspool pack run.spool -o small.spool --form grammar"},
};
constexpr ExitStatus kStatuses[] = {
    {kSuccess, "The spool is written."},
    {kFailure,
     "Something failed, and whatever was at OUT is still there; or the command line makes "
     "no sense."}};

}  // namespace

const Verb kPack = {"pack",       "wind a trace in text form, or another spool, onto a spool",
                    kDescription, kExamples,
                    kStatuses,    declare};

}  // namespace pathspool::cli
