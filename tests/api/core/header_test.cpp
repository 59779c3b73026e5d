// The same program as C++11.
#include "core/header_test.c"
