"""Arguments for generate_calls.py, by parameter name or kind. What is not here is 1."""

HANDLE_INPUTS = {"COMMUNICATOR": "MPI_COMM_WORLD", "DATATYPE": "MPI_INTEGER", "GROUP": "some_group",
                 "INFO": "MPI_INFO_NULL", "ERRHANDLER": "MPI_ERRORS_RETURN", "OPERATION": "MPI_SUM",
                 "SESSION": "some_session", "WINDOW": "MPI_WIN_NULL", "FILE": "MPI_FILE_NULL",
                 "MESSAGE": "MPI_MESSAGE_NULL"}

# Objects that the call takes away or changes: statements of C and of Fortran (there after "call", or with " = ").
FRESH = {
    "COMMUNICATOR": ("MPI_Comm_dup(MPI_COMM_WORLD, &{0})", "MPI_Comm_dup(MPI_COMM_WORLD, {0}, ierror)"),
    "DATATYPE": ("MPI_Type_contiguous(2, MPI_INTEGER, &{0})", "MPI_Type_contiguous(2, MPI_INTEGER, {0}, ierror)"),
    "GROUP": ("MPI_Comm_group(MPI_COMM_WORLD, &{0})", "MPI_Comm_group(MPI_COMM_WORLD, {0}, ierror)"),
    "INFO": ("MPI_Info_create(&{0})", "MPI_Info_create({0}, ierror)"),
    "ERRHANDLER": ("MPI_Comm_get_errhandler(MPI_COMM_WORLD, &{0})",
                   "MPI_Comm_get_errhandler(MPI_COMM_WORLD, {0}, ierror)"),
    "OPERATION": ("MPI_Op_create(user_function, 1, &{0})", "MPI_Op_create(user_function, .true., {0}, ierror)"),
    "REQUEST": ("MPI_Ibarrier(MPI_COMM_WORLD, &{0})", "MPI_Ibarrier(MPI_COMM_WORLD, {0}, ierror)"),
    "SESSION": ("MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &{0})",
                "MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, {0}, ierror)"),
    "WINDOW": ("{0} = MPI_WIN_NULL", "{0} = MPI_WIN_NULL"),
    "FILE": ("{0} = MPI_FILE_NULL", "{0} = MPI_FILE_NULL"),
    "MESSAGE": ("{0} = MPI_MESSAGE_NULL", "{0} = MPI_MESSAGE_NULL"),
}
# Communicators that the calls about a topology need, by the beginning of their names.
TOPOLOGIES = {
    ("MPI_Cart_get", "MPI_Cart_rank", "MPI_Cart_coords", "MPI_Cart_shift", "MPI_Cart_sub", "MPI_Cartdim_get"):
        ("MPI_Cart_create(MPI_COMM_WORLD, 1, ints_one, trues, 0, &topology)",
         "MPI_Cart_create(MPI_COMM_WORLD, 1, ints_one, trues, .false., topology, ierror)"),
    ("MPI_Graph_get", "MPI_Graph_neighbors", "MPI_Graphdims_get"):
        ("MPI_Graph_create(MPI_COMM_WORLD, 1, ints_one, ints_zero, 0, &topology)",
         "MPI_Graph_create(MPI_COMM_WORLD, 1, ints_one, ints_zero, .false., topology, ierror)"),
    ("MPI_Dist_graph_neighbors", "MPI_Neighbor_", "MPI_Ineighbor_"):
        ("MPI_Dist_graph_create(MPI_COMM_WORLD, 1, ints_zero, ints_one, ints_zero, ints_four, MPI_INFO_NULL, 0, "
         "&topology)",
         "MPI_Dist_graph_create(MPI_COMM_WORLD, 1, ints_zero, ints_one, ints_zero, ints_four, &\n"
         "      & MPI_INFO_NULL, .false., topology, ierror)"),
}
FRESH_STARTABLE = ("MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &{0})",
                   "MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, {0}, ierror)")

TEXTS = {"value": "value", "datarep": "external32", "stringtag": "tag", "pset_name": "mpi://WORLD",
         "command": "./none", "filename": "./none"}

INPUTS = {
    "dest": 0, "source": 0, "direction": 0,  # where the other end is: call_meetings.py
    "RANK": 0, "RANK_NNI": 0, "PARTITION": 0, "partitions": 1, "TAG": 7, "COLOR": 0, "KEY": 0, "INDEX": 0, "KEY_INDEX": 0, "POLYLOCATION": 0,
    "KEYVAL": "some_keyval", "ERROR_CLASS": "MPI_ERR_ARG", "ERROR_CODE": "MPI_ERR_ARG",
    "SPLIT_TYPE": "MPI_COMM_TYPE_SHARED", "ORDER": "MPI_ORDER_FORTRAN", "TYPECLASS": "MPI_TYPECLASS_INTEGER",
    "TYPECLASS_SIZE": 4, "THREAD_LEVEL": "MPI_THREAD_SINGLE", "INFO_VALUE_LENGTH": 20, "STRING_LENGTH": 40,
    "POLYNUM_BYTES_NNI": 256, "POLYDTYPE_PACK_SIZE": 256, "MATH": 5, "ALLOC_MEM_NUM_BYTES": 64, "position": 0,
    ("MPI_Type_delete_attr", "type_keyval"): "type_keyval", ("MPI_Type_free_keyval", "type_keyval"): "type_keyval",
    ("MPI_Type_get_attr", "type_keyval"): "type_keyval", ("MPI_Type_set_attr", "type_keyval"): "type_keyval",
    ("MPI_Comm_free_keyval", "comm_keyval"): "old_keyval", ("MPI_Keyval_free", "keyval"): "older_keyval",
}

# Which array: of zeros, ones, fours, …
INPUT_ARRAYS = {"RANK": "zero", "RANK_NNI": "zero", "PARTITION": "zero", "POLYDISPLACEMENT": "zero", "DISPLACEMENT": "zero",
                "POLYDISPLACEMENT_COUNT": "zero", "POLYDISPLACEMENT_AINT_COUNT": "zero", "array_of_starts": "zero", "edges": "zero",
                "POLYDTYPE_NUM_ELEM_PI": "four", "DISTRIB_ENUM": "block", "DTYPE_DISTRIBUTION": "default"}

CALLBACKS = {"MPI_User_function": "user_function",
             "MPI_Comm_copy_attr_function": "MPI_COMM_DUP_FN", "MPI_Comm_delete_attr_function": "delete_function",
             "MPI_Type_copy_attr_function": "MPI_TYPE_DUP_FN", "MPI_Type_delete_attr_function": "type_delete_function",
             "MPI_Win_copy_attr_function": "MPI_WIN_DUP_FN", "MPI_Win_delete_attr_function": "MPI_WIN_NULL_DELETE_FN",
             "MPI_Copy_function": "MPI_DUP_FN", "MPI_Delete_function": "MPI_NULL_DELETE_FN",
             "MPI_Comm_errhandler_function": "comm_handler", "MPI_Session_errhandler_function": "session_handler",
             "MPI_File_errhandler_function": "file_handler", "MPI_Win_errhandler_function": "win_handler",
             "MPI_Grequest_query_function": "query_function", "MPI_Grequest_free_function": "free_function",
             "MPI_Grequest_cancel_function": "cancel_function",
             "MPI_Datarep_conversion_function": "MPI_CONVERSION_FN_NULL",
             "MPI_Datarep_extent_function": "extent_function"}
