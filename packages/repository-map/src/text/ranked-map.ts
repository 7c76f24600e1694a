/** What may stand on a map. */
export interface MapLine {
  readonly path: string
  /** From 0; null for the file's name alone. */
  readonly line: number | null
  /** The line of source, without what stands around it; empty for the name alone. */
  readonly text: string
}

/** What may stand on a map, and what it was made from. */
export interface RankedMap {
  /** From what matters most. */
  readonly lines: readonly MapLine[]
  /** The files that matter most, in their order. */
  readonly topPaths: readonly string[]
  readonly fileCount: number
  /** Files whose content was not looked at, for lack of time. */
  readonly unreadCount: number
  /** Whether there may be files that were not listed. */
  readonly isCut: boolean
  /** Contents that had to be parsed for it. */
  readonly parsedCount: number
}
