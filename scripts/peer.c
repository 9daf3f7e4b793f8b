// Another Markdown library as a program: its HTML of files, or the time that it takes. Built by scripts/build-peers
// once for each library, with PEER_MD4C, PEER_CMARK or PEER_CMARK_GFM defined.
//
//   peer html FILE…  writes FILE.out beside each file: the dialect is CommonMark, raw HTML is kept
//   peer time FILE…  prints for each file its bytes and the nanoseconds of parsing it, and of parsing it to HTML
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef PEER_MD4C
#include <md4c-html.h>
#endif
#ifdef PEER_CMARK
#include <cmark.h>
#endif
#ifdef PEER_CMARK_GFM
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#endif

struct bytes {
  char *data;
  size_t count, capacity;
};

static void append(struct bytes *bytes, const char *data, size_t count) {
  if (bytes->count + count > bytes->capacity) {
    bytes->capacity = (bytes->count + count) * 2;
    bytes->data = realloc(bytes->data, bytes->capacity);
    if (!bytes->data) abort();
  }
  memcpy(bytes->data + bytes->count, data, count);
  bytes->count += count;
}

static struct bytes contents(const char *path) {
  struct bytes bytes = {0};
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(74);
  }
  char piece[1 << 16];
  size_t count;
  while ((count = fread(piece, 1, sizeof piece, file)) > 0) append(&bytes, piece, count);
  fclose(file);
  if (!bytes.data) append(&bytes, "", 1), bytes.count = 0;
  return bytes;
}

// What each library does: `parse` to nothing, and `render` to HTML.

#ifdef PEER_MD4C
static int ignore_block(MD_BLOCKTYPE type, void *detail, void *data) { return 0; }
static int ignore_span(MD_SPANTYPE type, void *detail, void *data) { return 0; }
static int ignore_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data) { return 0; }

static void parse(const struct bytes *source, unsigned flags) {
  MD_PARSER parser = {0, flags, ignore_block, ignore_block, ignore_span, ignore_span, ignore_text, NULL, NULL};
  if (md_parse(source->data, source->count, &parser, NULL)) abort();
}

static void write_html(const MD_CHAR *text, MD_SIZE size, void *data) { append(data, text, size); }

static void render(const struct bytes *source, struct bytes *html, unsigned flags) {
  if (md_html(source->data, source->count, write_html, html, flags, MD_HTML_FLAG_XHTML | MD_HTML_FLAG_SKIP_UTF8_BOM))
    abort();
}

enum { COMMONMARK = MD_DIALECT_COMMONMARK, TIMED = MD_DIALECT_GITHUB };
#endif

#ifdef PEER_CMARK
static void parse(const struct bytes *source, unsigned flags) {
  cmark_node_free(cmark_parse_document(source->data, source->count, CMARK_OPT_DEFAULT));
}

static void render(const struct bytes *source, struct bytes *html, unsigned flags) {
  char *text = cmark_markdown_to_html(source->data, source->count, CMARK_OPT_UNSAFE);
  append(html, text, strlen(text));
  free(text);
}

enum { COMMONMARK, TIMED };
#endif

#ifdef PEER_CMARK_GFM
static cmark_node *document(const struct bytes *source, unsigned flags, cmark_parser **parser) {
  cmark_gfm_core_extensions_ensure_registered();
  *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
  const char *names[] = {"table", "strikethrough", "autolink", "tasklist"};
  for (size_t i = 0; flags && i < sizeof names / sizeof *names; i++)
    cmark_parser_attach_syntax_extension(*parser, cmark_find_syntax_extension(names[i]));
  cmark_parser_feed(*parser, source->data, source->count);
  return cmark_parser_finish(*parser);
}

static void parse(const struct bytes *source, unsigned flags) {
  cmark_parser *parser;
  cmark_node_free(document(source, flags, &parser));
  cmark_parser_free(parser);
}

static void render(const struct bytes *source, struct bytes *html, unsigned flags) {
  cmark_parser *parser;
  cmark_node *root = document(source, flags, &parser);
  char *text = cmark_render_html(root, CMARK_OPT_UNSAFE, cmark_parser_get_syntax_extensions(parser));
  append(html, text, strlen(text));
  free(text);
  cmark_node_free(root);
  cmark_parser_free(parser);
}

enum { COMMONMARK, TIMED };
#endif

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: peer html|time FILE...\n");
    return 64;
  }
  const char *mode = arguments[1];
  struct bytes html = {0};
  for (int i = 2; i < count; i++) {
    struct bytes source = contents(arguments[i]);
    html.count = 0;
    if (!strcmp(mode, "html")) {
      render(&source, &html, COMMONMARK);
      char path[4096];
      snprintf(path, sizeof path, "%s.out", arguments[i]);
      FILE *file = fopen(path, "wb");
      if (!file || fwrite(html.data, 1, html.count, file) != html.count || fclose(file)) {
        perror(path);
        return 74;
      }
    } else {
      long long start = now();
      parse(&source, TIMED);
      long long middle = now();
      render(&source, &html, TIMED);
      printf("%s %zu %lld %lld\n", arguments[i], source.count, middle - start, now() - middle);
    }
    free(source.data);
  }
  free(html.data);
  return 0;
}
