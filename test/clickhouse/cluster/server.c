/* ClickHouse's library as a server: `server LIBRARY ARGUMENT…`, with the arguments of clickhouse-local, whose
 * statement `SYSTEM START LISTEN` makes it answer over HTTP and its own protocol. Ends with that statement. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "a library is expected");
    return 2;
  }
  void *(*run)(int, char **) = (void *(*)(int, char **))dlsym(library, "chdb_query_cmdline");
  const char *(*error)(void *) = (const char *(*)(void *))dlsym(library, "chdb_result_error");
  if (run == NULL || error == NULL) {
    fprintf(stderr, "this library runs no command line\n");
    return 2;
  }
  void *result = run(argc - 1, argv + 1);
  const char *text = result != NULL ? error(result) : "nothing was answered";
  if (text != NULL) fprintf(stderr, "%s\n", text);
  return text != NULL;
}
