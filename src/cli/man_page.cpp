#include "cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/help.h"
#include "cli/option_facts.h"
#include "cli/verbs.h"

namespace pathspool::cli {

namespace {

// Text that troff shows as it stands: minus signs that can be copied, no accidental request.
std::string escaped(std::string_view text) {
  std::string shown;
  if (text.starts_with('.') || text.starts_with('\'')) shown += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        shown += "\\e";
        break;
      case '-':
        shown += "\\-";
        break;
      case '\'':
        shown += "\\(aq";
        break;
      default:
        shown += c;
    }
  }
  return shown;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", escaped(text)); }

std::string head(std::string_view page, std::string_view summary) {
  std::string title(page);
  std::ranges::transform(title, title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  // No date: the same source always gives the same page. `.nh` keeps what can be typed from being
  // hyphenated, `.ad l` from being stretched.
  return fmt::format(
      ".TH \"{}\" 1 \"\" \"pathspool {}\" \"Pathspool Manual\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n",
      escaped(title), PATHSPOOL_VERSION, escaped(page), escaped(summary));
}

std::string synopsis(std::string_view command, const std::vector<std::string>& words) {
  std::string text = fmt::format(".SH SYNOPSIS\n{}", bold(command));
  for (const std::string& word : words) {
    // The blanks inside a bracket do not break.
    std::string unbroken;
    for (const char c : word) unbroken += c == ' ' ? "\\ " : escaped({&c, 1});
    text += "\n" + unbroken;
  }
  return text + "\n";
}

std::string examples_section(std::span<const Example> examples) {
  std::string text = ".SH EXAMPLES\n";
  for (const Example& example : examples) {
    std::string purpose(example.purpose);
    if (purpose.front() >= 'a' && purpose.front() <= 'z') {
      purpose.front() = static_cast<char>(purpose.front() - 32);
    }
    text += fmt::format(".PP\n{}:\n.PP\n.RS 4\n.nf\n{}\n.fi\n.RE\n", escaped(purpose),
                        escaped(example.command));
  }
  return text;
}

std::string tagged(const std::string& tag, std::string_view paragraph) {
  return fmt::format(".TP\n{}\n{}\n", tag, escaped(paragraph));
}

std::string option_tag(const OptionFacts& option) {
  std::string tag;
  for (const std::string& name : option.names) {
    if (!tag.empty()) tag += ", ";
    tag += option.positional ? italic(name) : bold(name);
  }
  if (!option.argument.empty()) tag += "\\ " + italic(option.argument);
  return tag;
}

std::string status_section(std::span<const ExitStatus> statuses) {
  std::string text = ".SH \"EXIT STATUS\"\n";
  for (const ExitStatus& status : statuses) {
    text += tagged(bold(std::to_string(status.status)), status.meaning);
  }
  return text;
}

std::string see_also(std::string_view this_page) {
  std::vector<std::string> pages = {"pathspool"};
  for (const Verb* verb : verbs()) pages.push_back(fmt::format("pathspool-{}", verb->name));
  std::erase(pages, this_page);
  std::string text = ".SH \"SEE ALSO\"\n";
  for (const std::string& page : pages) {
    text += fmt::format("{}(1){}\n", bold(page), page == pages.back() ? "" : ",");
  }
  return text;
}

}  // namespace

std::string man_page_for(const Verb& verb, const CLI::App& app) {
  const std::string page = fmt::format("pathspool-{}", verb.name);
  std::string text = head(page, verb.summary);
  text += synopsis(fmt::format("pathspool {}", verb.name), usage_words(app));
  text += ".SH DESCRIPTION\n";
  for (const std::string_view paragraph : verb.description) {
    text += fmt::format(".PP\n{}\n", escaped(paragraph));
  }
  text += examples_section(verb.examples);
  text += ".SH OPTIONS\n";
  for (const OptionFacts& option : options_of(app)) {
    text += tagged(option_tag(option), option.description);
  }
  return text + status_section(verb.statuses) + see_also(page);
}

std::string man_page_for_all() {
  static constexpr ExitStatus kStatuses[] = {
      {kSuccess, "Found, intact or the same; or simply done."},
      {kDamaged, "Not found, damaged or different."},
      {kFailure,
       "The command line makes no sense, or something failed: one line on standard error says "
       "what."}};
  std::string text = head("pathspool", "record the paths a program takes and ask about them");
  text += synopsis("pathspool", {"VERB", "[OPTIONS]", "..."});
  text +=
      ".SH DESCRIPTION\n.PP\nPathspool keeps every path that a program took in a small file, a\n"
      ".IR spool .\nEach verb does one thing with such a file and has a page of its own.\n";
  for (const Verb* verb : verbs()) text += tagged(bold(verb->name), verb->summary);
  text += examples_section(overall_examples());
  text += ".SH OPTIONS\n";
  text += tagged(bold("-h") + ", " + bold("--help"), "Print a short help and exit.");
  text += tagged(bold("--version"), "Print the version and exit.");
  return text + status_section(kStatuses) + see_also("pathspool");
}

}  // namespace pathspool::cli
