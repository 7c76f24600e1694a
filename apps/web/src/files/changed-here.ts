import type { TranscriptItem } from '@holdfast/conversation'

/** Which files the calls of a conversation changed, as far as it is read. */
export interface ChangedHere {
  readonly paths: ReadonlySet<string>
  /** The last of them that is still there; null for none. */
  readonly newest: ChangedFileAt | null
}

/** A change of a file. */
export interface ChangedFileAt {
  readonly path: string
  /** The call that made it. */
  readonly callId: string
}

/** Finds them. */
export function changedHere(items: readonly TranscriptItem[]): ChangedHere {
  const paths = new Set<string>()
  let newest: ChangedFileAt | null = null
  for (const { toolCalls } of items)
    for (const { callId, changedFiles = [] } of toolCalls)
      for (const { path, kind, entity } of changedFiles) {
        if (entity !== undefined) continue
        paths.add(path)
        if (kind !== 'deleted') newest = { path, callId }
      }
  return { paths, newest }
}
