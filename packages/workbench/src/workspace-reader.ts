import type { PlaceQuery } from '@holdfast/engine'
import type { RepositoryMap } from '@holdfast/repository-map'
import { findPaths, readWorkspaceText } from '@holdfast/toolbox'
import type { FolderMaps, FolderMapWish } from './folder-maps.ts'
import type { Places } from './places.ts'

/** A look into the folder that a conversation may use, for the person and not for the model. */
export interface WorkspaceReader {
  folderOf(query: PlaceQuery): string | null
  find(query: PlaceQuery & { readonly words: string }): Promise<readonly string[]>
  textOf(query: PlaceQuery & { readonly path: string }): Promise<string | null>
  /** Null where there is no folder, or it could not be drawn. */
  mapOf(wish: FolderMapWish, signal: AbortSignal): Promise<RepositoryMap | null>
}

/** So long a person waits for names, in milliseconds; what was found by then is shown. */
const LONGEST_MS = 2_000

/** Looks into the folders that conversations may use. [WS1] */
export function createWorkspaceReader(
  { folderOf, workspaceAt }: Places,
  maps: Pick<FolderMaps, 'draw'>,
): WorkspaceReader {
  return {
    folderOf,
    async find({ words, ...query }) {
      const folder = folderOf(query)
      return folder === null ? [] : findPaths(workspaceAt(folder), { words, limitMs: LONGEST_MS })
    },
    async textOf({ path, ...query }) {
      const folder = folderOf(query)
      return folder === null ? null : readWorkspaceText(workspaceAt(folder), path)
    },
    mapOf: maps.draw,
  }
}
