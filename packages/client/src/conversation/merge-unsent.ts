import type { SentPart } from '@holdfast/protocol'

/** What goes along with words that are not sent yet. */
export type UnsentPart = Exclude<SentPart, { type: 'text' }>

/** Three versions of what is being written. */
export interface UnsentVersions {
  /** What both began from. */
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/**
 * What is being written at two places becomes one text. Where only one side has changed, it is that side's; where both
 * have, neither is lost. One that was emptied has been sent: what the other has written stays. [SYNC6]
 */
export function mergeUnsent({ base, mine, theirs }: UnsentVersions): string {
  if (mine === theirs || theirs === base) return mine
  // What was added behind words that were sent meanwhile stays by itself.
  if (mine === '' && base !== '' && theirs.startsWith(`${base}\n\n`)) return theirs.slice(base.length + 2)
  if (mine === base || mine === '') return theirs
  if (theirs.startsWith(mine)) return theirs
  if (mine.startsWith(theirs)) return mine
  if (base !== '' && mine.startsWith(base) && theirs.startsWith(base)) {
    const added = theirs.slice(base.length)
    // A paragraph of its own comes behind what is being written, not into it.
    return added.startsWith('\n\n') ? `${mine}${added}` : `${theirs}${mine.slice(base.length)}`
  }
  return `${theirs}\n\n${mine}`
}

/** Three versions of what goes along with it. */
export interface PartVersions {
  readonly base: readonly UnsentPart[]
  readonly mine: readonly UnsentPart[]
  readonly theirs: readonly UnsentPart[]
}

/** What goes along at two places becomes one list: what was put there at either is, and what was taken out at either is not. [SYNC6] */
export function mergeParts({ base, mine, theirs }: PartVersions): readonly UnsentPart[] {
  const [ofBase, ofMine, ofTheirs] = [base, mine, theirs].map(keysOf)
  const kept = theirs.filter((part) => !ofBase?.has(keyOf(part)) || ofMine?.has(keyOf(part)))
  const added = mine.filter((part) => !ofBase?.has(keyOf(part)) && !ofTheirs?.has(keyOf(part)))
  return [...kept, ...added]
}

function keysOf(parts: readonly UnsentPart[]): ReadonlySet<string> {
  return new Set(parts.map(keyOf))
}

function keyOf(part: UnsentPart): string {
  return JSON.stringify(part)
}
