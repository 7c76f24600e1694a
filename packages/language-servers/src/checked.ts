import type { Comparison, NewErrors } from './compare-versions.ts'

/** A change to be looked at. */
export interface CheckOrder extends Pick<Comparison, 'changes' | 'readText'> {
  /** A real path. */
  readonly rootPath: string
  /** What a server of the folder may read beside it. */
  readonly readable: readonly string[]
}

/** What came of looking at a change. */
export type Checked =
  | {
      readonly type: 'checked'
      readonly language: string
      readonly errors: readonly NewErrors[]
      /** Changed files of the language that were not looked at, for there were too many. */
      readonly leftOutCount: number
    }
  /** Nothing is known, and why. */
  | { readonly type: 'not-checked'; readonly language: string; readonly reason: string }
  /** Nothing is known, which was said before. */
  | { readonly type: 'passed-over'; readonly language: string }

/** A language server, for people. */
export interface SeenServer {
  readonly language: string
  /** The file that is run. */
  readonly program: string
  readonly state: 'starting' | 'ready' | 'late' | 'passed-over'
  /** Why it is passed over; null where it is not. */
  readonly reason: string | null
}
