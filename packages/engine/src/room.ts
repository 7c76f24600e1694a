import type { Ending } from './ending.ts'

/** What is to be done about the size of the next request. */
export type Room =
  | { readonly type: 'fits' }
  /** The log has changed: the request is composed again. */
  | { readonly type: 'made' }
  | { readonly type: 'end'; readonly ending: Ending }
  /** A stop came; the run's loop ends it. */
  | { readonly type: 'stopped' }
