#include "api/errors/error_names.hpp"

#include <array>
#include <cstddef>

namespace foldlane::api {
namespace {

struct ErrorClass {
  const char* name;
  const char* text;
};

// Position = class_index.
constexpr std::array<ErrorClass, kErrorClassCount> kErrorClasses{{
    {"MPI_SUCCESS", "no error"},
    {"MPI_ERR_BUFFER", "invalid buffer: null, aliased, or MPI_IN_PLACE where it is not allowed"},
    {"MPI_ERR_COUNT", "invalid count"},
    {"MPI_ERR_TYPE", "invalid datatype"},
    {"MPI_ERR_TAG", "invalid tag"},
    {"MPI_ERR_COMM", "invalid communicator"},
    {"MPI_ERR_RANK", "invalid rank"},
    {"MPI_ERR_REQUEST", "invalid request"},
    {"MPI_ERR_ROOT", "invalid root"},
    {"MPI_ERR_GROUP", "invalid group"},
    {"MPI_ERR_OP", "invalid operation, or one that is not defined on this datatype"},
    {"MPI_ERR_TOPOLOGY", "invalid topology"},
    {"MPI_ERR_DIMS", "invalid dimensions"},
    {"MPI_ERR_ARG", "invalid argument"},
    {"MPI_ERR_UNKNOWN", "unknown error"},
    {"MPI_ERR_TRUNCATE", "the message is longer than the receive buffer"},
    {"MPI_ERR_OTHER", "an error of a kind that the standard does not name"},
    {"MPI_ERR_INTERN", "an error inside the library"},
    {"MPI_ERR_PENDING", "the request is still pending"},
    {"MPI_ERR_IN_STATUS", "the error codes are in the statuses"},
    {"MPI_ERR_ACCESS", "permission denied"},
    {"MPI_ERR_AMODE", "invalid access mode of a file"},
    {"MPI_ERR_ASSERT", "invalid assertion"},
    {"MPI_ERR_BAD_FILE", "invalid file name"},
    {"MPI_ERR_BASE", "invalid base address"},
    {"MPI_ERR_CONVERSION", "an error in a data conversion function"},
    {"MPI_ERR_DISP", "invalid displacement"},
    {"MPI_ERR_DUP_DATAREP", "the data representation is already defined"},
    {"MPI_ERR_FILE_EXISTS", "the file exists"},
    {"MPI_ERR_FILE_IN_USE", "the file is in use by another process"},
    {"MPI_ERR_FILE", "invalid file handle"},
    {"MPI_ERR_INFO_KEY", "the info key is too long"},
    {"MPI_ERR_INFO_NOKEY", "the info object has no such key"},
    {"MPI_ERR_INFO_VALUE", "the info value is too long"},
    {"MPI_ERR_INFO", "invalid info object"},
    {"MPI_ERR_IO", "an error in input or output"},
    {"MPI_ERR_KEYVAL", "invalid attribute key"},
    {"MPI_ERR_LOCKTYPE", "invalid lock type"},
    {"MPI_ERR_NAME", "the service name is not published"},
    {"MPI_ERR_NO_MEM", "not enough memory"},
    {"MPI_ERR_NOT_SAME", "an argument differs between the processes"},
    {"MPI_ERR_NO_SPACE", "not enough space on the device"},
    {"MPI_ERR_NO_SUCH_FILE", "the file does not exist"},
    {"MPI_ERR_PORT", "invalid port name"},
    {"MPI_ERR_QUOTA", "the quota is exceeded"},
    {"MPI_ERR_READ_ONLY", "the file or file system is read-only"},
    {"MPI_ERR_RMA_ATTACH", "the memory cannot be attached to the window"},
    {"MPI_ERR_RMA_CONFLICT", "conflicting accesses to a window"},
    {"MPI_ERR_RMA_RANGE", "the target memory is not part of the window"},
    {"MPI_ERR_RMA_SHARED", "the memory cannot be shared"},
    {"MPI_ERR_RMA_SYNC", "wrong synchronisation of one-sided calls"},
    {"MPI_ERR_SERVICE", "invalid service name"},
    {"MPI_ERR_SIZE", "invalid size"},
    {"MPI_ERR_SPAWN", "processes could not be started"},
    {"MPI_ERR_UNSUPPORTED_DATAREP", "the data representation is not supported"},
    {"MPI_ERR_UNSUPPORTED_OPERATION", "the operation is not supported"},
    {"MPI_ERR_WIN", "invalid window"},
    {"MPI_ERR_RMA_FLAVOR", "the call does not fit the flavor of the window"},
    {"MPI_ERR_PROC_ABORTED", "a peer process has ended"},
    {"MPI_ERR_VALUE_TOO_LARGE", "the value does not fit into its variable"},
    {"MPI_ERR_SESSION", "invalid session"},
    {"MPI_ERR_ERRHANDLER", "invalid error handler"},
    {"MPI_ERR_ABI", "an error in a call of the ABI interface"},
    {"MPI_T_ERR_CANNOT_INIT", "the tool interface cannot be initialized"},
    {"MPI_T_ERR_NOT_ACCESSIBLE", "the tool interface cannot do this now"},
    {"MPI_T_ERR_NOT_INITIALIZED", "the tool interface is not initialized"},
    {"MPI_T_ERR_NOT_SUPPORTED", "the tool interface does not support this"},
    {"MPI_T_ERR_MEMORY", "not enough memory for the tool interface"},
    {"MPI_T_ERR_INVALID", "invalid argument of the tool interface"},
    {"MPI_T_ERR_INVALID_INDEX", "nothing has this index"},
    {"MPI_T_ERR_INVALID_ITEM", "the enumeration has no such item"},
    {"MPI_T_ERR_INVALID_SESSION", "invalid session of performance variables"},
    {"MPI_T_ERR_INVALID_HANDLE", "invalid handle of the tool interface"},
    {"MPI_T_ERR_INVALID_NAME", "nothing has this name"},
    {"MPI_T_ERR_OUT_OF_HANDLES", "too many handles of the tool interface"},
    {"MPI_T_ERR_OUT_OF_SESSIONS", "too many sessions of performance variables"},
    {"MPI_T_ERR_CVAR_SET_NOT_NOW", "the control variable cannot be set now"},
    {"MPI_T_ERR_CVAR_SET_NEVER", "the control variable cannot be set"},
    {"MPI_T_ERR_PVAR_NO_WRITE", "the performance variable cannot be written or reset"},
    {"MPI_T_ERR_PVAR_NO_STARTSTOP", "the performance variable cannot be started or stopped"},
    {"MPI_T_ERR_PVAR_NO_ATOMIC", "the performance variable cannot be read and reset in one step"},
}};

}  // namespace

const char* error_name(int error_class) noexcept {
  return kErrorClasses[static_cast<std::size_t>(class_index(error_class))].name;
}
const char* error_text(int error_class) noexcept {
  return kErrorClasses[static_cast<std::size_t>(class_index(error_class))].text;
}

}  // namespace foldlane::api
