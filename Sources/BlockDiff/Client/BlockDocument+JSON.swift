package import Markup

extension BlockDocument {
  /// A document as a snapshot of the flat shape shows it.
  ///
  /// - Throws: what is wrong with the text, or the rule that the snapshot breaks.
  package init(snapshot json: [UInt8]) throws(BlockDocumentError) {
    let object = try Self.read(json)
    let reader = WireReader(object)
    guard let values = object["blocks"]?.array else { throw .malformed("blocks") }
    var blocks: [DocumentBlock] = []
    for value in values { blocks.append(try DocumentBlock(value)) }
    try self.init(
      blocks: blocks, at: try reader.token("at"), pending: try reader.integer("pending"),
      isFinished: try reader.boolean("finished"))
  }

  /// Applies a diff as it came over the wire.
  package mutating func apply(diff json: [UInt8]) throws(BlockDocumentError) {
    try apply(try Update(json: json))
  }

  fileprivate static func read(_ json: [UInt8]) throws(BlockDocumentError) -> JSONValue {
    do { return try JSONReader.value(of: json) } catch { throw .notJSON(error) }
  }
}

extension BlockDocument.Update {
  /// Decodes a diff.
  package init(json: [UInt8]) throws(BlockDocumentError) {
    let object = try BlockDocument.read(json)
    let reader = WireReader(object)
    guard let values = object["ops"]?.array else { throw .malformed("ops") }
    var operations: [BlockDocument.Operation] = []
    for value in values { operations.append(try BlockDocument.Operation(value)) }
    self.init(
      from: try reader.token("from"), to: try reader.token("to"),
      pending: try reader.integer("pending"), operations: operations)
  }

  /// The diff with all that its ops say, without a way over the wire.
  package init(_ diff: borrowing Diff, of table: borrowing BlockTable, incarnation: UInt64 = 0) {
    var operations: [BlockDocument.Operation] = []
    for op in diff.ops { operations.append(BlockDocument.Operation(op, of: table)) }
    self.init(
      from: OffsetToken(incarnation: incarnation, position: diff.from),
      to: OffsetToken(incarnation: incarnation, position: diff.to), pending: diff.pending,
      operations: operations)
  }
}

extension BlockDocument.Operation {
  /// Decodes one op. A type's fields that are absent are `nil`.
  package init(_ value: JSONValue) throws(BlockDocumentError) {
    let reader = WireReader(value)
    switch try reader.string("op").description {
    case "open": self = .open(try reader.block())
    case "append":
      self = .append(
        id: try reader.string("id"), text: try reader.string("text"), revision: try reader.offset("rev"))
    case "set":
      self = .set(
        id: try reader.string("id"),
        BlockDocument.Changes(
          type: value["type"] == nil ? nil : try reader.type(), fields: try reader.fields(),
          text: value["text"] == nil ? nil : try reader.string("text")),
        revision: try reader.offset("rev"))
    case "seal":
      self = .seal(
        id: try reader.string("id"), end: try reader.offset("end"), revision: try reader.offset("rev"))
    case "runs", "html":
      self = .inlines(
        id: try reader.string("id"), try reader.inlineChange(), revision: try reader.offset("rev"))
    case "finish": self = .finish
    case let other: throw .malformed("op \(other)")
    }
  }

  /// The op with all that it says, without a way over the wire.
  package init(_ op: BlockOp, of table: borrowing BlockTable) {
    switch op {
    case .open(let index): self = .open(DocumentBlock(index, of: table))
    case .append(let index, let from, let revision):
      let block = DocumentBlock(index, of: table)
      let text = block.text?.utf8.dropFirst(from) ?? []
      self = .append(id: block.id, text: ByteString(Array(text)), revision: revision)
    case .set(let index, let changed, let revision):
      let block = DocumentBlock(index, of: table)
      var changes = BlockDocument.Changes()
      if changed.contains(.type) {
        changes.type = block.type
        changes.fields = block.fields
      }
      if changed.contains(.spread) { changes.fields.spread = block.fields.spread }
      if changed.contains(.title) { changes.fields.title = block.fields.title }
      if changed.contains(.text) { changes.text = block.text }
      self = .set(id: block.id, changes, revision: revision)
    case .seal(let index):
      let block = DocumentBlock(index, of: table)
      self = .seal(id: block.id, end: block.end ?? .zero, revision: block.revision)
    case .finish: self = .finish
    }
  }
}

extension DocumentBlock {
  /// Decodes a block of a flat snapshot.
  package init(_ value: JSONValue) throws(BlockDocumentError) { self = try WireReader(value).block() }
}

/// Reads the fields of the wire's objects.
private struct WireReader {
  let object: JSONValue

  init(_ object: JSONValue) { self.object = object }

  func string(_ name: ByteString) throws(BlockDocumentError) -> ByteString {
    guard let value = object[name]?.string else { throw .malformed(name.description) }
    return value
  }

  func integer(_ name: ByteString) throws(BlockDocumentError) -> Int {
    guard let value = object[name]?.integer, value >= 0 else { throw .malformed(name.description) }
    return value
  }

  func boolean(_ name: ByteString) throws(BlockDocumentError) -> Bool {
    guard let value = object[name]?.boolean else { throw .malformed(name.description) }
    return value
  }

  func offset(_ name: ByteString) throws(BlockDocumentError) -> ByteOffset {
    ByteOffset(try integer(name))
  }

  func token(_ name: ByteString) throws(BlockDocumentError) -> OffsetToken {
    guard let token = OffsetToken(try string(name).utf8) else { throw .malformed(name.description) }
    return token
  }

  func type() throws(BlockDocumentError) -> BlockType {
    let name = try string("type").description
    guard let type = BlockType.allCases.first(where: { $0.name.description == name }) else {
      throw .malformed("type \(name)")
    }
    return type
  }

  func inlineChange() throws(BlockDocumentError) -> BlockDocument.InlineChange {
    let why = object["why"]
    guard why == nil || why == .string("definition") else { throw .malformed("why") }
    let content: BlockDocument.InlineChange.Content
    if object["runs"] != nil {
      guard let runs = object["runs"]?.array else { throw .malformed("runs") }
      content = .runs(from: try integer("from"), runs)
    } else if object["append"] != nil {
      content = .addedHTML(try string("append"))
    } else {
      content = .html(try string("html"))
    }
    return BlockDocument.InlineChange(content: content, isResolution: why != nil)
  }

  func block() throws(BlockDocumentError) -> DocumentBlock {
    var block = DocumentBlock(
      id: try string("id"), type: try type(), parent: object["parent"] == nil ? nil : try string("parent"),
      fields: try fields(), begin: try offset("begin"), end: object["end"] == nil ? nil : try offset("end"),
      revision: try offset("rev"), text: object["text"] == nil ? nil : try string("text"))
    block.runs = object["runs"]?.array
    block.html = object["html"]?.string
    return block
  }

  /// The fields that only some types have, and a refusal of those that no type has.
  func fields() throws(BlockDocumentError) -> DocumentBlock.Fields {
    guard case .object(let members) = object else { throw .malformed("not an object") }
    var fields = DocumentBlock.Fields()
    for member in members {
      let name = member.name
      switch name.description {
      case "op", "id", "type", "parent", "begin", "end", "open", "rev", "text", "runs", "html": break
      case "depth": fields.depth = try integer(name)
      case "directiveLabel": fields.directiveLabel = try boolean(name)
      case "fenced": fields.fenced = try boolean(name)
      case "lang": fields.lang = try string(name)
      case "meta": fields.meta = try string(name)
      case "alert": fields.alert = try string(name)
      case "ordered": fields.ordered = try boolean(name)
      case "start": fields.start = try integer(name)
      case "spread": fields.spread = try boolean(name)
      case "checked": fields.checked = try boolean(name)
      case "align": fields.align = try alignments(member.value)
      case "header": fields.header = try boolean(name)
      case "identifier": fields.identifier = try string(name)
      case "label": fields.label = try string(name)
      case "url": fields.url = try string(name)
      case "title": fields.title = try string(name)
      case "name": fields.name = try string(name)
      case "attributes": fields.attributes = try attributes(member.value)
      case "content": fields.content = try string(name)
      case let other: throw .malformed("field \(other)")
      }
    }
    return fields
  }

  private func alignments(_ value: JSONValue) throws(BlockDocumentError) -> [ColumnAlignment] {
    guard let values = value.array else { throw .malformed("align") }
    var result: [ColumnAlignment] = []
    for value in values {
      switch value {
      case .null: result.append(.none)
      case .string("left"): result.append(.left)
      case .string("center"): result.append(.center)
      case .string("right"): result.append(.right)
      default: throw .malformed("align")
      }
    }
    return result
  }

  private func attributes(_ value: JSONValue) throws(BlockDocumentError) -> [DocumentBlock.Attribute] {
    guard case .object(let members) = value else { throw .malformed("attributes") }
    var result: [DocumentBlock.Attribute] = []
    for member in members {
      switch member.value {
      case .boolean(true): result.append(DocumentBlock.Attribute(name: member.name, value: nil))
      case .string(let text): result.append(DocumentBlock.Attribute(name: member.name, value: text))
      default: throw .malformed("attributes")
      }
    }
    return result
  }
}
