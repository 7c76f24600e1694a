import type { RankedMap } from '../text/ranked-map.ts'

/** What the thread is started with. */
export interface MapThreadOptions {
  readonly cacheFolder: string
  readonly cacheBytes: number
}

/** What the thread is asked. */
export type MapRequest =
  | {
      readonly requestId: number
      readonly type: 'rank'
      readonly rootPath: string
      readonly git: string | null
      readonly closedPaths: readonly string[]
      readonly hardLinks: 'refuse' | 'use'
      readonly limitMs: number
      readonly focus: string
      /** UTF-16 code units of lines that are wanted, from what matters most. */
      readonly wantedChars: number
    }
  | { readonly requestId: number; readonly type: 'end' }

/** What it answers. */
export type MapAnswer =
  | ({ readonly requestId: number; readonly type: 'ranked' } & RankedMap)
  | { readonly requestId: number; readonly type: 'ended' }
  | { readonly requestId: number; readonly type: 'failed'; readonly message: string }
