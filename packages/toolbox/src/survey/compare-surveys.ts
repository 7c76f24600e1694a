import type { Seen, SeenChange, SeenContent, SeenFile, Survey } from './survey.ts'

/** What became of a folder between two surveys, by path; of what was left out in both nothing is known. */
export function compareSurveys(before: Survey, after: Survey): readonly SeenChange[] {
  const changes: SeenChange[] = []
  // What can be looked into no more hides what is in it: that is not gone.
  const closed = [...after].flatMap(([path, { type }]) =>
    type === 'left-out' && before.get(path)?.type === 'folder' ? [`${path}/`] : [],
  )
  for (const [path, seen] of before) {
    if (closed.some((folder) => path.startsWith(folder))) continue
    const next = after.get(path) ?? null
    if (next === null) changes.push(changeOf(path, seen, null))
    else if (entityOf(seen) !== entityOf(next)) changes.push(changeOf(path, seen, null), changeOf(path, null, next))
    else if (!isSame(seen, next)) changes.push(changeOf(path, seen, next))
  }
  for (const [path, seen] of after) if (!before.has(path)) changes.push(changeOf(path, null, seen))
  // What goes stands before what comes in the same place.
  return changes.sort((one, other) => compareTexts(one.path, other.path) || (one.kind === 'deleted' ? -1 : 1))
}

function isSame(one: Seen, other: Seen): boolean {
  switch (one.type) {
    case 'file':
      return other.type === 'file' && isSameFile(one, other)
    case 'link':
      return other.type === 'link' && other.target === one.target
    case 'folder':
      return other.type === 'folder' && other.mode === one.mode
    case 'left-out':
      return true
  }
}

/** By content where both were read, and else by what the system says. */
function isSameFile(one: SeenFile, other: SeenFile): boolean {
  if (one.mode !== other.mode || one.sizeBytes !== other.sizeBytes) return false
  if (one.hash !== null && other.hash !== null) return one.hash === other.hash
  return (
    one.stamp !== null &&
    other.stamp !== null &&
    one.stamp.inode === other.stamp.inode &&
    one.stamp.modifiedAtMs === other.stamp.modifiedAtMs
  )
}

function changeOf(path: string, before: Seen | null, after: Seen | null): SeenChange {
  const there = after ?? before
  return {
    path,
    kind: before === null ? 'created' : after === null ? 'deleted' : 'changed',
    entity: there === null ? 'file' : entityOf(there),
    before: contentOf(before),
    after: contentOf(after),
    modeBefore: modeOf(before),
    modeAfter: modeOf(after),
    notKept: notKeptOf(before) ?? notKeptOf(after),
  }
}

function entityOf({ type }: Seen): SeenChange['entity'] {
  return type === 'left-out' ? 'folder' : type
}

function contentOf(seen: Seen | null): SeenContent | null {
  if (seen?.type === 'link') return { type: 'link', target: seen.target }
  if (seen?.type !== 'file' || seen.hash === null || seen.notKept !== null) return null
  return { type: 'bytes', hash: seen.hash, sizeBytes: seen.sizeBytes }
}

function modeOf(seen: Seen | null): number | null {
  return seen?.type === 'file' || seen?.type === 'folder' ? seen.mode : null
}

function notKeptOf(seen: Seen | null): SeenChange['notKept'] {
  if (seen?.type === 'left-out') return seen.reason
  return seen?.type === 'file' ? seen.notKept : null
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
