/// What the service is configured with. The defaults here are the defaults; `ConfigurationKey.all` says what
/// else each key accepts, and Config/mooring.yaml what it does.
package struct Settings: Equatable, Sendable {
  package var listen = Listen()
  package var auth = Auth()
  package var storage = Storage()
  package var http = HTTP()
  package var streams = Streams()
  package var blocks = Blocks()
  package var dialects = Dialects()
  package var html = HTML()
  package var checks = Checks()
  package var load = Load()
  package var shutdown = Shutdown()

  package init() {}

  /// Where the server accepts connections.
  package struct Listen: Equatable, Sendable {
    /// An IPv4 or IPv6 address, without brackets. Never a host name.
    package var host = "127.0.0.1"
    /// 0 for a free port.
    package var port = 4437
  }

  /// Who may send requests (api.md section 8).
  package struct Auth: Equatable, Sendable {
    package enum Mode: String, CaseIterable, Sendable {
      /// Whoever reaches the address.
      case none
    }

    package var mode = Mode.none
    /// The second saying that `mode: none` needs before `listen.host` may be other than loopback.
    package var allowUnauthenticatedNetwork = false
  }

  /// Where source bytes are kept (api.md section 5).
  package struct Storage: Equatable, Sendable {
    package enum Engine: String, CaseIterable, Sendable {
      /// In this process, until it ends.
      case memory
      /// In a database.
      case sqlite
    }

    package enum Durability: String, CaseIterable, Sendable {
      /// An acknowledged append survives the loss of power.
      case full
      /// It survives the end of the process; the last moments may be lost with the power.
      case relaxed
    }

    package var engine = Engine.sqlite
    /// The database's path, seen from the working directory where it is relative.
    package var path = "mooring.sqlite"
    package var durability = Durability.full
  }

  /// HTTP/1.1's limits and deadlines (api.md section 4).
  package struct HTTP: Equatable, Sendable {
    /// Event loops; `nil` for one per core.
    package var loops: Int?
    package var maxConnections = 10_000
    /// Bytes of requests and answers that wait in memory, over all connections.
    package var maxBytesInFlight = 256 << 20
    package var maxRequestLineBytes = 8 << 10
    /// The request line and all fields, with their line ends.
    package var maxHeadBytes = 32 << 10
    package var maxFields = 128
    package var maxBodyBytes = 8 << 20
    package var maxChunkExtensionBytes = 256
    /// From a request's first byte to the end of its head.
    package var headTimeout = Duration.seconds(10)
    /// The longest silence within a body.
    package var bodyTimeout = Duration.seconds(60)
    /// From one answer's end to the next request's first byte.
    package var idleTimeout = Duration.seconds(75)
    /// The longest time for which a peer takes none of an answer's bytes.
    package var writeTimeout = Duration.seconds(30)
  }

  /// How much may be kept.
  package struct Streams: Equatable, Sendable {
    package var maxCount = 100_000
    /// Source bytes of one stream.
    package var maxBytes = 16 << 20
    /// Source bytes of all streams.
    package var maxTotalBytes = 1 << 30
    /// How long the parsed state of a stream is kept that nobody reads or appends to.
    package var parsedIdleTimeout = Duration.seconds(300)
    /// What the parsed state of all streams may take, by estimate.
    package var maxParsedBytes = 512 << 20
    /// Source bytes of one answer or event of /v1/stream.
    package var maxReadBytes = 1 << 20
    /// How long a long poll of /v1/stream waits.
    package var longPollTimeout = Duration.seconds(30)
    /// How long a live view of /v1/stream goes on.
    package var liveDuration = Duration.seconds(60)
  }

  /// The blocks view (api.md section 2).
  package struct Blocks: Equatable, Sendable {
    package var createOnAppend = true
    package var defaultDialect = "chat"
    /// Between comments on a live view that has nothing else to say.
    package var heartbeatInterval = Duration.seconds(15)
    /// A live view's `minInterval` is raised to this.
    package var lowestMinInterval = Duration.zero
    /// A live view's `minInterval` may not be above this.
    package var highestMinInterval = Duration.seconds(60)
    /// How long a live reader may take nothing before it is closed with `lagged`.
    package var laggedTimeout = Duration.seconds(30)
    /// The longest `wait` of a long poll.
    package var maxWait = Duration.seconds(60)
  }

  /// Where further dialects are read from.
  package struct Dialects: Equatable, Sendable {
    /// The directory's path, absolute once it is loaded; empty for none.
    package var directory = ""
  }

  /// What of a document's own HTML and URLs is let through to readers.
  package struct HTML: Equatable, Sendable {
    package enum Raw: String, CaseIterable, Sendable {
      /// Shown as text.
      case escaped
      /// Left out, with a comment in its place.
      case omitted
      /// As it is: only for documents that are trusted.
      case verbatim
    }

    package var raw = Raw.escaped
    package var urls = URLRule.safe
  }

  /// Prefix-replay checks on request.
  package struct Checks: Equatable, Sendable {
    /// How many run at a time; 0 turns them off.
    package var maxConcurrent = 1
    package var maxBytes = 1 << 20
  }

  /// Load tests of this server on request.
  package struct Load: Equatable, Sendable {
    package var enabled = false
    /// How many run at a time.
    package var maxConcurrent = 1
    package var maxStreams = 500
    /// Readers of each stream.
    package var maxReaders = 8
    /// Chunks a second in each stream.
    package var maxRate = 1_000
    package var maxDuration = Duration.seconds(120)
    /// How many finished jobs can be asked for, and for how long.
    package var maxFinished = 16
    package var finishedLifetime = Duration.seconds(3600)
  }

  /// How the server stops.
  package struct Shutdown: Equatable, Sendable {
    /// How long requests under way may take to end after a signal to stop.
    package var grace = Duration.seconds(25)
  }
}
