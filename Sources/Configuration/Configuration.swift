package import Markup

/// The service's configuration: the defaults, a file, the environment and the command line, in this order.
package enum Configuration {
  /// Reads the configuration and checks all of it.
  ///
  /// - Parameters:
  ///   - file: the path of a YAML file; `nil` for the defaults.
  ///   - environment: the process's environment. Variables that do not begin with `MOORING_` are ignored.
  ///   - overrides: from the command line; the last one of a key wins.
  /// - Throws: everything that is wrong, not only the first thing; `several` if it is more than one.
  package static func load(
    file: String? = nil, environment: [String: String] = [:], overrides: [ConfigurationOverride] = []
  ) throws(ConfigurationError) -> LoadedConfiguration {
    var reader = SettingsReader()
    if let file {
      do throws(ConfigurationError) {
        reader.read(try document(ofFile: file), file: file)
      } catch {
        reader.errors.append(error)
      }
    }
    reader.read(environment: environment)
    reader.read(overrides: overrides)
    reader.resolveDirectory { path, origin in
      if case .file(let file, _) = origin {
        absolutePath(path, from: directory(ofFile: file))
      } else {
        absolutePath(path, from: workingDirectory())
      }
    }
    reader.checkRelations()

    var dialects = DialectSet()
    dialects.read(directory: reader.settings.dialects.directory)
    reader.errors += dialects.errors
    // With a broken file in the directory, the missing dialect may be the one that it defines.
    if dialects.errors.isEmpty { reader.checkDefaultDialect(names: dialects.all.map(\.name)) }

    try reader.errors.throwAny()
    return LoadedConfiguration(
      settings: reader.settings, dialects: dialects.all, origins: reader.origins,
      dialectFiles: dialects.files)
  }

  /// The dialect of one file, `NAME.yaml`, which may extend others of its directory.
  ///
  /// - Throws: everything that is wrong with these files; `several` if it is more than one thing.
  package static func dialect(ofFile path: String) throws(ConfigurationError) -> Dialect {
    let name = fileStem(path)
    var dialects = DialectSet()
    dialects.read(name: name, inDirectory: directory(ofFile: path))
    try dialects.errors.throwAny()
    guard let dialect = dialects.all.first(where: { $0.name == name }) else {
      preconditionFailure("a file without errors defines the dialect of its name")
    }
    return dialect
  }

  /// Everything that is wrong with a file and the dialects that it names; empty if it can be started with.
  package static func check(file: String) -> [ConfigurationError] {
    do throws(ConfigurationError) {
      _ = try load(file: file)
      return []
    } catch {
      return error.all
    }
  }

  static func document(ofFile path: String) throws(ConfigurationError) -> YAMLDocument {
    let bytes = try contents(ofFile: path)
    do throws(YAMLError) {
      return try YAMLDocument(parsing: bytes)
    } catch {
      throw .yaml(error, file: path)
    }
  }
}

extension [ConfigurationError] {
  /// Throws all of them as one, if there are any.
  fileprivate func throwAny() throws(ConfigurationError) {
    switch count {
    case 0: break
    case 1: throw self[0]
    default: throw .several(self)
    }
  }
}
