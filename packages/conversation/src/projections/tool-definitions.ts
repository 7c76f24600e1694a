import type { Projection } from '../projection.ts'

/** Where the definitions that requests carry now are written down. */
export interface ToolDefinitionsPlace {
  /** `seq` of the entry that holds them. */
  readonly seq: number
  readonly hash: string
  /** Names of tools that the window of the model had no room for. [WIN17] */
  readonly leftOut: readonly string[]
}

const NOTHING: readonly string[] = []

/** The place of the newest definitions; null before the first. They themselves are read from the log. [REQ1] */
export const toolDefinitions: Projection<ToolDefinitionsPlace | null> = {
  name: 'tool-definitions',
  version: 2,
  initial: null,
  reduce(state, entries) {
    const newest = entries.findLast((entry) => entry.type === 'tools-changed')
    return newest ? { seq: newest.seq, hash: newest.hash, leftOut: newest.leftOut ?? NOTHING } : state
  },
}
