import type { Holding } from '../workspace/held-folder.ts'
import type { SeenChange } from './survey.ts'
import type { SurveyLimits } from './survey-folder.ts'

/** What the thread of surveys is started with. */
export interface SurveyThreadOptions {
  /** Where contents are kept: the beginning of a path that nobody else uses. */
  readonly packPath: string
  readonly packBytes: number
  readonly limits: SurveyLimits
}

/** What the thread is asked. Surveys stay there and are named by numbers. */
export type SurveyRequest = { readonly requestId: number } & (
  | {
      readonly type: 'look'
      readonly rootPath: string
      readonly holding: Holding
      readonly hardLinks: 'refuse' | 'use'
      readonly closedPaths: readonly string[]
      readonly nowMs: number
      /** The survey that this one will be compared with. */
      readonly since: number | null
    }
  | { readonly type: 'compare'; readonly before: number; readonly after: number; readonly limitCount: number }
  | { readonly type: 'read'; readonly hash: string }
  | { readonly type: 'amend'; readonly surveyId: number; readonly changes: readonly ToldChange[] }
  | { readonly type: 'release'; readonly surveyId: number }
)

/** What a tool itself says that it did: a survey that is still compared with takes it for what stood there. */
export interface ToldChange {
  readonly path: string
  readonly entity: 'file' | 'link' | 'folder'
  /** Null for nothing. */
  readonly now: { readonly hash: string; readonly sizeBytes: number; readonly mode: number } | null
  readonly target: string | null
}

/** What it answers. */
export type SurveyAnswer = { readonly requestId: number } & (
  | { readonly type: 'looked'; readonly surveyId: number }
  | { readonly type: 'compared'; readonly changes: readonly SeenChange[]; readonly unlistedCount: number }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string }
)
