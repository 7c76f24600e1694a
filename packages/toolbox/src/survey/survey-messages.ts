import type { Holding } from '../workspace/held-folder.ts'
import type { SeenChange } from './survey.ts'
import type { SurveyLimits } from './survey-folder.ts'

/** What the thread of surveys is started with. */
export interface SurveyThreadOptions {
  /** Where contents are kept, and surveys for the case that the process is killed. */
  readonly folder: string
  /** The beginning of a path in it that nobody else uses. */
  readonly packPath: string
  readonly nowMs: number
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
  /** Keeps what a tool put somewhere: what changes it next has that as what stood there. */
  | { readonly type: 'keep-content'; readonly bytes: Uint8Array }
  | { readonly type: 'release'; readonly surveyId: number }
  /** Puts a survey on the disk under a name. */
  | { readonly type: 'keep'; readonly surveyId: number; readonly rootPath: string; readonly kept: KeptName }
  | { readonly type: 'forget'; readonly name: string }
  /** Takes up what an earlier process has kept of a folder for one of these calls. */
  | { readonly type: 'resume'; readonly rootPath: string; readonly kept: KeptName }
  /** Ends the pack, and removes it. */
  | { readonly type: 'end' }
)

/** Under which name a survey lies on the disk, and for which calls. */
export interface KeptName {
  readonly name: string
  readonly callIds: readonly string[]
}

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
  /** Nothing was kept. */
  | { readonly type: 'nothing' }
  | { readonly type: 'compared'; readonly changes: readonly SeenChange[]; readonly unlistedCount: number }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string }
)
