import type { ChangeTarget } from '@holdfast/conversation'
import { type BodyOf, type FileToRestoreRow, routes } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** What a restoration did. */
export type FilesRestoredAnswer = BodyOf<typeof routes.restoreFiles, 200>

/** What a call that waits for permission would find. */
export type CallPreview = BodyOf<typeof routes.previewCall, 200>

/** The files that one conversation changed, and would change. */
export interface ConversationFiles {
  /** The folder and the file of a call that waits for permission, as they are now. @throws {RequestFailedError} */
  previewCall(requestId: string): Promise<CallPreview>
  /** What bringing files back would do; it does nothing. @throws {RequestFailedError} */
  planRestore(target: ChangeTarget): Promise<readonly FileToRestoreRow[]>
  /** Brings files back, once; with `meanwhile` also what changed while a call ran and no tool told. [WS1, TOOL15] @throws {RequestFailedError} */
  restore(target: ChangeTarget, wish: { readonly meanwhile: boolean }): Promise<FilesRestoredAnswer>
}

/** What it needs. */
export interface ConversationFilesDeps {
  readonly conversationId: string
  readonly ask: HttpApi
  readonly newId: () => string
}

/** Makes the files of one conversation. */
export function createConversationFiles({ conversationId: id, ask, newId }: ConversationFilesDeps): ConversationFiles {
  return {
    previewCall(requestId) {
      const { previewCall: route } = routes
      return ask(route, route.answers[200], { params: { id, requestId } })
    },
    async planRestore(target) {
      const { planRestore: route } = routes
      return (await ask(route, route.answers[200], { params: { id }, query: queryOf(target) })).files
    },
    restore(target, { meanwhile }) {
      const { restoreFiles: route } = routes
      const body = { commandId: newId(), target, ...(meanwhile ? { meanwhile } : {}) }
      return ask(route, route.answers[200], { params: { id }, body })
    },
  }
}

function queryOf(target: ChangeTarget): Readonly<Record<string, string>> {
  switch (target.type) {
    case 'run':
      return { run: target.runId }
    case 'set':
      return { set: String(target.seq) }
    case 'since':
      return { since: String(target.seq) }
  }
}
