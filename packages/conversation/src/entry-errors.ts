/** An entry was written by a newer Holdfast. Nothing was changed; install a version that knows it. [LOG6] */
export class NewerEntryError extends Error {
  override readonly name = 'NewerEntryError'
  readonly code = 'newer-entry'
  readonly conversationId: string
  readonly seq: number

  constructor(at: { conversationId: string; seq: number }, what: string) {
    super(
      `Entry ${at.seq} of conversation ${at.conversationId} ${what}. It was written by a newer Holdfast: install that version or a later one to open this conversation.`,
    )
    this.conversationId = at.conversationId
    this.seq = at.seq
  }
}

/** An entry is not what any version of its kind can be. */
export class MalformedEntryError extends Error {
  override readonly name = 'MalformedEntryError'
  readonly code = 'malformed-entry'
}
