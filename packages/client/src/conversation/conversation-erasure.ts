import { type BodyOf, ownRoutes } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** What an erasure reaches: entries by their kinds, files, and what it does not reach. */
export type ErasureAnswer = BodyOf<typeof ownRoutes.eraseEntries, 200>

/** Words of a conversation, by the entries that hold them. */
export interface WordsToErase {
  readonly seqs: readonly number[]
  /** Whether what the calls of these answers returned and asked goes with them. */
  readonly results: boolean
}

/** Erases words of one conversation for good. [LOG9] */
export interface ConversationErasure {
  /** What would be erased; nothing is. @throws {RequestFailedError} */
  preview(words: WordsToErase): Promise<ErasureAnswer>
  /** Erases it. The reason stays readable. @throws {RequestFailedError} */
  erase(words: WordsToErase & { readonly reason: string }): Promise<ErasureAnswer>
}

/** What a person did not give a reason for is erased for this one. */
export const NO_REASON = 'asked for'

/** Makes the erasure of one conversation. */
export function createConversationErasure(ask: HttpApi, conversationId: string): ConversationErasure {
  const { eraseEntries: route } = ownRoutes
  const params = { id: conversationId }
  return {
    preview: ({ seqs, results }) =>
      ask(route, route.answers[200], {
        params,
        body: { seqs: [...seqs], results, reason: NO_REASON, dryRun: true },
      }),
    erase: ({ seqs, results, reason }) =>
      ask(route, route.answers[200], {
        params,
        body: { seqs: [...seqs], results, reason: reason.trim() === '' ? NO_REASON : reason.trim() },
      }),
  }
}
