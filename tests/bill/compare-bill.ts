import type { RequestRecord, UsageFigures } from '@holdfast/conformance'
import type { EntryOf, LedgerTotals } from '@holdfast/conversation'
import { subAgentCosts, sumOfCosts } from '@holdfast/engine'
import type { Metered, MeteredRequest } from './metered-engine.ts'

type Usage = EntryOf<'usage-recorded'>

/** Tokens of one request, or the sum of many, by kind. */
export type Tokens = Pick<
  Usage,
  | 'inputTokens'
  | 'cacheReadTokens'
  | 'cacheCreation5mTokens'
  | 'cacheCreation1hTokens'
  | 'outputTokens'
  | 'thinkingTokens'
>

const INPUT_KINDS = ['inputTokens', 'cacheReadTokens', 'cacheCreation5mTokens', 'cacheCreation1hTokens'] as const
const KINDS = [...INPUT_KINDS, 'outputTokens', 'thinkingTokens'] as const

/** What a wire format tells of its usage, beside the figures at the end. */
export interface Telling {
  /** Figures of the prompt come with the first event, and so for an answer that is cut. [STOP8] */
  readonly inputEarly: boolean
  /** How many tokens of the output were thinking; who does not tell has them in the output alone. */
  readonly thinking: boolean
}

/** What both sides counted of one group of requests. */
export interface BillRow {
  readonly requestCount: number
  readonly ours: Tokens
  readonly theirs: Tokens
}

/** What both sides counted of a conversation. */
export interface BilledConversation {
  readonly title: string
  /** Acts that were played, in their order. */
  readonly acts: readonly string[]
  readonly turnCount: number
  readonly checkpointCount: number
  readonly subAgentCount: number
  /** Requests that came to the provider's own end, by model: these figures must be equal. */
  readonly measured: Readonly<Record<string, BillRow>>
  /** Requests that were refused: nothing to pay, on either side. */
  readonly refused: BillRow
  /** Requests that were cut, whose input the provider had told by then: it must be equal, the output is estimated. */
  readonly cutAfterUsage: BillRow
  /** Requests of which the provider told nothing before they were cut, or at all: all of it is estimated. */
  readonly untold: BillRow
  /** What is not as it must be. */
  readonly problems: readonly string[]
}

/** Reads what both sides counted, and says where they differ without need. */
export async function readBill(
  metered: Metered,
  { title, acts, telling }: { readonly title: string; readonly acts: readonly string[]; readonly telling: Telling },
): Promise<BilledConversation> {
  const requests = await metered.requests()
  const state = await metered.overview()
  const log = await metered.log()
  const costs = await subAgentCosts(metered.store, metered.conversationId, state.ledger)
  const groups = new Map(requests.map((request) => [request, groupOf(request)]))
  const rowOf = (group: Group): BillRow => sumOf(requests.filter((request) => groups.get(request) === group))
  const models = [...new Set(requests.map(({ usage }) => usage.modelId))]
  const own = requests.filter(({ usage }) => usage.conversationId === metered.conversationId)
  return {
    title,
    acts,
    turnCount: log.filter(({ type }) => type === 'user-message-sent').length,
    checkpointCount: log.filter(({ type }) => type === 'checkpoint-made').length,
    subAgentCount: new Set(requests.map(({ usage }) => usage.conversationId)).size - 1,
    measured: Object.fromEntries(
      models.map((model) => [
        model,
        sumOf(requests.filter((one) => one.usage.modelId === model && groups.get(one) === 'measured')),
      ]),
    ),
    refused: rowOf('refused'),
    cutAfterUsage: rowOf('cut-after-usage'),
    untold: rowOf('untold'),
    problems: [
      ...metered.faults.map(String),
      ...requests.flatMap(refusalOf),
      ...requests.flatMap((request) => problemsOf(request, groupOf(request), telling)),
      ...totalProblems('the ledger of the conversation', state.ledger.own, own),
      ...totalProblems('the ledger with its sub-agents', plus(state.ledger.own, sumOfCosts(costs)), requests),
    ],
  }
}

type Group = 'measured' | 'refused' | 'cut-after-usage' | 'untold'

/** By what the provider did, and by whether it had told its input before it was cut. */
function groupOf({ counted, usage }: MeteredRequest): Group {
  if (counted.usage === undefined) return 'refused'
  if (counted.ending === 'finished' && usage.measured) return 'measured'
  return isSameInput(usage, counted) ? 'cut-after-usage' : 'untold'
}

function isSameInput(usage: Usage, counted: RequestRecord): boolean {
  const theirs = tokensOf(counted)
  return INPUT_KINDS.every((kind) => usage[kind] === theirs[kind])
}

function problemsOf(
  { usage, counted }: MeteredRequest,
  group: Group,
  { inputEarly, thinking }: Telling,
): readonly string[] {
  const name = `request ${counted.number} (${usage.purpose}, ${counted.ending ?? 'open'})`
  switch (group) {
    case 'measured':
      return differences(name, usage, { ...tokensOf(counted), ...(thinking ? {} : { thinkingTokens: 0 }) })
    case 'refused':
      return differences(name, usage, NOTHING)
    case 'cut-after-usage':
      return usage.measured ? [`${name} is called measured and is not`] : []
    case 'untold': {
      const wasTold = inputEarly && counted.ending !== 'finished' && counted.deltaBytes > 0
      const lost = wasTold ? differences(`${name}, whose prompt was told`, usage, tokensOf(counted)) : []
      return [...lost, ...(usage.measured ? [`${name} is called measured and is not`] : [])]
    }
  }
}

function differences(name: string, ours: Tokens, theirs: Tokens): readonly string[] {
  return KINDS.filter((kind) => ours[kind] !== theirs[kind]).map(
    (kind) => `${name}: ${kind} is ${ours[kind]} here and ${theirs[kind]} there`,
  )
}

/** A total is the sum of its records, and counts each once. */
function totalProblems(
  name: string,
  totals: Tokens & { readonly requestCount: number },
  requests: readonly MeteredRequest[],
) {
  const { ours, requestCount } = sumOf(requests)
  const count =
    totals.requestCount === requestCount ? [] : [`${name} has ${totals.requestCount} of ${requestCount} requests`]
  return [...count, ...differences(name, totals, ours)]
}

function plus(one: LedgerTotals, other: LedgerTotals): Tokens & { readonly requestCount: number } {
  return { ...added(one, other), requestCount: one.requestCount + other.requestCount }
}

/** A provider that refuses a request for what it says has found a defect of ours. */
function refusalOf({ counted: { number, status, fault, violations } }: MeteredRequest): readonly string[] {
  if (violations.length === 0 && (status === 200 || status === undefined || fault !== undefined)) return []
  return [`request ${number} got ${status}: ${violations.map(({ rule, message }) => `${rule}: ${message}`).join('; ')}`]
}

const NOTHING: Tokens = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheCreation5mTokens: 0,
  cacheCreation1hTokens: 0,
  outputTokens: 0,
  thinkingTokens: 0,
}

const BYTES_PER_TOKEN = 4

/** The provider's bill: of an answer that was cut, what it had written by then. */
function tokensOf({ usage, ending, deltaBytes }: RequestRecord): Tokens {
  if (usage === undefined) return NOTHING
  const written = ending === 'finished' ? usage.outputTokens : Math.ceil(deltaBytes / BYTES_PER_TOKEN)
  return {
    inputTokens: usage.inputTokens,
    cacheReadTokens: usage.cacheReadTokens,
    cacheCreation5mTokens: usage.cacheWrite5mTokens,
    cacheCreation1hTokens: usage.cacheWrite1hTokens,
    outputTokens: Math.min(written, usage.outputTokens),
    thinkingTokens: thinkingOf(usage, written),
  }
}

function thinkingOf({ thinkingTokens }: UsageFigures, writtenTokens: number): number {
  return Math.min(thinkingTokens, writtenTokens)
}

function sumOf(requests: readonly MeteredRequest[]): BillRow {
  return {
    requestCount: requests.length,
    ours: requests.map(({ usage }): Tokens => usage).reduce(added, NOTHING),
    theirs: requests.map(({ counted }) => tokensOf(counted)).reduce(added, NOTHING),
  }
}

function added(one: Tokens, other: Tokens): Tokens {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheCreation5mTokens: one.cacheCreation5mTokens + other.cacheCreation5mTokens,
    cacheCreation1hTokens: one.cacheCreation1hTokens + other.cacheCreation1hTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    thinkingTokens: one.thinkingTokens + other.thinkingTokens,
  }
}
