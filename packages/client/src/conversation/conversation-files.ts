import type { ChangeTarget } from '@holdfast/conversation'
import { type BodyOf, ownRoutes } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'

/** Changes of files, as a person reviews them. */
export type ChangesAnswer = BodyOf<typeof ownRoutes.readChanges, 200>

/** What became of decisions about them. */
export type ChangesDecidedAnswer = BodyOf<typeof ownRoutes.decideChanges, 200>

/** What a person decides about a file, a hunk or lines of it. */
export type SentDecision = z.input<typeof ownRoutes.decideChanges.body>['decisions'][number]

/** What a call that waits for permission would find. */
export type CallPreview = BodyOf<typeof ownRoutes.previewCall, 200>

/** Which changes are looked at: those of the last turn, of the conversation, since the base of its branch, or as a log names them. */
export type ChangesOf = 'turn' | 'conversation' | 'base' | ChangeTarget

/** The files that one conversation changed, and would change. */
export interface ConversationFiles {
  /** The folder and the file of a call that waits for permission, as they are now. @throws {RequestFailedError} */
  previewCall(requestId: string): Promise<CallPreview>
  /** What changes did and what became of them; it does nothing. [WS9] @throws {RequestFailedError} */
  readChanges(of: ChangesOf): Promise<ChangesAnswer>
  /**
   * Keeps and rejects, once; with `meanwhile` also what changed while a call ran and no tool told. [WS9, TOOL15]
   *
   * @throws {RequestFailedError}
   */
  decide(
    target: ChangeTarget,
    wish: { readonly decisions: readonly SentDecision[]; readonly meanwhile: boolean },
  ): Promise<ChangesDecidedAnswer>
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
      const { previewCall: route } = ownRoutes
      return ask(route, route.answers[200], { params: { id, requestId } })
    },
    readChanges(of) {
      const { readChanges: route } = ownRoutes
      return ask(route, route.answers[200], { params: { id }, query: queryOf(of) })
    },
    decide(target, { decisions, meanwhile }) {
      const { decideChanges: route } = ownRoutes
      const also = meanwhile ? ({ meanwhile } as const) : {}
      const body = { commandId: newId(), target, decisions: decisions.slice(), ...also }
      return ask(route, route.answers[200], { params: { id }, body })
    },
  }
}

function queryOf(of: ChangesOf): Readonly<Record<string, string>> {
  if (typeof of === 'string') return { since: of }
  switch (of.type) {
    case 'run':
      return { run: of.runId }
    case 'set':
    case 'since':
      return { [of.type]: String(of.seq) }
    case 'base':
      return { since: 'base' }
  }
}
