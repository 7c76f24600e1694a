import {
  type Boundary,
  boundariesBetween,
  boundariesOf,
  canonicalText,
  composeRequest,
  contextTokens,
  ratioOf,
  type TokenRatios,
  tokenRatios,
  validateRequest,
} from '@holdfast/context'
import type { Entry, EntryOf } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import { compareGrowths, type Growths, type MeasuredRequest } from './growths.ts'
import { sourceOf, toolsOf } from './request-of.ts'
import type { WireChecks } from './wire-checks.ts'

/** What was found in the requests of one conversation. */
export interface RequestFindings {
  /** Requests that were built and looked at. */
  readonly requests: number
  /** Bodies that were checked by a vendor's rules. */
  readonly bodies: number
  /** Pairs of requests of which the second had to begin with the first. */
  readonly prefixes: number
  readonly invalid: readonly string[]
  /** By how much the estimate was off, as a share of what was measured. */
  readonly estimateErrors: readonly number[]
  /** The same of what came between requests, by the ratio of the family alone: as before anything is measured. */
  readonly unlearnt: Growths
}

/**
 * Builds the request of every step as it would have gone out, from what stood in the log before it, and checks it:
 * by the validator and the prefix rule at every step, by every wire format where a turn begins and where the log ends.
 * [REQ1, REQ2, REQ5, COST5]
 */
export async function checkRequests(log: readonly Entry[], wires: WireChecks): Promise<RequestFindings> {
  const tools = toolsOf(log)
  const boundaries = boundariesOf(log)
  const usages = new Map(
    log.flatMap((entry) => (entry.type === 'usage-recorded' && entry.stepId ? [[entry.stepId, entry] as const] : [])),
  )
  const invalid: string[] = []
  const estimateErrors: number[] = []
  const measuredRequests: MeasuredRequest[] = []
  let [requests, bodies, prefixes] = [0, 0, 0]
  let before: { readonly seq: number; readonly text: string } | null = null
  let ratios: TokenRatios = tokenRatios.initial
  let folded = 0
  let turn = ''
  const checkWires = async (request: ModelRequest, where: string): Promise<void> => {
    bodies += wires.formatCount
    for (const refused of await wires.check(request)) invalid.push(`${where}: ${refused}`)
  }
  for (const step of log) {
    if (step.type !== 'step-started' || step.purpose !== 'turn') continue
    const prefix = log.slice(0, step.seq - 1).map(withTrustedPrompt)
    ratios = tokenRatios.reduce(ratios, prefix.slice(folded))
    folded = prefix.length
    const source = sourceOf(prefix, { model: step, tools })
    const composed = composeRequest(source)
    const { request } = composed
    const where = `entry ${step.seq}`
    requests++
    for (const violation of validateRequest(request)) invalid.push(`${where}: ${violation.code} ${violation.text}`)
    const text = canonicalText(request)
    if (before && isUnbroken(boundaries, before.seq, step.seq)) {
      prefixes++
      if (!text.startsWith(before.text))
        invalid.push(`${where}: does not begin with the request of entry ${before.seq}`)
    }
    before = { seq: step.seq, text }
    if (step.runId !== turn) await checkWires(request, where)
    turn = step.runId
    const usage = usages.get(step.stepId)
    if (usage && !isOfOtherPrompt(usage)) {
      const ratio = ratioOf(ratios, step)
      const tokens = contextTokens({ composed, entries: source.entries, model: step, ratio, erasedAt: 0 })
      const isAnchored = tokens.decisionTokens === tokens.usedTokens
      const measured = promptTokens(usage)
      if (isAnchored && measured > 0) estimateErrors.push(Math.abs(tokens.usedTokens - measured) / measured)
      if (measured > 0) measuredRequests.push({ step, request, measured, usage })
    }
  }
  const last = nextRequest(log)
  if (last) {
    requests++
    for (const violation of validateRequest(last)) invalid.push(`at the end: ${violation.code} ${violation.text}`)
    await checkWires(last, 'at the end')
  }
  return { requests, bodies, prefixes, invalid, estimateErrors, unlearnt: compareGrowths(log, measuredRequests) }
}

/** The request that a person's next words would make. */
export function nextRequest(log: readonly Entry[]): ModelRequest | null {
  const head = log.at(-1)
  const model = log.findLast((entry): entry is EntryOf<'step-started'> => entry.type === 'step-started')
  if (!head || !model) return null
  const asked: Entry = {
    conversationId: head.conversationId,
    seq: head.seq + 1,
    at: head.at,
    v: 1,
    actor: { type: 'engine' },
    type: 'user-message-sent',
    runId: 'run_next',
    inputId: 'input_next',
    content: [{ type: 'text', text: 'Go on.' }],
  }
  return composeRequest(sourceOf([...log, asked], { model, tools: toolsOf(log) })).request
}

/**
 * What a request read is the provider's own figure in every record of the corpus, also where the output is an estimate
 * of the importer's: only the prompt is compared here.
 */
function withTrustedPrompt(entry: Entry): Entry {
  return entry.type === 'usage-recorded' && !isOfOtherPrompt(entry) ? { ...entry, measured: true } : entry
}

/** aider counts the files and the map of the folder that it sends; its history holds neither. */
function isOfOtherPrompt({ priceReference }: EntryOf<'usage-recorded'>): boolean {
  return priceReference === 'imported from aider'
}

function isUnbroken(boundaries: readonly Boundary[], afterSeq: number, toSeq: number): boolean {
  return boundariesBetween(boundaries, { afterSeq, toSeq }).length === 0
}

function promptTokens(usage: EntryOf<'usage-recorded'>): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheCreation5mTokens + usage.cacheCreation1hTokens
}
