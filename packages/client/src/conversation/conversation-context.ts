import { type BodyOf, type LedgerAnswer, ownRoutes, type PriceAnswer, type SentPart } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { createRemoteValue, type RemoteValue } from '../values/remote-value.ts'

/** How full the model's window is, and of what. */
export type ContextAnswer = BodyOf<typeof ownRoutes.readContext, 200>

/** The request that would be sent now; null where there is no model, or while calls are open. */
export type NextRequestAnswer = BodyOf<typeof ownRoutes.readNextRequest, 200>

/** What the price is asked for; what is absent stays as it is. */
export type PriceQuery = z.input<typeof ownRoutes.priceNext.body>

/** The request of a past step, built again. */
export type ReceiptAnswer = BodyOf<typeof ownRoutes.readReceipt, 200>

/** What the model is sent of one conversation, and what a person does about it. */
export interface ConversationContext {
  readonly use: RemoteValue<ContextAnswer>
  /** The request that would be sent with these words; null where it cannot be told now. @throws {RequestFailedError} */
  readNextRequest(content: readonly SentPart[]): Promise<NextRequestAnswer>
  /** What it and its sub-agents have cost, with its newest requests. */
  readonly ledger: RemoteValue<LedgerAnswer>
  /** Prices the next message before it is sent; null where it cannot be told now. Nothing is written. @throws {RequestFailedError} */
  readPrice(question: PriceQuery): Promise<PriceAnswer | null>
  /** @throws {RequestFailedError} */
  readReceipt(stepId: string): Promise<ReceiptAnswer>
  /** Asks for a summary of all but the newest part. @returns the id of its run. @throws {RequestFailedError} */
  makeCheckpoint(focus: string | null): Promise<string>
  /** Gives a checkpoint other words. @throws {RequestFailedError} */
  editCheckpoint(seq: number, summary: string): Promise<void>
  /** Requests hold again what it stood for. @throws {RequestFailedError} */
  undoCheckpoint(seq: number): Promise<void>
  /** Asks the model for a title. @throws {RequestFailedError} */
  makeTitle(): Promise<void>
}

/** What it needs. */
export interface ConversationContextDeps {
  readonly conversationId: string
  readonly ask: HttpApi
  readonly newId: () => string
  readonly tellLater: (tell: () => void) => void
}

/** So many of the newest requests come with the ledger. */
const NEWEST_RECORDS = '12'

/** Makes the context of one conversation. */
export function createConversationContext(deps: ConversationContextDeps): ConversationContext {
  const { conversationId: id, ask, newId, tellLater } = deps
  const { readContext, readNextRequest, readReceipt, readLedger } = ownRoutes
  const params = { id }
  const at = (seq: number) => ({ id, seq: String(seq) })
  return {
    use: createRemoteValue(() => ask(readContext, readContext.answers[200], { params }), tellLater),
    readNextRequest: (content) =>
      ask(readNextRequest, readNextRequest.answers[200], { params, body: { content: [...content] } }),
    ledger: createRemoteValue(
      () => ask(readLedger, readLedger.answers[200], { params, query: { limit: NEWEST_RECORDS } }),
      tellLater,
    ),
    readPrice: (body) => ask(ownRoutes.priceNext, ownRoutes.priceNext.answers[200], { params, body }),
    readReceipt: (stepId) => ask(readReceipt, readReceipt.answers[200], { params: { id, stepId } }),
    async makeCheckpoint(focus) {
      const { makeCheckpoint: route } = ownRoutes
      const body = { commandId: newId(), ...(focus === null ? {} : { focus }) }
      return (await ask(route, route.answers[202], { params, body })).runId
    },
    async editCheckpoint(seq, summary) {
      const { editCheckpoint: route } = ownRoutes
      await ask(route, route.answers[200], { params: at(seq), body: { commandId: newId(), summary } })
    },
    async undoCheckpoint(seq) {
      const { undoCheckpoint: route } = ownRoutes
      await ask(route, route.answers[200], { params: at(seq), body: { commandId: newId() } })
    },
    async makeTitle() {
      const { makeTitle: route } = ownRoutes
      await ask(route, route.answers[202], { params, body: { commandId: newId() } })
    },
  }
}
