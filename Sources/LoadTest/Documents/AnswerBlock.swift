/// A top-level block of an answer, as `AnswerMix` counts them, in its order.
package enum AnswerBlock: Int, CaseIterable, Sendable {
  case paragraph, heading, bulletList, orderedList, code, table, quote, thematicBreak, math, html, component
}
