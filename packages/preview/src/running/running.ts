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
