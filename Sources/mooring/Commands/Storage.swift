import Configuration
import SQLiteLog
import StreamStore

/// The engine that the configuration names, open.
enum Storage {
  case memory
  case sqlite(SQLiteSourceLogEngine)

  /// Opens it; what is in it is not looked through.
  init(_ settings: Settings.Storage) throws(CommandError) {
    switch settings.engine {
    case .memory: self = .memory
    case .sqlite:
      var options = SQLiteSourceLogEngine.Options()
      switch settings.durability {
      case .full: options.durability = .full
      case .relaxed:
        options.durability = .relaxed
        Output.error(
          "mooring: storage.durability is relaxed: the last moments of what was acknowledged may be lost with the power"
        )
      }
      do throws(SQLiteLogError) {
        self = .sqlite(try SQLiteSourceLogEngine(path: settings.path, options: options))
      } catch {
        throw .storage("\(error)")
      }
    }
  }

  var engine: any SourceLogEngine {
    switch self {
    case .memory: MemorySourceLogEngine()
    case .sqlite(let engine): engine
    }
  }

  /// Stores what is on its way, and closes the files.
  func close() {
    if case .sqlite(let engine) = self { engine.close() }
  }
}
