import type { Clock } from '@holdfast/conversation'
import type { Machine, Workspace } from '@holdfast/toolbox'
import type { StoredPreview, StoredPreviews } from './stored-previews.ts'

/** Where a preview's files are. */
export interface PreviewPlace {
  readonly workspace: Workspace
  readonly workspaceId: string | null
  /** Of a worktree; null for a place that others may use too. */
  readonly conversationId: string | null
}

/** Which place is meant. Without both it is the workspace of the start. */
export interface PlaceWish {
  readonly userId: string
  readonly workspaceId: string | undefined
  readonly conversationId: string | undefined
}

/** What previews are made of. */
export interface PreviewsDeps {
  readonly stored: StoredPreviews
  readonly clock: Clock
  /** Null while there is no workspace. */
  readonly machine: () => Machine | null
  /** Null for a place that is not there, or not theirs. */
  readonly placeOf: (wish: PlaceWish) => Promise<PreviewPlace | null>
  /** Whether somebody may use a place as it stands now. */
  readonly mayUse: (preview: StoredPreview, userId: string) => boolean
  /** Who a visitor is; null for one who may not be here any more. */
  readonly visitorOf: (visitor: string) => string | null
  /** Ports of this machine that nobody may name: the server's own. */
  readonly ownPorts: () => readonly number[]
  readonly parentOrigins: () => readonly string[]
  readonly isCredential: (authorization: string) => boolean
  readonly script: () => Promise<string>
  /** Seals cookies; of this installation. */
  readonly secret: Uint8Array
  /** An origin with a star, such as `https://*.preview.example.org`; null for the names of this machine. */
  readonly pattern: string | null
  /** Path of a Chromium that takes pictures; null where there is none. */
  readonly chromium: string | null
  readonly onFault: (error: unknown) => void
}
