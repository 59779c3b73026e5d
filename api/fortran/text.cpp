#include "api/fortran/text.hpp"

#include <algorithm>
#include <cstring>

#include "api/fortran/sentinels.hpp"

namespace foldlane::fortran {
namespace {

constexpr char kUnwritten = '\1';

std::string trimmed(const char* text, std::size_t length) {
  while (length > 0 && text[length - 1] == ' ') --length;
  return std::string(text, length);
}

}  // namespace

Text::Text(const char* fortran, std::size_t length, Trim trim) : text_(trimmed(fortran, length)) {
  if (trim == Trim::both) text_.erase(0, std::min(text_.find_first_not_of(' '), text_.size()));
}

TextOut::TextOut(char* fortran, std::size_t length, std::int64_t capacity)
    : fortran_(fortran),
      length_(length),
      text_(static_cast<std::size_t>(std::max<std::int64_t>(capacity, 0)) + 1, '\0') {
  text_.front() = kUnwritten;
}

TextOut::~TextOut() {
  if (text_.front() == kUnwritten) return;
  const std::size_t written = std::min(std::strlen(text_.c_str()), length_);
  std::memcpy(fortran_, text_.data(), written);
  std::memset(fortran_ + written, ' ', length_ - written);
}

TextArray::TextArray(const char* fortran, std::size_t length, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i, fortran += length) texts_.push_back(trimmed(fortran, length));
  point(false);
}

void TextArray::append_until_blank(const char* fortran, std::size_t length, std::size_t stride) {
  for (;; fortran += stride) {
    std::string text = trimmed(fortran, length);
    if (text.empty()) return;
    texts_.push_back(std::move(text));
  }
}

void TextArray::point(bool with_end) {
  for (std::string& text : texts_) pointers_.push_back(text.data());
  if (with_end) pointers_.push_back(nullptr);
}

Arguments::Arguments(const char* fortran, std::size_t length, bool significant)
    : is_null_(!significant || fortran == foldlane_argv_null_) {
  if (is_null_) return;
  append_until_blank(fortran, length, length);
  point(true);
}

Arguments Arguments::row(const char* first, std::size_t length, std::size_t stride) {
  Arguments arguments;
  arguments.append_until_blank(first, length, stride);
  arguments.point(true);
  return arguments;
}

ArgumentTable::ArgumentTable(const char* fortran, std::size_t length, std::int64_t rows)
    : is_null_(fortran == foldlane_argvs_null_) {
  if (is_null_) return;
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(rows, 0));
  for (std::size_t row = 0; row < count; ++row) {
    rows_.push_back(Arguments::row(fortran + row * length, length, count * length));
  }
  for (Arguments& arguments : rows_) pointers_.push_back(arguments);
}

}  // namespace foldlane::fortran
