import type { Clock, EntryStore, Records, SnapshotStore } from '@holdfast/conversation'
import type { Engine, LiveBus, Memories } from '@holdfast/engine'
import type { ModelsAnswer } from '@holdfast/protocol'
import type { BindDeps } from './door/bind-route.ts'
import type { LineLimits } from './live/outlet.ts'
import type { Attachments } from './parts/attachments.ts'
import type { Desks } from './parts/desks.ts'
import type { Diagnostics } from './parts/diagnostics.ts'
import type { ErasedIn } from './parts/erasures.ts'
import type { OpenMedia } from './parts/open-media.ts'
import type { UserCommands } from './parts/user-commands.ts'
import { bindAttachments } from './routes/attachment-routes.ts'
import { bindCanvas } from './routes/canvas-routes.ts'
import { bindCommands } from './routes/command-routes.ts'
import { bindContext } from './routes/context-routes.ts'
import { bindWholeConversations } from './routes/conversation-routes.ts'
import { bindExports } from './routes/export-routes.ts'
import { bindFiles } from './routes/file-routes.ts'
import { bindHealth } from './routes/health-routes.ts'
import { bindImports, type ImportRoutesDeps } from './routes/import-routes.ts'
import { bindConversationList } from './routes/list-routes.ts'
import { bindLog } from './routes/log-routes.ts'
import { bindMemories } from './routes/memory-routes.ts'
import { bindPermissionRules } from './routes/permission-rule-routes.ts'
import { bindRecords } from './routes/record-routes.ts'
import { bindWaiting } from './routes/waiting-routes.ts'

/** What the routes need. */
export interface ApiDeps extends BindDeps, Pick<ImportRoutesDeps, 'imports' | 'checkAccepting'> {
  readonly engine: Engine
  readonly bus: LiveBus
  readonly store: Pick<
    EntryStore,
    | 'read'
    | 'readText'
    | 'readDrafts'
    | 'readListing'
    | 'listConversations'
    | 'readUsage'
    | 'search'
    | 'putBlob'
    | 'readBlob'
    | 'collectBlobs'
    | 'storedBytes'
    | 'readableEntries'
  > &
    SnapshotStore
  readonly records: Records
  readonly memories: Memories
  readonly attachments: Attachments
  readonly desks: Desks
  readonly clock: Clock
  readonly version: string
  /** The providers and models as they are now. */
  readonly models: () => ModelsAnswer
  readonly commands: UserCommands
  readonly openMedia: OpenMedia | null
  readonly limits: LineLimits
  readonly isReady: () => boolean
  readonly log: Diagnostics
  /** Has something forgotten with every conversation that is deleted, and every erasure in one. [LOG9] */
  readonly whenErased: (forget: (erased: ErasedIn) => Promise<void>) => void
}

/** Serves every route of the table. */
export function bindApi(deps: ApiDeps): void {
  bindHealth(deps)
  bindConversationList(deps)
  bindCommands(deps)
  bindWaiting(deps)
  bindWholeConversations(deps)
  bindRecords(deps)
  bindPermissionRules(deps)
  bindMemories(deps)
  bindAttachments(deps)
  bindContext(deps)
  bindCanvas(deps)
  bindFiles(deps)
  bindImports(deps)
  bindExports(deps)
  bindLog(deps)
}
