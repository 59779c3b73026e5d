// CHARACTER arguments: padded with blanks in Fortran, ended by a null character in C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace foldlane::fortran {

enum class Trim { end, both };  // keys and values of infos lose the blanks before them too

class Text {
 public:
  Text(const char* fortran, std::size_t length, Trim trim);
  operator const char*() const noexcept { return text_.c_str(); }

 private:
  std::string text_;
};

/// C writes at most `capacity` characters and the null character. What it does not write stays as it is.
class TextOut {
 public:
  TextOut(char* fortran, std::size_t length, std::int64_t capacity);
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;
  ~TextOut();
  operator char*() noexcept { return text_.data(); }

 private:
  char* fortran_;
  std::size_t length_;
  std::string text_;
};

/// The length of a string, of which only C counts the null character. 0 stays 0: a question.
class LengthWithEnd {
 public:
  explicit LengthWithEnd(int* fortran) noexcept
      : fortran_(fortran), before_(*fortran), value_(before_ > 0 ? before_ + 1 : before_) {}
  LengthWithEnd(const LengthWithEnd&) = delete;
  LengthWithEnd& operator=(const LengthWithEnd&) = delete;
  ~LengthWithEnd() { *fortran_ = value_ > 0 ? value_ - 1 : value_; }
  operator int*() noexcept { return &value_; }

 private:
  int* fortran_;
  int before_;
  int value_;
};

/// Pointers to strings of one's own.
class TextArray {
 public:
  TextArray(const char* fortran, std::size_t length, std::int64_t count);
  TextArray(TextArray&&) = default;  // not the copy: its pointers would lead to the original's strings
  operator char**() noexcept { return pointers_.data(); }

 protected:
  TextArray() = default;
  /// `stride`: characters from one element to the next. An element of blanks ends the list.
  void append_until_blank(const char* fortran, std::size_t length, std::size_t stride);
  void point(bool with_end);

  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

/// argv of MPI_Comm_spawn: ended by blanks in Fortran, by a null pointer in C.
class Arguments : public TextArray {
 public:
  Arguments(const char* fortran, std::size_t length, bool significant);
  static Arguments row(const char* first, std::size_t length, std::size_t stride);
  operator char**() noexcept { return is_null_ ? nullptr : TextArray::operator char**(); }

 private:
  Arguments() = default;

  bool is_null_ = false;
};

/// array_of_argv of MPI_Comm_spawn_multiple: a row per command, stored by columns.
class ArgumentTable {
 public:
  ArgumentTable(const char* fortran, std::size_t length, std::int64_t rows);
  operator char***() noexcept { return is_null_ ? nullptr : pointers_.data(); }

 private:
  bool is_null_;
  std::vector<Arguments> rows_;
  std::vector<char**> pointers_;
};

}  // namespace foldlane::fortran
