// A directed graph read from a text file: package dependencies, or an edge list.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int source, target;
} Edge;

typedef struct {
  int nodes;
  char** names;  // sorted, so that a node number also is its place in the alphabet
  Edge* edges;   // sorted by source, then target; none twice
  size_t edge_count;
  char* text;  // the file, which the names point into
} Graph;

// Reads `path`. A file that begins with "Package:" is a list of Debian packages (such as
// /var/lib/dpkg/status): an edge leads from each installed package to each one it depends on. Any other file
// is an edge list, one "source target" per line, where # begins a comment. On failure returns false and says
// why in `error`.
bool read_graph(const char* path, Graph* graph, char* error, size_t error_bytes);

void free_graph(Graph* graph);
