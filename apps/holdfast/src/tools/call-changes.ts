import type { FileChange, FileChangeSource } from '@holdfast/engine'

/** Names a call. */
type Call = Parameters<FileChangeSource['take']>[0]

/** What calls did to files, from their tools to the log. */
export interface CallChanges extends FileChangeSource {
  note(call: Call, changes: readonly FileChange[]): void
}

/** Nothing changed yet. */
export function createCallChanges(): CallChanges {
  const noted = new Map<string, FileChange[]>()
  const keyOf = ({ conversationId, callId }: Call): string => JSON.stringify([conversationId, callId])
  return {
    note(call, changes) {
      const key = keyOf(call)
      const all = noted.get(key) ?? []
      all.push(...changes)
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
