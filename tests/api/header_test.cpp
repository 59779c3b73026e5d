// The same program as C++11.
#include "header_test.c"
