#include "api/fortran/sections.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/datatype/sound_datatype.hpp"
#include "api/errors/refused_section.hpp"
#include "api/fortran/kinds.hpp"
#include "api/fortran/section_types.hpp"
#include "api/request/companion.hpp"

namespace foldlane::fortran {

Section::Section(const CFI_cdesc_t* array, Use use) : address_(array->base_addr) {
  if (is_contiguous(array)) return;
  packed_ = std::make_unique<PackedCopy>(Strides(array), use);
  packed_->pack();
  address_ = packed_->data();
}

Section::Section(const CFI_cdesc_t* array, Use use, MPI_Count count, const int* datatype)
    : address_(array->base_addr), given_datatype_(datatype) {
  if (is_contiguous(array) || count <= 0) return;
  const Strides strides(array);
  const MPI_Datatype described = section_type(strides, count, handle<MPI_Datatype>(datatype));
  if (described != MPI_DATATYPE_NULL) {
    datatype_ = integer(described);
    return;
  }
  packed_ = std::make_unique<PackedCopy>(strides, use);
  packed_->pack();
  address_ = packed_->data();
}

Section::Section(const CFI_cdesc_t* array, int partitions, MPI_Count count, const int* datatype)
    : address_(array->base_addr), given_datatype_(datatype) {
  const MPI_Datatype given = handle<MPI_Datatype>(datatype);
  // What is wrong with these the call itself says.
  if (partitions <= 0 || count <= 0 || foldlane_is_sound_datatype(given) == 0) return;
  const MPI_Datatype described = partition_type(Strides(array), partitions, count, given);
  if (described == MPI_DATATYPE_NULL) {
    is_described_ = false;
  } else {
    datatype_ = integer(described);
  }
}

Section::~Section() {
  if (datatype_ == kNone) return;
  MPI_Datatype described = handle<MPI_Datatype>(&datatype_);
  PMPI_Type_free(&described);
}

void Section::finish() noexcept {
  if (packed_ != nullptr) packed_->unpack();
}

void finish_sections(std::initializer_list<Section*> sections) noexcept {
  for (Section* section : sections) section->finish();
}

namespace {

using Copies = std::vector<std::unique_ptr<PackedCopy>>;

void pack_all(void* context) {
  for (auto& copy : *static_cast<Copies*>(context)) copy->pack();
}
void unpack_all(void* context) {
  for (auto& copy : *static_cast<Copies*>(context)) copy->unpack();
}
void release_all(void* context) { delete static_cast<Copies*>(context); }

}  // namespace

void accompany(std::initializer_list<Section*> sections, int* request) noexcept {
  if (handle<MPI_Request>(request) == MPI_REQUEST_NULL) return;
  auto copies = std::make_unique<Copies>();
  for (Section* section : sections) {
    if (section->is_packed()) copies->push_back(section->take_packed());
  }
  if (copies->empty()) return;
  const FoldlaneCompanion companion{pack_all, unpack_all, release_all, copies.get()};
  if (foldlane_accompany_request(HandleOut<MPI_Request>(request), &companion) == MPI_SUCCESS) {
    copies.release();
    return;
  }
  // Out of requests while an operation writes into the copies: neither can it be ended nor the copies be
  // freed.
  PMPI_Abort(MPI_COMM_SELF, MPI_ERR_NO_MEM);
}

void refuse_section(const char* call, const int* comm, int* ierror) {
  const MPI_Comm communicator = comm == nullptr ? MPI_COMM_SELF : handle<MPI_Comm>(comm);
  fortran::finish(ierror, foldlane_refuse_section(call, communicator));
}

bool describe(std::initializer_list<Section*> sections, const char* call, const int* comm, int* ierror) {
  const bool all = std::all_of(sections.begin(), sections.end(),
                               [](const Section* section) { return section->is_described(); });
  if (!all) refuse_section(call, comm, ierror);
  return all;
}

}  // namespace foldlane::fortran
