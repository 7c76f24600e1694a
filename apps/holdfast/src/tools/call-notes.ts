/** Names a call. */
interface Call {
  readonly conversationId: string
  readonly callId: string
}

/** What calls did, from their tools to the log. */
export interface CallNotes<Note> {
  note(call: Call, notes: readonly Note[]): void
  /** What a call did and was not asked for yet, in its order. */
  take(call: Call): readonly Note[]
}

/** Nothing was done yet. */
export function createCallNotes<Note>(): CallNotes<Note> {
  const noted = new Map<string, Note[]>()
  const keyOf = ({ conversationId, callId }: Call): string => JSON.stringify([conversationId, callId])
  return {
    note(call, notes) {
      const key = keyOf(call)
      const all = noted.get(key) ?? []
      all.push(...notes)
      noted.set(key, all)
    },
    take(call) {
      const key = keyOf(call)
      const all = noted.get(key) ?? []
      noted.delete(key)
      return all
    },
  }
}
