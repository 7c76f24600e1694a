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
  if (mine === base || mine === '') return theirs
  if (theirs.startsWith(mine)) return theirs
  if (mine.startsWith(theirs)) return mine
  if (base !== '' && mine.startsWith(base) && theirs.startsWith(base)) return `${theirs}${mine.slice(base.length)}`
  return `${theirs}\n\n${mine}`
}
