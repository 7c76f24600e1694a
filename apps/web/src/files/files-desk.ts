import {
  type Client,
  type ConversationStore,
  createSource,
  type Observable,
  type PlaceFiles,
  tellAtOnce,
} from '@holdfast/client'
import { type ChangedFileAt, changedHere } from './changed-here.ts'
import { createFileStore, type FileStore } from './file-store.ts'
import { createKeptEdits } from './kept-edits.ts'
import { createTreeStore, type TreeStore } from './tree-store.ts'

/** What a person has open of the files of one conversation's place; it outlives the tab. */
export interface FilesDesk {
  readonly files: PlaceFiles
  readonly tree: TreeStore
  readonly opened: Observable<FileStore | null>
  /** Paths of files with words that are not saved. */
  readonly unsaved: Observable<ReadonlySet<string>>
  open(path: string): void
  close(): void
  /** Whether an agent changed a file that it had not when this was asked last, and nothing that is being written is in the way. */
  isNews(newest: ChangedFileAt | null): newest is ChangedFileAt
  follow(signal: AbortSignal): Promise<void>
}

interface PlaceOf {
  readonly workspaceId: string
  /** Workspace, worktree and folder. */
  readonly placeId: string
}

const desks = new WeakMap<ConversationStore, Map<string, FilesDesk>>()

/** The one of a conversation in a place. */
export function filesDeskOf(client: Client, store: ConversationStore, { workspaceId, placeId }: PlaceOf): FilesDesk {
  const own = desks.get(store) ?? new Map<string, FilesDesk>()
  desks.set(store, own)
  const known = own.get(placeId)
  if (known) return known
  const { conversationId, window } = store.getSnapshot()
  const files = client.placeFiles({ workspaceId, conversationId })
  const desk = createDesk(files, { placeId, newest: changedHere(window.items).newest })
  own.set(placeId, desk)
  return desk
}

function createDesk(
  files: PlaceFiles,
  { placeId, newest }: { readonly placeId: string; readonly newest: ChangedFileAt | null },
): FilesDesk {
  const kept = createKeptEdits(placeId)
  const tree = createTreeStore(files)
  const opened = createSource<FileStore | null>(null, tellAtOnce)
  const unsaved = createSource<ReadonlySet<string>>(new Set(kept.paths()), tellAtOnce)
  const stores = new Map<string, FileStore>()
  let told = newest

  function storeOf(path: string): FileStore {
    const known = stores.get(path)
    if (known) return known
    const store = createFileStore(files, { path, kept })
    store.subscribe(() => {
      const isUnsaved = store.getSnapshot().written !== null
      if (unsaved.getSnapshot().has(path) === isUnsaved) return
      const others = [...unsaved.getSnapshot()].filter((other) => other !== path)
      unsaved.set(new Set(isUnsaved ? [...others, path] : others))
    })
    stores.set(path, store)
    return store
  }

  return {
    files,
    tree,
    opened: { getSnapshot: opened.getSnapshot, subscribe: opened.subscribe },
    unsaved: { getSnapshot: unsaved.getSnapshot, subscribe: unsaved.subscribe },
    open(path) {
      const store = storeOf(path)
      opened.set(store)
      void store.read()
      tree.watchAnew()
    },
    close() {
      opened.set(null)
      tree.watchAnew()
    },
    isNews(now): now is ChangedFileAt {
      if (now === null || (now.callId === told?.callId && now.path === told.path)) return false
      told = now
      const open = opened.getSnapshot()?.getSnapshot() ?? null
      return open === null || open.written === null
    },
    follow(signal) {
      void tree.readMarks()
      const path = (): string | null => opened.getSnapshot()?.getSnapshot().path ?? null
      return tree.follow(signal, { path, onFile: () => void opened.getSnapshot()?.read() })
    },
  }
}
