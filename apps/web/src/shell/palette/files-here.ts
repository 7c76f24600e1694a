import type { TranscriptItem } from '@holdfast/conversation'

/** A file, and the answer whose tools changed it last. */
export interface FileHere {
  readonly path: string
  readonly seq: number
}

/** Files that the tools of a conversation changed, as far as it is read: what was changed last stands first. */
export function filesHere(items: readonly TranscriptItem[]): readonly FileHere[] {
  const lastSeq = new Map<string, number>()
  for (const { seq, toolCalls } of items) {
    for (const { changedFiles } of toolCalls) {
      for (const { path } of changedFiles ?? []) {
        lastSeq.delete(path)
        lastSeq.set(path, seq)
      }
    }
  }
  return [...lastSeq].toReversed().map(([path, seq]) => ({ path, seq }))
}
