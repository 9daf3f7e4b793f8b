import Markup

// The wire's vocabulary (api.md §2): what comes between values, in one piece each.
extension JSONFragment {
  // Ops, up to the ID.
  static let openOp: JSONFragment = #"{"op":"open","id":""#
  static let appendOp: JSONFragment = #"{"op":"append","id":""#
  static let setOp: JSONFragment = #"{"op":"set","id":""#
  static let sealOp: JSONFragment = #"{"op":"seal","id":""#
  static let finishOp: JSONFragment = #"{"op":"finish"}"#

  // Fields of every block. `id` closes with the quote that follows the ID's bytes.
  static let documentKey: JSONFragment = "doc"
  static let id: JSONFragment = #"{"id":""#
  static let parent: JSONFragment = #","parent":""#
  static let begin: JSONFragment = #","begin":"#
  static let end: JSONFragment = #","end":"#
  static let open: JSONFragment = #","open":true"#
  static let rev: JSONFragment = #","rev":"#
  static let textAfterID: JSONFragment = #"","text":"#
  static let text: JSONFragment = #","text":"#
  static let children: JSONFragment = #","children":["#

  // Fields of some types.
  static let depth: JSONFragment = #","depth":"#
  static let directiveLabel: JSONFragment = #","directiveLabel":true"#
  static let fenced: JSONFragment = #","fenced":"#
  static let language: JSONFragment = #","lang":"#
  static let meta: JSONFragment = #","meta":"#
  static let ordered: JSONFragment = #","ordered":"#
  static let start: JSONFragment = #","start":"#
  static let spread: JSONFragment = #","spread":"#
  static let checked: JSONFragment = #","checked":"#
  static let align: JSONFragment = #","align":["#
  static let header: JSONFragment = #","header":"#
  static let identifier: JSONFragment = #","identifier":"#
  static let label: JSONFragment = #","label":"#
  static let url: JSONFragment = #","url":"#
  static let title: JSONFragment = #","title":"#
  static let name: JSONFragment = #","name":"#
  static let attributes: JSONFragment = #","attributes":{"#
  static let value: JSONFragment = #","value":"#

  // The end of a diff.
  static let opsEnd: JSONFragment = "]}"

  // Envelopes.
  static let stream: JSONFragment = #"{"stream":"#
  static let fromField: JSONFragment = #""from":""#
  static let toField: JSONFragment = #"","to":""#
  static let atField: JSONFragment = #""at":""#
  static let finishedAfterAt: JSONFragment = #"","finished":"#
  static let pendingAfterTo: JSONFragment = #"","pending":"#
  static let pending: JSONFragment = #","pending":"#
  static let ops: JSONFragment = #","ops":["#
  static let dialect: JSONFragment = #","dialect":"#
  static let blocks: JSONFragment = #","blocks":["#
  static let root: JSONFragment = #","root":"#
  static let blockAfterAt: JSONFragment = #"","block":"#
  static let childIDs: JSONFragment = #","children":["#
  static let source: JSONFragment = #","source":"#

  /// `,"type":"…"` for each type, by raw value.
  static let types: [JSONFragment] = BlockType.allCases.map { quoted(#","type":"#, $0.name) }
  /// `,"alert":"…"` for each alert, by raw value less one.
  static let alerts: [JSONFragment] = Alert.allCases.map { quoted(#","alert":"#, $0.name) }
  /// `,"content":"…"` for each way to read a component, by raw value.
  static let contents: [JSONFragment] =
    [ComponentContent.markdown, .raw, .none].map { quoted(#","content":"#, $0.name) }
  /// The alignments of a column, by raw value.
  static let columnAlignments: [JSONFragment] = ["null", #""left""#, #""center""#, #""right""#]

  private static func quoted(_ prefix: String, _ name: StaticString) -> JSONFragment {
    JSONFragment("\(prefix)\"\(name)\"".utf8)
  }
}
