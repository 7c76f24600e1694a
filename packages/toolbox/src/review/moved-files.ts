import type { NetChange } from '../files/change-set.ts'

/** A change with the place that its file came from, when it was moved. */
export interface MaybeMoved {
  readonly change: NetChange
  readonly from: NetChange | null
}

/** Files that went from one place and stand in another with the same bytes were moved; of several, by the same name first. */
export function pairMoved(changes: readonly NetChange[]): readonly MaybeMoved[] {
  const gone = new Map<string, NetChange[]>()
  for (const change of changes) {
    const key = change.after === null ? keyOf(change, change.before) : null
    if (key !== null) gone.set(key, [...(gone.get(key) ?? []), change])
  }
  const sources = new Map<NetChange, NetChange>()
  const taken = new Set<NetChange>()
  for (const change of changes) {
    const key = change.before === null ? keyOf(change, change.after) : null
    const left = (key === null ? undefined : gone.get(key))?.filter((one) => !taken.has(one)) ?? []
    const source = left.find(({ path }) => nameOf(path) === nameOf(change.path)) ?? left[0]
    if (!source) continue
    taken.add(source)
    sources.set(change, source)
  }
  return changes.filter((change) => !taken.has(change)).map((change) => ({ change, from: sources.get(change) ?? null }))
}

/** What a file is told by; null for what is not followed: links, folders, empty files, and those that were not kept. */
function keyOf({ lost, isInterrupted }: NetChange, stood: NetChange['before']): string | null {
  if (lost !== null || isInterrupted || stood?.entity !== 'file' || stood.blob === null || stood.blob.sizeBytes === 0)
    return null
  return stood.blob.hash
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
