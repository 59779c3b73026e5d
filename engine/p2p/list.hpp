// Doubly linked lists through the elements themselves: what waits for a message is taken out of the middle.
#pragma once

namespace foldlane::engine {

template <class Element, Element* Element::*kPrevious, Element* Element::*kNext>
class List {
 public:
  Element* first() const noexcept { return first_; }
  bool empty() const noexcept { return first_ == nullptr; }

  void append(Element& element) noexcept {
    element.*kPrevious = last_;
    element.*kNext = nullptr;
    (last_ == nullptr ? first_ : last_->*kNext) = &element;
    last_ = &element;
  }
  void remove(Element& element) noexcept {
    (element.*kPrevious == nullptr ? first_ : element.*kPrevious->*kNext) = element.*kNext;
    (element.*kNext == nullptr ? last_ : element.*kNext->*kPrevious) = element.*kPrevious;
  }
  void remove_first() noexcept {
    first_ = first_->*kNext;
    (first_ == nullptr ? last_ : first_->*kPrevious) = nullptr;
  }

  /// The first of which `is_it` is true, or null.
  template <class IsIt>
  Element* find(const IsIt& is_it) const noexcept {
    for (Element* element = first_; element != nullptr; element = element->*kNext) {
      if (is_it(*element)) return element;
    }
    return nullptr;
  }

 private:
  Element* first_ = nullptr;
  Element* last_ = nullptr;
};

}  // namespace foldlane::engine
