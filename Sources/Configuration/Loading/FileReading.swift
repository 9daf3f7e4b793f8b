import Foundation

/// The whole file, at most one byte more than a YAML text may have: enough for the parser to refuse it.
func contents(ofFile path: String) throws(ConfigurationError) -> [UInt8] {
  do {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    return [UInt8](try handle.read(upToCount: YAMLDocument.maxBytes + 1) ?? Data())
  } catch {
    throw .unreadable(path: path, errno: systemErrorNumber(error))
  }
}

/// Whether there is a file that can be read.
func isReadable(file path: String) -> Bool { FileManager.default.isReadableFile(atPath: path) }

/// The names of a directory's YAML files, sorted by bytes, so that errors come in one order everywhere.
func yamlFileNames(inDirectory path: String) throws(ConfigurationError) -> [String] {
  do {
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { !$0.hasPrefix(".") && ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  } catch {
    throw .unreadable(path: path, errno: systemErrorNumber(error))
  }
}

/// `path`, absolute: as seen from `directory` if it is relative.
func absolutePath(_ path: String, from directory: String) -> String {
  guard !path.hasPrefix("/") else { return path }
  return URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: directory, isDirectory: true))
    .standardizedFileURL.path
}

/// The directory that `file` is in, absolute.
func directory(ofFile file: String) -> String {
  URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent().path
}

/// A file's name without its directory and its extension.
func fileStem(_ path: String) -> String {
  URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
}

/// The process's working directory.
func workingDirectory() -> String { FileManager.default.currentDirectoryPath }

/// The system's words for an error number.
func systemErrorText(_ errno: Int32) -> String {
  NSError(domain: NSPOSIXErrorDomain, code: Int(errno)).localizedFailureReason ?? "error \(errno)"
}

private func systemErrorNumber(_ error: any Error) -> Int32 {
  let error = error as NSError
  let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
  for candidate in [cause, error] {
    if let candidate, candidate.domain == NSPOSIXErrorDomain { return Int32(candidate.code) }
  }
  switch CocoaError.Code(rawValue: error.code) {
  case .fileReadNoSuchFile, .fileNoSuchFile: return ENOENT
  case .fileReadNoPermission: return EACCES
  default: return EIO
  }
}
