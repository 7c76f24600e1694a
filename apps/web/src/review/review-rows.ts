import type { ChangedFileRow } from '@holdfast/protocol'

/** A hunk of a file under review. */
export type HunkRow = ChangedFileRow['hunks'][number]

/** A line of a hunk, with its place there and its numbers in both texts. */
export interface HunkLine {
  /** Place in the lines of the hunk. */
  readonly at: number
  readonly type: 'same' | 'added' | 'removed'
  readonly text: string
  readonly oldNumber: number | null
  readonly newNumber: number | null
  /** Whether the text ends with it, and without a line end. */
  readonly hasNoEnd: boolean
  /** The line that it took the place of, or that took its place; null for none. */
  readonly partner: string | null
}

/** One row of the list: of 50,000 only those in sight are drawn. */
export type ReviewRow =
  | { readonly type: 'file'; readonly key: string; readonly file: ChangedFileRow }
  | { readonly type: 'facts'; readonly key: string; readonly file: ChangedFileRow }
  | { readonly type: 'hunk'; readonly key: string; readonly file: ChangedFileRow; readonly hunk: HunkRow }
  | { readonly type: 'line'; readonly key: string; readonly at: LinePlace; readonly line: HunkLine }
  | {
      readonly type: 'pair'
      readonly key: string
      readonly at: LinePlace
      readonly left: HunkLine | null
      readonly right: HunkLine | null
    }

/** Whose line. */
export interface LinePlace {
  readonly file: ChangedFileRow
  readonly hunk: HunkRow
}

/** Whether old and new stand below each other or beside each other. */
export type ReviewView = 'unified' | 'split'

/** A hunk can be decided about while it is there. */
export function isDecidable({ state }: Pick<HunkRow, 'state'>): boolean {
  return state === 'open' || state === 'kept'
}

/** Whether nothing more is to be decided about a file: it is kept, or as it was before. */
export function isSettled({ act, isKept, conflict, hunks }: ChangedFileRow): boolean {
  if (isKept) return true
  if (hunks.some(({ state }) => state === 'open')) return false
  return conflict === null && act === 'nothing'
}

/** The rows of files. What is settled shows its head alone, until somebody opens it. */
export function reviewRows(
  files: readonly ChangedFileRow[],
  { view, toggled }: { readonly view: ReviewView; readonly toggled: ReadonlySet<string> },
): readonly ReviewRow[] {
  const rows: ReviewRow[] = []
  for (const file of files) {
    rows.push({ type: 'file', key: file.id, file })
    if (isSettled(file) !== toggled.has(file.id)) continue
    if (file.conflict !== null || file.bytes || file.rights || file.leads || file.isCut || file.seenOnly)
      rows.push({ type: 'facts', key: `${file.id}:facts`, file })
    for (const hunk of file.hunks) {
      rows.push({ type: 'hunk', key: hunk.id, file, hunk })
      if ((hunk.state !== 'open' && hunk.state !== 'overwritten') === !toggled.has(hunk.id)) continue
      const at = { file, hunk }
      const lines = linesOf(hunk)
      if (view === 'unified')
        for (const line of lines) rows.push({ type: 'line', key: `${hunk.id} ${line.at}`, at, line })
      else rows.push(...pairsOf(lines, at))
    }
  }
  return rows
}

const known = new WeakMap<HunkRow, readonly HunkLine[]>()

/** The lines of a hunk with their numbers; those that took each other's place know it. */
export function linesOf(hunk: HunkRow): readonly HunkLine[] {
  const before = known.get(hunk)
  if (before) return before
  const lines = withPartners(numbered(hunk))
  known.set(hunk, lines)
  return lines
}

function numbered({ lines, oldStart, newStart }: HunkRow): readonly HunkLine[] {
  let [oldNumber, newNumber] = [oldStart, newStart]
  return lines.flatMap((shown, at): HunkLine[] => {
    if (shown.startsWith('\\')) return []
    const type = shown.startsWith('+') ? 'added' : shown.startsWith('-') ? 'removed' : 'same'
    const line: HunkLine = {
      at,
      type,
      text: shown.slice(1),
      oldNumber: type === 'added' ? null : oldNumber,
      newNumber: type === 'removed' ? null : newNumber,
      hasNoEnd: lines[at + 1]?.startsWith('\\') === true,
      partner: null,
    }
    if (type !== 'added') oldNumber += 1
    if (type !== 'removed') newNumber += 1
    return [line]
  })
}

/** Lines that go and the same number of lines that come in their place belong together, one by one. */
function withPartners(lines: readonly HunkLine[]): readonly HunkLine[] {
  const partners = new Map<number, string>()
  for (let at = 0; at < lines.length; ) {
    const goes = runFrom(lines, at, 'removed')
    const comes = runFrom(lines, at + goes, 'added')
    if (goes === comes)
      for (let index = 0; index < goes; index += 1) {
        const [old, next] = [lines[at + index], lines[at + goes + index]]
        if (!old || !next) continue
        partners.set(old.at, next.text)
        partners.set(next.at, old.text)
      }
    at += Math.max(1, goes + comes)
  }
  return lines.map((line) => ({ ...line, partner: partners.get(line.at) ?? null }))
}

function runFrom(lines: readonly HunkLine[], from: number, type: HunkLine['type']): number {
  let count = 0
  while (lines[from + count]?.type === type) count += 1
  return count
}

function pairsOf(lines: readonly HunkLine[], at: LinePlace): readonly ReviewRow[] {
  const rows: ReviewRow[] = []
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]
    if (line?.type === 'same') {
      rows.push({ type: 'pair', key: `${at.hunk.id} ${line.at}`, at, left: line, right: line })
      index += 1
      continue
    }
    const goes = runFrom(lines, index, 'removed')
    const comes = runFrom(lines, index + goes, 'added')
    for (let row = 0; row < Math.max(goes, comes); row += 1) {
      const left = row < goes ? (lines[index + row] ?? null) : null
      const right = row < comes ? (lines[index + goes + row] ?? null) : null
      rows.push({ type: 'pair', key: `${at.hunk.id} ${(left ?? right)?.at}`, at, left, right })
    }
    index += Math.max(1, goes + comes)
  }
  return rows
}
