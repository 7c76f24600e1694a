/** What one file defines and refers to. Two files with the same bytes have the same. */
export interface FileTags {
  /** In the order of their lines. */
  readonly definitions: readonly Definition[]
  /** How often each name is referred to, each once, sorted by their UTF-16 code units. */
  readonly references: readonly Reference[]
  /** How often each name is asked of a value, each once, sorted by their UTF-16 code units: whose they are the text does not say. */
  readonly members: readonly Reference[]
  /** What the file imports, in its own words: `./a.ts`. */
  readonly imports: readonly string[]
}

/** A name and where it is defined. */
export interface Definition {
  readonly name: string
  /** From 0. */
  readonly line: number
}

/** A name and how often a file refers to it. */
export interface Reference {
  readonly name: string
  readonly count: number
}

/** A file of which nothing is known but its name. */
export const NO_TAGS: FileTags = { definitions: [], references: [], members: [], imports: [] }
