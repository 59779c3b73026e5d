// Attributes and keys as programs see them, on communicators and datatypes.
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;

std::vector<void*> deleted;
int delete_result = MPI_SUCCESS;

template <class Handle>
int note(Handle, int, void* value, void*) {
  deleted.push_back(value);
  return delete_result;
}

struct OfComm {
  static constexpr auto make = MPI_Comm_create_keyval;
  static constexpr auto free = MPI_Comm_free_keyval;
  static constexpr auto set = MPI_Comm_set_attr;
  static constexpr auto get = MPI_Comm_get_attr;
  static constexpr auto erase = MPI_Comm_delete_attr;
  static MPI_Comm object() { return MPI_COMM_WORLD; }
  static MPI_Comm other() { return MPI_COMM_SELF; }
  static MPI_Comm null() { return MPI_COMM_NULL; }
  static constexpr auto destroy = note<MPI_Comm>;
  static constexpr int kNullClass = MPI_ERR_COMM;
};

struct OfCommDeprecated : OfComm {
  static constexpr auto make = MPI_Keyval_create;
  static constexpr auto free = MPI_Keyval_free;
  static constexpr auto set = MPI_Attr_put;
  static constexpr auto get = MPI_Attr_get;
  static constexpr auto erase = MPI_Attr_delete;
};

struct OfType {
  static constexpr auto make = MPI_Type_create_keyval;
  static constexpr auto free = MPI_Type_free_keyval;
  static constexpr auto set = MPI_Type_set_attr;
  static constexpr auto get = MPI_Type_get_attr;
  static constexpr auto erase = MPI_Type_delete_attr;
  static MPI_Datatype object() { return MPI_INT; }
  static MPI_Datatype other() { return MPI_DOUBLE; }
  static MPI_Datatype null() { return MPI_DATATYPE_NULL; }
  static constexpr auto destroy = note<MPI_Datatype>;
  static constexpr int kNullClass = MPI_ERR_TYPE;
};

int one, two;  // whose addresses are values

template <class Kind>
class Attributes : public ::testing::Test {
 protected:
  Attributes() {
    deleted.clear();
    delete_result = MPI_SUCCESS;
  }

  static int make_key() {
    int key = MPI_KEYVAL_INVALID;
    EXPECT_EQ(Kind::make(nullptr, Kind::destroy, &key, nullptr), MPI_SUCCESS);
    EXPECT_GT(key, 0);
    return key;
  }

  template <class Handle>
  static void* get(Handle object, int key) {
    void* value = nullptr;
    int flag = -1;
    EXPECT_EQ(Kind::get(object, key, &value, &flag), MPI_SUCCESS);
    EXPECT_EQ(flag, value != nullptr);
    return value;
  }

  ErrorsReturn errors_return_;
};

using Kinds = ::testing::Types<OfComm, OfCommDeprecated, OfType>;
TYPED_TEST_SUITE(Attributes, Kinds);

TYPED_TEST(Attributes, AreSetReadAndDeleted) {
  int key = this->make_key();
  EXPECT_EQ(this->get(TypeParam::object(), key), nullptr);
  EXPECT_EQ(TypeParam::set(TypeParam::object(), key, &one), MPI_SUCCESS);
  EXPECT_EQ(this->get(TypeParam::object(), key), &one);
  EXPECT_EQ(this->get(TypeParam::other(), key), nullptr);
  EXPECT_EQ(TypeParam::erase(TypeParam::object(), key), MPI_SUCCESS);
  EXPECT_EQ(deleted, std::vector<void*>{&one});
  EXPECT_EQ(this->get(TypeParam::object(), key), nullptr);
  EXPECT_EQ(TypeParam::erase(TypeParam::object(), key), MPI_SUCCESS);  // nothing to delete
  EXPECT_EQ(deleted.size(), 1U);
  EXPECT_EQ(TypeParam::free(&key), MPI_SUCCESS);
  EXPECT_EQ(key, MPI_KEYVAL_INVALID);
}

TYPED_TEST(Attributes, AReplacedValueIsDeleted) {
  int key = this->make_key();
  EXPECT_EQ(TypeParam::set(TypeParam::object(), key, &one), MPI_SUCCESS);
  EXPECT_EQ(TypeParam::set(TypeParam::object(), key, &two), MPI_SUCCESS);
  EXPECT_EQ(deleted, std::vector<void*>{&one});
  EXPECT_EQ(this->get(TypeParam::object(), key), &two);
  EXPECT_EQ(TypeParam::erase(TypeParam::object(), key), MPI_SUCCESS);
  EXPECT_EQ(TypeParam::free(&key), MPI_SUCCESS);
}

TYPED_TEST(Attributes, AFailingDeleteFunctionFailsTheCall) {
  int key = this->make_key();
  EXPECT_EQ(TypeParam::set(TypeParam::object(), key, &one), MPI_SUCCESS);
  for (int code : {MPI_ERR_NO_SPACE, 99999, -5}) {
    delete_result = code;
    EXPECT_EQ(TypeParam::set(TypeParam::object(), key, &two), code);
    EXPECT_EQ(TypeParam::erase(TypeParam::object(), key), code);
    EXPECT_EQ(this->get(TypeParam::object(), key), &one);
  }
  EXPECT_NE(error_string(MPI_ERR_NO_SPACE)
                .find("a copy or delete function of an attribute returned MPI_ERR_NO_SPACE"),
            std::string::npos);
  delete_result = MPI_SUCCESS;
  EXPECT_EQ(TypeParam::erase(TypeParam::object(), key), MPI_SUCCESS);
  EXPECT_EQ(TypeParam::free(&key), MPI_SUCCESS);
}

TYPED_TEST(Attributes, AFreedKeyServesTheAttributesItHas) {
  int key = this->make_key();
  const int old = key;
  EXPECT_EQ(TypeParam::set(TypeParam::object(), key, &one), MPI_SUCCESS);
  EXPECT_EQ(TypeParam::free(&key), MPI_SUCCESS);
  EXPECT_EQ(this->get(TypeParam::object(), old), &one);
  EXPECT_EQ(TypeParam::set(TypeParam::object(), old, &two), MPI_ERR_KEYVAL);
  EXPECT_EQ(TypeParam::set(TypeParam::other(), old, &two), MPI_ERR_KEYVAL);
  EXPECT_TRUE(deleted.empty());
  EXPECT_EQ(TypeParam::erase(TypeParam::object(), old), MPI_SUCCESS);
  EXPECT_EQ(deleted, std::vector<void*>{&one});
  EXPECT_EQ(TypeParam::erase(TypeParam::object(), old), MPI_ERR_KEYVAL);
  key = old;
  EXPECT_EQ(TypeParam::free(&key), MPI_ERR_KEYVAL);
}

TYPED_TEST(Attributes, WrongArguments) {
  int key = this->make_key(), flag = -1;
  void* value = nullptr;
  EXPECT_EQ(TypeParam::set(TypeParam::null(), key, &one), TypeParam::kNullClass);
  EXPECT_EQ(TypeParam::get(TypeParam::null(), key, &value, &flag), TypeParam::kNullClass);
  EXPECT_EQ(TypeParam::erase(TypeParam::null(), key), TypeParam::kNullClass);
  EXPECT_EQ(TypeParam::get(TypeParam::object(), key, nullptr, &flag), MPI_ERR_ARG);
  EXPECT_EQ(TypeParam::get(TypeParam::object(), key, &value, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(TypeParam::make(nullptr, nullptr, nullptr, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(TypeParam::free(nullptr), MPI_ERR_ARG);
  for (int bad : {MPI_KEYVAL_INVALID, -1, 12345, MPI_WIN_SIZE}) {
    EXPECT_EQ(TypeParam::set(TypeParam::object(), bad, &one), MPI_ERR_KEYVAL);
    EXPECT_EQ(TypeParam::get(TypeParam::object(), bad, &value, &flag), MPI_ERR_KEYVAL);
    EXPECT_EQ(TypeParam::erase(TypeParam::object(), bad), MPI_ERR_KEYVAL);
    EXPECT_EQ(TypeParam::free(&bad), MPI_ERR_KEYVAL);
  }
  EXPECT_EQ(TypeParam::free(&key), MPI_SUCCESS);
}

TEST(AttributeKeys, FitOneKindOfObject) {
  ErrorsReturn errors_return;
  int comm = 0, type = 0, window = 0;
  ASSERT_EQ(MPI_Comm_create_keyval(nullptr, nullptr, &comm, nullptr), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_create_keyval(nullptr, nullptr, &type, nullptr), MPI_SUCCESS);
  ASSERT_EQ(MPI_Win_create_keyval(nullptr, nullptr, &window, nullptr), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_set_attr(MPI_COMM_WORLD, type, &one), MPI_ERR_KEYVAL);
  EXPECT_NE(error_string(MPI_ERR_KEYVAL).find("made for another kind of object"), std::string::npos);
  EXPECT_EQ(MPI_Type_set_attr(MPI_INT, comm, &one), MPI_ERR_KEYVAL);
  EXPECT_EQ(MPI_Type_set_attr(MPI_INT, window, &one), MPI_ERR_KEYVAL);
  EXPECT_EQ(MPI_Comm_free_keyval(&window), MPI_ERR_KEYVAL);
  EXPECT_EQ(MPI_Comm_free_keyval(&comm), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_free_keyval(&type), MPI_SUCCESS);
  EXPECT_EQ(MPI_Win_free_keyval(&window), MPI_SUCCESS);
  EXPECT_EQ(window, MPI_KEYVAL_INVALID);
}

TEST(AttributeKeys, OldAndNewCallsShareThem) {
  ErrorsReturn errors_return;
  int key = 0, flag = 0;
  void* value = nullptr;
  ASSERT_EQ(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, nullptr), MPI_SUCCESS);
  ASSERT_EQ(MPI_Attr_put(MPI_COMM_WORLD, key, &one), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag), MPI_SUCCESS);
  EXPECT_EQ(value, &one);
  EXPECT_EQ(MPI_Comm_delete_attr(MPI_COMM_WORLD, key), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_free_keyval(&key), MPI_SUCCESS);
}

int predefined(MPI_Comm comm, int key) {
  int* value = nullptr;
  int flag = 0;
  EXPECT_EQ(MPI_Comm_get_attr(comm, key, &value, &flag), MPI_SUCCESS);
  EXPECT_EQ(flag, 1);
  return *value;
}

TEST(PredefinedAttributes, HaveValuesOnEveryCommunicator) {
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    EXPECT_GE(predefined(comm, MPI_TAG_UB), 32767);
    EXPECT_EQ(predefined(comm, MPI_HOST), MPI_PROC_NULL);
    EXPECT_EQ(predefined(comm, MPI_IO), MPI_ANY_SOURCE);
    EXPECT_EQ(predefined(comm, MPI_WTIME_IS_GLOBAL), 1);
    EXPECT_EQ(predefined(comm, MPI_UNIVERSE_SIZE), 1);
  }
  int* value = nullptr;
  int flag = -1;
  EXPECT_EQ(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag), MPI_SUCCESS);
  EXPECT_EQ(flag, 0);
}

TEST(PredefinedAttributes, TheLastUsedCodeFollowsTheCodes) {
  EXPECT_EQ(predefined(MPI_COMM_WORLD, MPI_LASTUSEDCODE), MPI_ERR_LASTCODE);
  int error_class = 0, code = 0;
  ASSERT_EQ(MPI_Add_error_class(&error_class), MPI_SUCCESS);
  EXPECT_EQ(predefined(MPI_COMM_WORLD, MPI_LASTUSEDCODE), error_class);
  ASSERT_EQ(MPI_Add_error_code(error_class, &code), MPI_SUCCESS);
  EXPECT_EQ(predefined(MPI_COMM_WORLD, MPI_LASTUSEDCODE), code);
  ASSERT_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
  EXPECT_EQ(predefined(MPI_COMM_WORLD, MPI_LASTUSEDCODE), error_class);
  ASSERT_EQ(MPI_Remove_error_class(error_class), MPI_SUCCESS);
  EXPECT_EQ(predefined(MPI_COMM_WORLD, MPI_LASTUSEDCODE), MPI_ERR_LASTCODE);
}

TEST(PredefinedAttributes, CannotBeChanged) {
  ErrorsReturn errors_return;
  for (int key = MPI_TAG_UB; key <= MPI_UNIVERSE_SIZE; ++key) {
    int copy = key, flag = 0;
    void* value = nullptr;
    EXPECT_EQ(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &one), MPI_ERR_KEYVAL);
    EXPECT_EQ(MPI_Comm_delete_attr(MPI_COMM_WORLD, key), MPI_ERR_KEYVAL);
    EXPECT_EQ(MPI_Comm_free_keyval(&copy), MPI_ERR_KEYVAL);
    EXPECT_EQ(MPI_Type_get_attr(MPI_INT, key, &value, &flag), MPI_ERR_KEYVAL);
  }
}

int throw_error(MPI_Comm, int, void*, void*) { throw std::runtime_error("from the program"); }

TEST(AttributeFunctions, MayThrow) {
  int key = 0;
  ASSERT_EQ(MPI_Comm_create_keyval(nullptr, throw_error, &key, nullptr), MPI_SUCCESS);
  ASSERT_EQ(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &one), MPI_SUCCESS);
  EXPECT_THROW(MPI_Comm_delete_attr(MPI_COMM_WORLD, key), std::runtime_error);
  EXPECT_EQ(MPI_Comm_free_keyval(&key), MPI_SUCCESS);
}

std::vector<std::string> finalize_log;

extern "C" int log_finalize(MPI_Comm comm, int, void* value, void* extra_state) {
  int flag = 1, size = 0, sum = 0, one_each = 1;
  MPI_Finalized(&flag);
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&one_each, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (flag != 0 || size != 1 || sum != 1 || extra_state != &two) std::abort();
  finalize_log.push_back((comm == MPI_COMM_SELF ? "self " : "world ") +
                         std::string(static_cast<const char*>(value)));
  return MPI_SUCCESS;
}

void finalize_with_attributes() {
  static char names[] = "a\0b\0c";
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    for (int i = 0; i < 3; ++i) {
      int key = 0;
      MPI_Comm_create_keyval(nullptr, log_finalize, &key, &two);
      MPI_Comm_set_attr(comm, key, names + 2 * i);
      MPI_Comm_free_keyval(&key);
    }
  }
  MPI_Finalize();
  const std::vector<std::string> expected{"self c", "self b", "self a", "world c", "world b", "world a"};
  std::exit(finalize_log == expected ? 3 : 4);
}

TEST(AttributesDeathTest, FinalizeDeletesTheLastOfSelfFirstAndThenThoseOfTheWorld) {
  EXPECT_EXIT(finalize_with_attributes(), ::testing::ExitedWithCode(3), "^$");
}

TEST(AttributesDeathTest, AFailingDeleteFunctionFailsFinalize) {
  EXPECT_EXIT(
      {
        int key = 0;
        MPI_Comm_create_keyval(nullptr, note<MPI_Comm>, &key, nullptr);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
        delete_result = 40000;
        MPI_Finalize();
      },
      ::testing::ExitedWithCode(40000 & 255),
      "^foldlane: rank 0: MPI_Finalize: a copy or delete function [^\n]* \\(error code 40000\\)\n$");
}

int count_delete(MPI_Comm, int, void*, void* extra_state) {
  static_cast<std::vector<int>*>(extra_state)->push_back(1);
  return MPI_SUCCESS;
}

// Every value that was set is deleted once. The function runs in both threads, so each has its own counter.
TEST(AttributesOfThreads, OwnKeysOnOneCommunicator) {
  const auto work = [] {
    std::vector<int> count;
    int key = 0;
    ASSERT_EQ(MPI_Comm_create_keyval(nullptr, count_delete, &key, &count), MPI_SUCCESS);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &one), MPI_SUCCESS);
    ASSERT_EQ(MPI_Comm_delete_attr(MPI_COMM_WORLD, key), MPI_SUCCESS);
    EXPECT_EQ(count.size(), 1000U);
    ASSERT_EQ(MPI_Comm_free_keyval(&key), MPI_SUCCESS);
  };
  std::thread other(work);
  work();
  other.join();
}

}  // namespace
