// Reading graphs: the file is loaded whole and cut into strings in place, so names need no memory of their
// own.
#include "graph.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *name, *depends, *pre_depends, *provides;  // NULL where the field is missing
} Package;

// "provider" stands in for the virtual package "name".
typedef struct {
  char* name;
  int provider;
} Provision;

typedef struct {
  Package* packages;
  size_t package_count;
  Provision* provisions;
  size_t provision_count;
} PackageList;

static void* allocate(size_t count, size_t element_bytes) {
  void* memory = calloc(count > 0 ? count : 1, element_bytes);
  if (memory == NULL) {
    fprintf(stderr, "pagerank: out of memory for %zu elements of %zu bytes\n", count, element_bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}

static char* load_text(FILE* file) {
  size_t bytes = 0, capacity = 1 << 16;
  char* text = malloc(capacity);
  while (text != NULL) {
    bytes += fread(text + bytes, 1, capacity - bytes - 1, file);
    if (bytes + 1 < capacity) break;
    char* larger = realloc(text, capacity *= 2);
    if (larger == NULL) free(text);
    text = larger;
  }
  if (text == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  text[bytes] = '\0';
  bool is_text = strlen(text) == bytes;
  if (ferror(file) == 0 && is_text) return text;
  if (ferror(file) == 0) errno = EILSEQ;
  free(text);
  return NULL;
}

static char* load_file(const char* path) {
  FILE* file = fopen(path, "r");
  if (file == NULL) return NULL;
  char* text = load_text(file);
  int reason = errno;
  fclose(file);
  errno = reason;
  return text;
}

static size_t count_any(const char* text, const char* characters) {
  size_t count = 0;
  for (text = strpbrk(text, characters); text != NULL; text = strpbrk(text + 1, characters)) ++count;
  return count;
}

// Cuts the next piece off `*rest`, which becomes NULL after the last one. Empty pieces are kept.
static char* cut(char** rest, const char* separators) {
  char* piece = *rest;
  if (piece == NULL) return NULL;
  char* end = strpbrk(piece, separators);
  if (end != NULL) *end++ = '\0';
  *rest = end;
  return piece;
}

// Cuts the next word off `*rest`; NULL when only blanks are left.
static char* cut_word(char** rest) {
  static const char blanks[] = " \t\r";
  if (*rest != NULL) *rest += strspn(*rest, blanks);
  return *rest == NULL || **rest == '\0' ? NULL : cut(rest, blanks);
}

static int compare_names(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

static int compare_edges(const void* a, const void* b) {
  const Edge *left = a, *right = b;
  if (left->source != right->source) return left->source < right->source ? -1 : 1;
  return (left->target > right->target) - (left->target < right->target);
}

static int compare_provisions(const void* a, const void* b) {
  const Provision *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  return order != 0 ? order : (left->provider > right->provider) - (left->provider < right->provider);
}

static size_t sort_unique_names(char** names, size_t count) {
  size_t kept = 0;
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 0; i < count; ++i) {
    if (kept == 0 || strcmp(names[i], names[kept - 1]) != 0) names[kept++] = names[i];
  }
  return kept;
}

static void sort_unique_edges(Graph* graph) {
  size_t kept = 0;
  qsort(graph->edges, graph->edge_count, sizeof *graph->edges, compare_edges);
  for (size_t i = 0; i < graph->edge_count; ++i) {
    if (kept == 0 || compare_edges(&graph->edges[i], &graph->edges[kept - 1]) != 0) {
      graph->edges[kept++] = graph->edges[i];
    }
  }
  graph->edge_count = kept;
}

// Node number of `name`, -1 if there is none.
static int find_node(const Graph* graph, char* name) {
  char** found = bsearch(&name, graph->names, (size_t)graph->nodes, sizeof name, compare_names);
  return found == NULL ? -1 : (int)(found - graph->names);
}

static bool take_names(Graph* graph, char** names, size_t count, char* error, size_t error_bytes) {
  graph->names = names;
  count = sort_unique_names(names, count);
  if (count == 0 || count > INT_MAX) {
    snprintf(error, error_bytes, "it has %zu nodes; 1 to %d are possible", count, INT_MAX);
    return false;
  }
  graph->nodes = (int)count;
  return true;
}

// ---- Edge lists ----

// Puts source and target of each line in `words`. Returns their number, or 0 after describing a bad line.
static size_t split_edge_list(char* text, char** words, char* error, size_t error_bytes) {
  size_t count = 0, line_number = 0;
  for (char* line; (line = cut(&text, "\n")) != NULL;) {
    ++line_number;
    char* content = cut(&line, "#");
    char* source = cut_word(&content);
    if (source == NULL) continue;
    char* target = cut_word(&content);
    if (target == NULL || cut_word(&content) != NULL) {
      snprintf(error, error_bytes, "line %zu: expected two words, \"source target\"", line_number);
      return 0;
    }
    words[count++] = source;
    words[count++] = target;
  }
  if (count == 0) snprintf(error, error_bytes, "it has no edges");
  return count;
}

static bool parse_edge_list(Graph* graph, char* error, size_t error_bytes) {
  size_t most_words = 2 * (count_any(graph->text, "\n") + 1);
  char** words = allocate(most_words, sizeof *words);
  char** names = allocate(most_words, sizeof *names);
  size_t count = split_edge_list(graph->text, words, error, error_bytes);
  memcpy(names, words, count * sizeof *names);
  graph->names = names;
  bool ok = count > 0 && take_names(graph, names, count, error, error_bytes);
  if (ok) {
    graph->edges = allocate(count / 2, sizeof *graph->edges);
    for (size_t i = 0; i < count; i += 2) {
      graph->edges[graph->edge_count++] = (Edge){find_node(graph, words[i]), find_node(graph, words[i + 1])};
    }
  }
  free(words);
  return ok;
}

// ---- Debian packages ----

// The value of `line` if it is the field `field` ("Depends:"), else NULL.
static char* field_value(char* line, const char* field) {
  size_t length = strlen(field);
  if (strncmp(line, field, length) != 0) return NULL;
  return line + length + strspn(line + length, " \t");
}

// Cuts the text into the packages that are installed. A list without Status fields (an archive index) counts
// as installed.
static void split_packages(char* text, PackageList* list) {
  Package current = {0};
  bool installed = true;
  for (bool more = true; more;) {
    char *line = cut(&text, "\n"), *value;
    more = line != NULL;
    if (!more || *line == '\0') {
      if (current.name != NULL && installed) list->packages[list->package_count++] = current;
      current = (Package){0};
      installed = true;
    } else if ((value = field_value(line, "Package:")) != NULL) {
      current.name = value;
    } else if ((value = field_value(line, "Status:")) != NULL) {
      installed = strcmp(value + strcspn(value, " "), " ok installed") == 0;
    } else if ((value = field_value(line, "Depends:")) != NULL) {
      current.depends = value;
    } else if ((value = field_value(line, "Pre-Depends:")) != NULL) {
      current.pre_depends = value;
    } else if ((value = field_value(line, "Provides:")) != NULL) {
      current.provides = value;
    }
  }
}

// Reduces "libc6:any (>= 2.36)" to "libc6".
static char* bare_name(char* relation) {
  relation += strspn(relation, " \t");
  relation[strcspn(relation, " \t\r(:[")] = '\0';
  return relation;
}

static void collect_provisions(const Graph* graph, PackageList* list) {
  for (size_t i = 0; i < list->package_count; ++i) {
    int provider = find_node(graph, list->packages[i].name);
    for (char* name; (name = cut(&list->packages[i].provides, ",")) != NULL;) {
      list->provisions[list->provision_count++] = (Provision){bare_name(name), provider};
    }
  }
  qsort(list->provisions, list->provision_count, sizeof *list->provisions, compare_provisions);
}

// The installed package that satisfies `name`: the package itself, else the alphabetically first that
// provides it, else -1.
static int resolve(const Graph* graph, const PackageList* list, char* name) {
  int node = find_node(graph, name);
  size_t low = 0, high = list->provision_count;
  while (node < 0 && low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(list->provisions[middle].name, name) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (node < 0 && low < list->provision_count && strcmp(list->provisions[low].name, name) == 0) {
    node = list->provisions[low].provider;
  }
  return node;
}

// One edge per dependency, to the first of its alternatives that is installed.
static void add_dependencies(Graph* graph, const PackageList* list, int source, char* dependencies) {
  for (char* alternatives; (alternatives = cut(&dependencies, ",")) != NULL;) {
    int target = -1;
    for (char* choice; target < 0 && (choice = cut(&alternatives, "|")) != NULL;) {
      target = resolve(graph, list, bare_name(choice));
    }
    if (target >= 0 && target != source) graph->edges[graph->edge_count++] = (Edge){source, target};
  }
}

static bool parse_packages(Graph* graph, char* error, size_t error_bytes) {
  // Each package, dependency and provision ends in one of these characters, or ends the text.
  size_t most = count_any(graph->text, "\n,|") + 1;
  PackageList list = {.packages = allocate(most, sizeof(Package)),
                      .provisions = allocate(most, sizeof(Provision))};
  split_packages(graph->text, &list);
  char** names = allocate(list.package_count, sizeof *names);
  for (size_t i = 0; i < list.package_count; ++i) names[i] = list.packages[i].name;
  bool ok = take_names(graph, names, list.package_count, error, error_bytes);
  if (ok) {
    collect_provisions(graph, &list);
    graph->edges = allocate(most, sizeof *graph->edges);
    for (size_t i = 0; i < list.package_count; ++i) {
      int source = find_node(graph, list.packages[i].name);
      add_dependencies(graph, &list, source, list.packages[i].depends);
      add_dependencies(graph, &list, source, list.packages[i].pre_depends);
    }
  }
  free(list.packages);
  free(list.provisions);
  return ok;
}

bool read_graph(const char* path, Graph* graph, char* error, size_t error_bytes) {
  *graph = (Graph){0};
  graph->text = load_file(path);
  if (graph->text == NULL) {
    snprintf(error, error_bytes, "%s", errno == EILSEQ ? "it is not a text file" : strerror(errno));
    return false;
  }
  bool is_package_list = field_value(graph->text, "Package:") != NULL;
  bool ok = is_package_list ? parse_packages(graph, error, error_bytes)
                            : parse_edge_list(graph, error, error_bytes);
  if (ok) {
    sort_unique_edges(graph);
  } else {
    free_graph(graph);
  }
  return ok;
}

void free_graph(Graph* graph) {
  free(graph->names);
  free(graph->edges);
  free(graph->text);
  *graph = (Graph){0};
}
