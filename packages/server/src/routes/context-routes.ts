import type { ContextReport, Engine } from '@holdfast/engine'
import { LedgerRecord, routes } from '@holdfast/protocol'
import * as z from 'zod'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Attachments } from '../parts/attachments.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about the context need. */
export interface ContextRoutesDeps extends BindDeps {
  readonly engine: Engine
  readonly attachments: Pick<Attachments, 'resolve'>
}

const NOTHING_USED = {
  modelId: null,
  heldBy: 'conversation' as const,
  usedTokens: 0,
  reservedTokens: 0,
  windowTokens: null,
  percent: null,
  measured: false,
  breakdown: { system: 0, tools: {}, categories: {} },
  thinkingLeftOutSeqs: [],
}

/** Serves what the model is sent, and the summaries that stand for the rest. */
export function bindContext({ engine, attachments, ...deps }: ContextRoutesDeps): void {
  bindRoute(deps, routes.readContext, async ({ params: { id }, answer }) => {
    const report = await engine.contextOf(id)
    if (report === null) return answer(200, { ...NOTHING_USED, level: 'unknown' })
    const { isOver: _, ...shown } = report
    const { tools, categories, system } = report.breakdown
    const breakdown = { system, tools: { ...tools }, categories: { ...categories } }
    const thinkingLeftOutSeqs = [...report.thinkingLeftOutSeqs]
    return answer(200, { ...shown, breakdown, thinkingLeftOutSeqs, level: levelOf(report) })
  })

  bindRoute(deps, routes.readNextRequest, async ({ params: { id }, body, userId, answer }) => {
    const content = await attachments.resolve({ userId, conversationId: id }, body.content)
    const next = await engine.nextRequest({ conversationId: id, content })
    if (next === null) return answer(200, null)
    const { request, wireBody, anchors, windowStartSeq, estimatedInputTokens, items, leftOut, cache } = next
    return answer(200, {
      request: asJson(request),
      wireBody,
      anchors: [...anchors],
      windowStartSeq,
      estimatedInputTokens,
      items: items.map(({ seqs, tokens, reasons }) => ({ seqs: [...seqs], tokens, reasons: [...reasons] })),
      leftOut: leftOut.map((one) => ('seqs' in one ? { ...one, seqs: [...one.seqs] } : one)),
      cache,
    })
  })

  bindRoute(deps, routes.priceNext, async ({ params: { id }, body, userId, answer }) => {
    const { content, settings, toSeq, exclusion, checkpoint } = body
    const price = await engine.priceOf({
      conversationId: id,
      content: await attachments.resolve({ userId, conversationId: id }, content),
      ...(settings === undefined ? {} : { changes: settings }),
      ...(toSeq === undefined ? {} : { toSeq }),
      ...(exclusion === undefined ? {} : { exclusion }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
    })
    if (price === null) return answer(200, null)
    const { change } = price
    return answer(200, { ...price, change: change && { ...change, breaks: [...change.breaks] } })
  })

  bindRoute(deps, routes.priceNew, async ({ body: { content, modelId, agentId }, userId, answer }) => {
    const price = await engine.priceOfNew({
      ownerId: userId,
      modelId: modelId ?? null,
      agentId: agentId ?? null,
      content: await attachments.resolve({ userId, conversationId: null }, content),
    })
    return answer(200, price === null ? null : { ...price, change: null })
  })

  bindRoute(deps, routes.readReceipt, async ({ params: { id, stepId }, answer }) => {
    const receipt = await engine.receiptOf({ conversationId: id, stepId })
    if (receipt === null) throw new RefusedError(404, 'unknown-step', `Conversation ${id} made no request ${stepId}`)
    const { request, anchors, erasedSeqs, usage } = receipt
    return answer(200, {
      ...receipt,
      request: request && asJson(request),
      anchors: [...anchors],
      erasedSeqs: [...erasedSeqs],
      usage: usage && LedgerRecord.parse(usage),
    })
  })
}

const JsonRecord = z.record(z.string(), z.json())

function asJson(request: object): z.infer<typeof JsonRecord> {
  return JsonRecord.parse(request)
}

function levelOf({ percent, isOver }: ContextReport): 'calm' | 'filling' | 'near' | 'over' | 'unknown' {
  if (percent === null) return 'unknown'
  if (isOver) return 'over'
  if (percent >= 75) return 'near'
  return percent >= 50 ? 'filling' : 'calm'
}
