// The manual pages, made of the same options as --help.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}  // namespace CLI

namespace foldlane::tools {

/// The hidden flag --man: what --help prints, as a section of a manual page.
void add_manual_flag(CLI::App& app);

/// The beginning of the page `name`, up to its sections of commands.
std::string manual_head(std::string_view name, std::string_view summary, std::string_view synopsis);

}  // namespace foldlane::tools
