extension ConfigurationKey {
  /// Every key, in the order of Config/mooring.yaml and of `config show`. A test keeps the three the same.
  package static let all: [ConfigurationKey] = [
    .init("listen.host", \.listen.host, .address, "address to accept connections on"),
    .init("listen.port", \.listen.port, .number(0...65_535), "TCP port; 0 picks a free one"),

    .init("auth.mode", \.auth.mode, .choice, "who may send requests"),
    .init(
      "auth.allowUnauthenticatedNetwork", \.auth.allowUnauthenticatedNetwork, .flag,
      "whether mode none may listen on an address that other machines reach"),

    .init("storage.engine", \.storage.engine, .choice, "where source bytes are kept"),
    .init("storage.path", \.storage.path, .filePath, "file of the engine sqlite"),
    .init("storage.durability", \.storage.durability, .choice, "what an acknowledged append survives"),

    .init("http.loops", \.http.loops, .numberOrAuto(1...256), "event loops; auto is one per core"),
    .init("http.maxConnections", \.http.maxConnections, .number(1...1_000_000), "open connections"),
    .init(
      "http.maxBytesInFlight", \.http.maxBytesInFlight, .byteCount(1 << 20...1 << 40),
      "request and answer bytes waiting in memory, over all connections"),
    .init(
      "http.maxRequestLineBytes", \.http.maxRequestLineBytes, .byteCount(1 << 10...1 << 20), "request line"),
    .init(
      "http.maxHeadBytes", \.http.maxHeadBytes, .byteCount(1 << 10...1 << 20), "request line and all fields"),
    .init("http.maxFields", \.http.maxFields, .number(8...10_000), "fields of one request"),
    .init("http.maxBodyBytes", \.http.maxBodyBytes, .byteCount(1 << 10...1 << 30), "body of one request"),
    .init(
      "http.maxChunkExtensionBytes", \.http.maxChunkExtensionBytes, .byteCount(0...64 << 10),
      "extension of one chunk"),
    .init(
      "http.headTimeout", \.http.headTimeout, .duration(.milliseconds(100)...(.seconds(600))),
      "from a request's first byte to the end of its head"),
    .init(
      "http.bodyTimeout", \.http.bodyTimeout, .duration(.milliseconds(100)...(.seconds(3600))),
      "longest silence within a body"),
    .init(
      "http.idleTimeout", \.http.idleTimeout, .duration(.milliseconds(100)...(.seconds(3600))),
      "from an answer's end to the next request's first byte"),
    .init(
      "http.writeTimeout", \.http.writeTimeout, .duration(.milliseconds(100)...(.seconds(3600))),
      "longest time for which a peer takes none of an answer"),

    .init("streams.maxCount", \.streams.maxCount, .number(1...100_000_000), "streams kept at a time"),
    .init(
      "streams.maxBytes", \.streams.maxBytes, .byteCount(1 << 10...2047 << 20), "source bytes of one stream"),
    .init(
      "streams.maxTotalBytes", \.streams.maxTotalBytes, .byteCount(1 << 20...1 << 42),
      "source bytes of all streams"),
    .init(
      "streams.parsedIdleTimeout", \.streams.parsedIdleTimeout, .duration(.seconds(1)...(.seconds(86_400))),
      "how long an unused stream keeps its parsed state"),
    .init(
      "streams.maxParsedBytes", \.streams.maxParsedBytes, .byteCount(1 << 20...1 << 42),
      "what the parsed state of all streams may take"),
    .init(
      "streams.maxReadBytes", \.streams.maxReadBytes, .byteCount(1 << 10...64 << 20),
      "source bytes of one answer or event of /v1/stream"),
    .init(
      "streams.longPollTimeout", \.streams.longPollTimeout, .duration(.seconds(1)...(.seconds(3600))),
      "how long a long poll of /v1/stream waits"),
    .init(
      "streams.liveDuration", \.streams.liveDuration, .duration(.seconds(1)...(.seconds(86_400))),
      "how long a live view of /v1/stream goes on"),

    .init(
      "blocks.createOnAppend", \.blocks.createOnAppend, .flag, "whether an append creates a missing stream"),
    .init(
      "blocks.defaultDialect", \.blocks.defaultDialect, .dialectName, "dialect of streams that name none"),
    .init(
      "blocks.heartbeatInterval", \.blocks.heartbeatInterval, .duration(.seconds(1)...(.seconds(300))),
      "between comments on a silent live view"),
    .init(
      "blocks.lowestMinInterval", \.blocks.lowestMinInterval, .duration(.zero...(.seconds(60))),
      "floor of a live view's minInterval"),
    .init(
      "blocks.highestMinInterval", \.blocks.highestMinInterval, .duration(.zero...(.seconds(3600))),
      "largest minInterval that a live view may ask for"),
    .init(
      "blocks.laggedTimeout", \.blocks.laggedTimeout, .duration(.seconds(1)...(.seconds(3600))),
      "how long a live reader may take nothing"),
    .init(
      "blocks.maxWait", \.blocks.maxWait, .duration(.seconds(1)...(.seconds(3600))),
      "largest wait of a long poll"),

    .init("html.raw", \.html.raw, .choice, "what becomes of raw HTML in HTML answers"),
    .init("html.urls", \.html.urls, .urlRule, "which URLs links and images may lead to"),

    .init(
      "checks.maxConcurrent", \.checks.maxConcurrent, .number(0...64),
      "checks run at a time; 0 turns them off"),
    .init(
      "checks.maxBytes", \.checks.maxBytes, .byteCount(1 << 10...64 << 20), "bytes of a document to check"),

    .init("load.enabled", \.load.enabled, .flag, "whether load tests can be asked for"),
    .init("load.maxConcurrent", \.load.maxConcurrent, .number(1...16), "load tests run at a time"),
    .init("load.maxStreams", \.load.maxStreams, .number(1...100_000), "streams of a load test"),
    .init("load.maxReaders", \.load.maxReaders, .number(0...1_000), "readers of each of its streams"),
    .init("load.maxRate", \.load.maxRate, .number(1...100_000), "chunks a second in each of its streams"),
    .init(
      "load.maxDuration", \.load.maxDuration, .duration(.seconds(1)...(.seconds(3600))),
      "how long a load test sends"),
    .init("load.maxFinished", \.load.maxFinished, .number(1...1_000), "finished load tests kept"),
    .init(
      "load.finishedLifetime", \.load.finishedLifetime, .duration(.seconds(10)...(.seconds(86_400))),
      "how long a finished load test is kept"),

    .init(
      "dialects.directory", \.dialects.directory, .path, "directory of dialect files; empty for none"),

    .init(
      "shutdown.grace", \.shutdown.grace, .duration(.zero...(.seconds(3600))),
      "how long requests may take to end after a stop signal"),
  ]

  /// The key with this path.
  package static func named(_ path: String) -> ConfigurationKey? { byPath[path] }

  static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
  static let byEnvironmentName = Dictionary(uniqueKeysWithValues: all.map { ($0.environmentName, $0) })
  /// The paths that hold keys: `http`.
  static let sections = Set(all.map { String($0.path.prefix { $0 != "." }) })
}
