import type { Workspace } from '@holdfast/toolbox'
import type { GivenDocuments } from '../documents/given-documents.ts'
import type { Site } from '../proxy/site.ts'
import { type DevServerState, STOPPED } from '../servers/dev-server-state.ts'
import type { StoredPreview } from '../stored-previews.ts'

/** A preview that is kept. */
export interface KeptPreview {
  readonly id: string
  readonly value: StoredPreview
  readonly documents: GivenDocuments
  /** Known where it was just made. */
  readonly workspace: Workspace | null
  readonly origin: () => string
}

/** What stands at the origin of a preview, and what makes that come and go. */
export interface SiteAndRunning {
  readonly site: Site
  readonly running: Running
}

/** What can be started and stopped. */
export interface Running {
  now(): DevServerState
  log(): string
  start(): Promise<void>
  stop(): Promise<void>
  /** The folder that addresses of its pages mean, from the place. */
  folder(): string
  /** Reads the text of a path as its pages get it, null where there is none; null itself where that is the file as it is. */
  readonly read: ((path: string, signal: AbortSignal) => Promise<string | null>) | null
}

/** A state that is set, where nothing has to be watched. */
export function simpleState(): { now(): DevServerState; set(changes: Partial<DevServerState>): void } {
  let state: DevServerState = STOPPED
  return {
    now: () => state,
    set(changes) {
      state = { ...state, ...changes }
    },
  }
}
