import Markup

/// The shipped dialects and those of a directory.
struct DialectSet {
  /// The shipped dialects, in their order, then the others by name.
  private(set) var all = Dialect.shipped
  /// The files that dialects were read from, by the dialect's name.
  private(set) var files: [String: String] = [:]
  private(set) var errors: [ConfigurationError] = []

  /// Reads every dialect file of `directory`; nothing if that is empty.
  mutating func read(directory: String) {
    guard !directory.isEmpty else { return }
    do throws(ConfigurationError) {
      var read: [DialectFile] = []
      var refused: Set<String> = []
      for name in try yamlFileNames(inDirectory: directory) {
        let path = directory + "/" + name
        guard name.hasSuffix(".yaml") else {
          // Read as nothing it would be a key that does nothing.
          errors.append(
            .invalidValue(
              key: "dialects.directory", value: name, .file(path, line: 1), accepted: "files called NAME.yaml"
            ))
          continue
        }
        let stem = String(name.dropLast(".yaml".count))
        if let file = readOne(path, stem: stem) { read.append(file) } else { refused.insert(stem) }
      }
      add(read, refused: refused)
    } catch {
      errors.append(error)
    }
  }

  /// Reads one dialect file, and the files of its directory that it extends, directly or not.
  mutating func read(name: String, inDirectory directory: String) {
    var read: [DialectFile] = []
    var next = name
    repeat {
      guard let file = readOne(directory + "/" + next + ".yaml", stem: next) else { return }
      read.append(file)
      next = file.extends ?? file.name
    } while !read.contains { $0.name == next } && isReadable(file: directory + "/" + next + ".yaml")
    add(read)
  }

  /// One file, or `nil` where `errors` says what is wrong with it.
  private mutating func readOne(_ path: String, stem: String) -> DialectFile? {
    do throws(ConfigurationError) {
      let document = try Configuration.document(ofFile: path)
      let reader = DialectFileReader(document, path: path, stem: stem)
      errors += reader.errors
      return reader.errors.isEmpty ? reader.file : nil
    } catch {
      errors.append(error)
      return nil
    }
  }

  /// Adds what the files define, each after the one that it extends.
  ///
  /// `extends` of a file's own name means the shipped dialect that it replaces. A file without `extends` begins
  /// with CommonMark. That a file extends one of `refused`, which have errors of their own, is no further error.
  mutating func add(_ files: [DialectFile], refused: Set<String> = []) {
    var waiting = files
    var done: [String: Dialect] = [:]
    let own = Set(files.map(\.name))
    let shipped = Dictionary(uniqueKeysWithValues: Dialect.shipped.map { ($0.name, $0) })

    while !waiting.isEmpty {
      var left: [DialectFile] = []
      for file in waiting {
        guard let parent = file.extends else {
          done[file.name] = file.dialect(extending: .commonmark)
          continue
        }
        if let base = parent == file.name || !own.contains(parent) ? shipped[parent] : done[parent] {
          done[file.name] = file.dialect(extending: base)
        } else {
          left.append(file)
        }
      }
      // No progress: what is left names dialects that are not there, or goes round.
      if left.count == waiting.count { break }
      waiting = left
    }
    let names = all.map(\.name) + own.subtracting(all.map(\.name)).sorted()
    for file in waiting where done[file.name] == nil {
      let origin = ConfigurationOrigin.file(file.path, line: file.extendsLine)
      let parent = file.extends ?? ""
      if own.contains(parent) {
        if isCircular(file, among: waiting) { errors.append(.circularDialect(file.name, origin)) }
      } else if !refused.contains(parent) {
        let accepted = "a dialect that is there: \(names.filter { $0 != file.name }.joined(separator: ", "))"
        errors.append(.invalidValue(key: "extends", value: parent, origin, accepted: accepted))
      }
    }
    for file in files { self.files[file.name] = file.path }
    all = names.compactMap { name in done[name] ?? shipped[name] }
  }

  /// Whether what a file extends goes round, rather than to one that is not there, which has an error of its own.
  private func isCircular(_ file: DialectFile, among files: [DialectFile]) -> Bool {
    var seen: Set<String> = []
    var next: DialectFile? = file
    while let current = next {
      guard seen.insert(current.name).inserted else { return true }
      next = files.first { $0.name == current.extends }
    }
    return false
  }
}
