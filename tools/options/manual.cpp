#include "options/manual.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <memory>
#include <sstream>

namespace foldlane::tools {
namespace {

/// Text that roff takes as it is: a hyphen stays one that can be copied, and no line begins with a request.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else {
      out += letter;
    }
  }
  return out;
}

std::string upper(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

class ManualFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode /*mode*/) const override {
    std::string text =
        fmt::format(".SH {}\n{}\n", upper(CLI::detail::trim_copy(name.empty() ? app->get_name() : name)),
                    escaped(app->get_description()));
    for (const CLI::Option* option : app->get_options()) text += entry(*option);
    return text + fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(app->get_footer()));
  }

 private:
  std::string entry(const CLI::Option& option) const {
    if (option.get_group().empty()) return {};
    const bool positional = option.get_positional();
    return fmt::format(".TP\n.B {}\n{}\n",
                       escaped(make_option_name(&option, positional) + make_option_opts(&option)),
                       escaped(make_option_desc(&option)));
  }
};

}  // namespace

void add_manual_flag(CLI::App& app) {
  app.add_flag_callback("--man",
                        [&app] {
                          app.formatter(std::make_shared<ManualFormatter>());
                          throw CLI::CallForHelp();
                        })
      ->group("");
}

std::string manual_head(std::string_view name, std::string_view summary, std::string_view synopsis) {
  return fmt::format(
      ".TH {} 1 \"\" \"Foldlane {}\" \"Foldlane\"\n"
      ".SH NAME\n{} \\- {}\n"
      ".SH SYNOPSIS\n.nf\n{}\n.fi\n",
      upper(std::string(name)), FOLDLANE_VERSION, escaped(name), escaped(summary), escaped(synopsis));
}

}  // namespace foldlane::tools
