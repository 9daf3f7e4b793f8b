import Foundation

/// A program that parses Markdown, to compare our finished blocks with.
package enum PeerTool: String, Sendable, CaseIterable {
  /// cmark, for the dialect `commonmark`. Debian 12 has 0.30.2.
  case cmark
  /// cmark-gfm, for the dialect `gfm`. Debian 12 has 0.29.0.gfm.6.
  case cmarkGFM = "cmark-gfm"
  /// md4c, for the dialect `commonmark`; HTML only. Debian 12 has 0.4.8, as a library: scripts/build-peers makes the
  /// program of it.
  case md4c

  /// Those that say where blocks are.
  package static let withOutlines: [PeerTool] = [.cmark, .cmarkGFM]

  /// The shell's command that writes `NUMBER.md.out` for every `NUMBER.md`, with block structure and positions.
  private var outlineCommand: String {
    switch self {
    case .cmark: each("cmark -t xml --sourcepos")
    case .cmarkGFM: each("cmark-gfm -t xml --sourcepos -e table -e tasklist -e footnotes")
    case .md4c: preconditionFailure("md4c tells no positions")
    }
  }

  /// The same with HTML, raw HTML and all URLs included.
  private var htmlCommand: String {
    switch self {
    case .cmark, .cmarkGFM: each("\(rawValue) --unsafe")
    case .md4c: "printf '%s\\0' *.md | xargs -0 '\(Self.md4cProgram.path)' html"
    }
  }

  private func each(_ command: String) -> String {
    "for file in *.md; do \(command) $file > $file.out; done"
  }

  private static var md4cProgram: URL { RepositoryFiles.root.appendingPathComponent(".build/peers/md4c") }

  /// Whether the program can be found.
  package var isInstalled: Bool {
    if self == .md4c { return FileManager.default.isExecutableFile(atPath: Self.md4cProgram.path) }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(rawValue)")
    }
  }

  /// The outlines of many sources, in their order.
  package func outlines(of sources: [[UInt8]]) throws -> [PeerOutline] {
    try outputs(of: sources, outlineCommand).map {
      PeerOutline(cmarkXML: String(decoding: $0, as: UTF8.self))
    }
  }

  /// What the program makes of many sources, in their order: one shell runs it for all.
  private func outputs(of sources: [[UInt8]], _ command: String) throws -> [[UInt8]] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("mooring-peers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (number, source) in sources.enumerated() {
      try Data(source).write(to: folder.appendingPathComponent("\(number).md"))
    }
    let process = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "cd '\(folder.path)' && \(command)"])
    try process.input.close()
    _ = try process.error.readToEnd()
    process.wait()
    return try sources.indices.map { number in
      Array(try Data(contentsOf: folder.appendingPathComponent("\(number).md.out")))
    }
  }
}

extension PeerTool {
  /// The HTML of many sources, raw HTML and all URLs included.
  package func html(of sources: [[UInt8]]) throws -> [[UInt8]] { try outputs(of: sources, htmlCommand) }
}
