// What duplicating and freeing an object does with its attributes.
#include "api/objects/attribute_set.hpp"

#include "api/datatype/type_attributes.hpp"
#include "support/mpi_world.hpp"

namespace {

using foldlane::api::AttributeSet;
using foldlane::api::create_keyval;
using foldlane::api::destroy_type_attributes;
using foldlane::api::duplicate_type_attributes;
using foldlane::api::free_keyval;
using foldlane::api::Keyval;

using Values = std::vector<std::uintptr_t>;

Values copied, deleted;

void* value_of(std::uintptr_t number) { return reinterpret_cast<void*>(number); }
std::uintptr_t number_of(void* value) { return reinterpret_cast<std::uintptr_t>(value); }

template <class Handle>
int add_100(Handle, int, void*, void* value, void* copy, int* flag) {
  copied.push_back(number_of(value));
  *static_cast<void**>(copy) = value_of(number_of(value) + 100);
  *flag = 1;
  return MPI_SUCCESS;
}

int refuse(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

template <class Handle>
int fail(Handle, int, void*, void*, void*, int* flag) {
  *flag = 1;
  return MPI_ERR_INTERN;
}

template <class Handle>
int note(Handle, int, void* value, void* extra_state) {
  deleted.push_back(number_of(value));
  return extra_state == nullptr ? MPI_SUCCESS : MPI_ERR_OTHER;
}

class AttributeSets : public ::testing::Test {
 protected:
  AttributeSets() {
    copied.clear();
    deleted.clear();
  }

  int set(const Keyval<MPI_Comm>& functions, std::uintptr_t number) {
    const int key = create_keyval(functions);
    EXPECT_EQ(from_.set(MPI_COMM_SELF, key, foldlane::api::check_keyval<MPI_Comm>(key), value_of(number)),
              MPI_SUCCESS);
    free_keyval<MPI_Comm>(key);
    return key;
  }

  AttributeSet<MPI_Comm> from_, to_;
};

TEST_F(AttributeSets, CopyFunctionsDecideWhatTheCopyGets) {
  const int none = set({MPI_COMM_NULL_COPY_FN, note<MPI_Comm>, nullptr}, 1);
  const int same = set({MPI_COMM_DUP_FN, note<MPI_Comm>, nullptr}, 2);
  const int other = set({add_100<MPI_Comm>, note<MPI_Comm>, nullptr}, 3);
  const int refused = set({refuse, note<MPI_Comm>, nullptr}, 4);
  ASSERT_EQ(from_.duplicate_into(MPI_COMM_SELF, to_), MPI_SUCCESS);
  EXPECT_EQ(to_.get(none), std::nullopt);
  EXPECT_EQ(to_.get(same), value_of(2));
  EXPECT_EQ(to_.get(other), value_of(103));
  EXPECT_EQ(to_.get(refused), std::nullopt);
  EXPECT_EQ(from_.get(other), value_of(3));
}

TEST_F(AttributeSets, AreCopiedInOrderAndDeletedInReverse) {
  for (std::uintptr_t i = 1; i <= 3; ++i) set({add_100<MPI_Comm>, note<MPI_Comm>, nullptr}, i);
  ASSERT_EQ(from_.duplicate_into(MPI_COMM_SELF, to_), MPI_SUCCESS);
  EXPECT_EQ(copied, (Values{1, 2, 3}));
  ASSERT_EQ(to_.destroy(MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(deleted, (Values{103, 102, 101}));
}

TEST_F(AttributeSets, CopyingStopsAtTheFirstError) {
  const int before = set({add_100<MPI_Comm>, note<MPI_Comm>, nullptr}, 1);
  set({fail<MPI_Comm>, note<MPI_Comm>, nullptr}, 2);
  set({add_100<MPI_Comm>, note<MPI_Comm>, nullptr}, 3);
  EXPECT_EQ(from_.duplicate_into(MPI_COMM_SELF, to_), MPI_ERR_INTERN);
  EXPECT_EQ(copied, Values{1});
  EXPECT_EQ(to_.get(before), value_of(101));
  EXPECT_EQ(to_.destroy(MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(deleted, Values{101});
}

TEST_F(AttributeSets, DeletingStopsAtTheFirstErrorAndKeepsTheRest) {
  int dummy = 0;
  set({nullptr, note<MPI_Comm>, nullptr}, 1);
  const int bad = set({nullptr, note<MPI_Comm>, &dummy}, 2);
  set({nullptr, note<MPI_Comm>, nullptr}, 3);
  EXPECT_EQ(from_.destroy(MPI_COMM_SELF), MPI_ERR_OTHER);
  EXPECT_EQ(deleted, (Values{3, 2}));
  EXPECT_EQ(from_.get(bad), value_of(2));
  EXPECT_EQ(from_.erase(MPI_COMM_SELF, bad), MPI_ERR_OTHER);  // keeps its place
  EXPECT_EQ(from_.destroy(MPI_COMM_SELF), MPI_ERR_OTHER);
  EXPECT_EQ(deleted, (Values{3, 2, 2, 2}));
}

TEST_F(AttributeSets, AnAttributeWhoseDeletionFailedKeepsItsPlace) {
  int dummy = 0;
  set({add_100<MPI_Comm>, note<MPI_Comm>, nullptr}, 1);
  const int bad = set({add_100<MPI_Comm>, note<MPI_Comm>, &dummy}, 2);
  set({add_100<MPI_Comm>, note<MPI_Comm>, nullptr}, 3);
  EXPECT_EQ(from_.erase(MPI_COMM_SELF, bad), MPI_ERR_OTHER);
  EXPECT_EQ(from_.duplicate_into(MPI_COMM_SELF, to_), MPI_SUCCESS);
  EXPECT_EQ(copied, (Values{1, 2, 3}));
}

AttributeSet<MPI_Comm>* in_use;
int key_in_use;

int look_at_the_set(MPI_Comm comm, int key, void*, void*) {
  EXPECT_EQ(in_use->get(key), std::nullopt);
  EXPECT_EQ(in_use->get(key_in_use), value_of(1));
  EXPECT_EQ(in_use->erase(comm, key_in_use), MPI_SUCCESS);
  return MPI_SUCCESS;
}

TEST_F(AttributeSets, FunctionsMayUseTheSet) {
  in_use = &from_;
  key_in_use = set({nullptr, note<MPI_Comm>, nullptr}, 1);
  set({nullptr, look_at_the_set, nullptr}, 2);
  EXPECT_EQ(from_.destroy(MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(deleted, Values{1});
}

class AttributesOfTypes : public AttributeSets {
 protected:
  static int set(Keyval<MPI_Datatype>::Copy* copy, std::uintptr_t number) {
    int key = 0;
    EXPECT_EQ(MPI_Type_create_keyval(copy, note<MPI_Datatype>, &key, nullptr), MPI_SUCCESS);
    EXPECT_EQ(MPI_Type_set_attr(MPI_FLOAT, key, value_of(number)), MPI_SUCCESS);
    return key;
  }

  static void* get(MPI_Datatype datatype, int key) {
    void* value = nullptr;
    int flag = 0;
    EXPECT_EQ(MPI_Type_get_attr(datatype, key, &value, &flag), MPI_SUCCESS);
    return value;
  }
};

TEST_F(AttributesOfTypes, AreCopiedAndDeleted) {
  const int key = set(add_100<MPI_Datatype>, 1);
  ASSERT_EQ(duplicate_type_attributes(MPI_FLOAT, MPI_SHORT), MPI_SUCCESS);
  EXPECT_EQ(get(MPI_SHORT, key), value_of(101));
  ASSERT_EQ(destroy_type_attributes(MPI_FLOAT), MPI_SUCCESS);
  EXPECT_EQ(deleted, Values{1});
  EXPECT_EQ(get(MPI_FLOAT, key), nullptr);
  ASSERT_EQ(destroy_type_attributes(MPI_SHORT), MPI_SUCCESS);
  EXPECT_EQ(deleted, (Values{1, 101}));
}

TEST_F(AttributesOfTypes, AFailingCopyIsReported) {
  set(fail<MPI_Datatype>, 1);
  EXPECT_EQ(duplicate_type_attributes(MPI_FLOAT, MPI_SHORT), MPI_ERR_INTERN);
  EXPECT_EQ(destroy_type_attributes(MPI_FLOAT), MPI_SUCCESS);
  EXPECT_EQ(destroy_type_attributes(MPI_SHORT), MPI_SUCCESS);
  EXPECT_EQ(deleted, Values{1});
}

TEST_F(AttributesOfTypes, TypesWithoutAny) {
  EXPECT_EQ(duplicate_type_attributes(MPI_LONG, MPI_SHORT), MPI_SUCCESS);
  EXPECT_EQ(destroy_type_attributes(MPI_LONG), MPI_SUCCESS);
}

}  // namespace
