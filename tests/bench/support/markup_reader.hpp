// Reads the pictures and pages that the tests look at; throws if they are not well-formed.
#pragma once

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace foldlane::bench {

using Element = boost::property_tree::ptree;

inline Element parsed(const std::string& text) {
  std::istringstream stream(text);
  Element document;
  boost::property_tree::read_xml(stream, document);
  return document;
}

inline void visit(const Element& element,
                  const std::function<void(const std::string&, const Element&)>& look) {
  for (const auto& [name, child] : element) {
    look(name, child);
    visit(child, look);
  }
}

inline std::string attribute(const Element& element, const std::string& name) {
  return element.get("<xmlattr>." + name, "");
}

/// All elements of this name and, unless it is empty, exactly this class.
inline std::vector<Element> elements(const Element& document, const std::string& name,
                                     const std::string& looks = "") {
  std::vector<Element> found;
  visit(document, [&](const std::string& its_name, const Element& element) {
    if (its_name == name && (looks.empty() || attribute(element, "class") == looks)) {
      found.push_back(element);
    }
  });
  return found;
}

inline std::vector<std::string> texts(const Element& document, const std::string& name,
                                      const std::string& looks = "") {
  std::vector<std::string> all;
  for (const Element& element : elements(document, name, looks)) {
    all.push_back(element.data());
  }
  return all;
}

}  // namespace foldlane::bench
