import { join } from 'node:path'
import type { Clock, ConversationSettings } from '@holdfast/conversation'
import { createRepositoryMaps, type RepositoryMap } from '@holdfast/repository-map'
import type { FileReader, KnownFiles } from './known-files.ts'
import type { Places } from './places.ts'

/** Maps of the folders that conversations may use, as one conversation may see them. */
export interface FolderMaps {
  /** @returns null where there is no folder, the thread was lost, or the signal came first. */
  draw(wish: FolderMapWish, signal: AbortSignal): Promise<RepositoryMap | null>
  /** Keeps what was parsed, and ends the thread. */
  close(): Promise<void>
}

/** A map that a conversation wants. */
export interface FolderMapWish {
  /** What strangers brought, as this one sees it, is left out. [PERM7] */
  readonly reader: FileReader
  readonly settings: ConversationSettings
  /** What it is to be about; may be empty. */
  readonly focus: string
  readonly budgetTokens: number
  readonly tokensOf: (text: string) => number
  /** From 1. */
  readonly page: number
}

/** What they are drawn with. */
export interface FolderMapsDeps {
  readonly places: Places
  readonly knownFiles: Pick<KnownFiles, 'seenBy'>
  /** What was parsed lies in a folder of it. */
  readonly dataDir: string
  readonly clock: Clock
}

/** Draws maps of the folders that conversations may use. What is closed to tools is closed to them. [SEC14, MAP2] */
export function createFolderMaps({ places, knownFiles, dataDir, clock }: FolderMapsDeps): FolderMaps {
  const maps = createRepositoryMaps({ cacheFolder: join(dataDir, 'maps'), git: 'git', clock })
  return {
    async draw({ reader, settings, ...wish }, signal) {
      const folder = places.folderOf({ ownerId: reader.ownerId, settings })
      if (folder === null) return null
      const { rootPath, closed, hardLinks } = places.workspaceAt(folder)
      const origins = knownFiles.seenBy(reader)
      const mayShow = async (path: string) =>
        (await origins.strangerAt({ absolutePath: `${rootPath}/${path}`, hash: null })) === null
      return maps.draw({ ...wish, rootPath, closedPaths: closed.paths, hardLinks, mayShow }, signal)
    },
    close: maps.close,
  }
}
