import Foundation

/// A program that parses Markdown, to compare our finished blocks with.
package enum PeerTool: String, Sendable, CaseIterable {
  /// cmark, for the dialect `commonmark`. Debian 12 has 0.30.2.
  case cmark
  /// cmark-gfm, for the dialect `gfm`. Debian 12 has 0.29.0.gfm.6.
  case cmarkGFM = "cmark-gfm"

  /// The options that give block structure with positions.
  private var options: String {
    switch self {
    case .cmark: "-t xml --sourcepos"
    case .cmarkGFM: "-t xml --sourcepos -e table -e tasklist -e footnotes"
    }
  }

  /// Whether the program can be found.
  package var isInstalled: Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(rawValue)")
    }
  }

  /// The outlines of many sources, in their order.
  package func outlines(of sources: [[UInt8]]) throws -> [PeerOutline] {
    try outputs(of: sources, options).map { PeerOutline(cmarkXML: String(decoding: $0, as: UTF8.self)) }
  }

  /// What the program makes of many sources, in their order: one shell runs it once for each.
  private func outputs(of sources: [[UInt8]], _ options: String) throws -> [[UInt8]] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("mooring-peers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (number, source) in sources.enumerated() {
      try Data(source).write(to: folder.appendingPathComponent("\(number).md"))
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "for file in *.md; do \(rawValue) \(options) $file > $file.out; done"]
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    return try sources.indices.map { number in
      Array(try Data(contentsOf: folder.appendingPathComponent("\(number).md.out")))
    }
  }
}

extension PeerTool {
  /// The HTML of many sources, raw HTML and all URLs included.
  package func html(of sources: [[UInt8]]) throws -> [[UInt8]] { try outputs(of: sources, "--unsafe") }
}
