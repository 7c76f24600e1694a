import type { ConversationSettings } from '@holdfast/conversation'
import { findPaths, readWorkspaceText } from '@holdfast/toolbox'
import type { AllowedWorkspace } from './allowed-workspace.ts'

/** A look into the folder that a conversation may use, for the person and not for the model. */
export interface WorkspaceReader {
  folderOf(settings: ConversationSettings): string | null
  find(query: { readonly settings: ConversationSettings; readonly words: string }): Promise<readonly string[]>
  textOf(query: { readonly settings: ConversationSettings; readonly path: string }): Promise<string | null>
}

/** So long a person waits for names, in milliseconds; what was found by then is shown. */
const LONGEST_MS = 2_000

/** Looks into the folders that conversations may use. [WS1] */
export function createWorkspaceReader({ folderOf, workspaceAt }: AllowedWorkspace): WorkspaceReader {
  return {
    folderOf,
    async find({ settings, words }) {
      const folder = folderOf(settings)
      return folder === null ? [] : findPaths(workspaceAt(folder), { words, limitMs: LONGEST_MS })
    },
    async textOf({ settings, path }) {
      const folder = folderOf(settings)
      return folder === null ? null : readWorkspaceText(workspaceAt(folder), path)
    },
  }
}
