import { createHash } from 'node:crypto'
import type { RequestRecord, StrictProvider } from '@holdfast/conformance'
import * as z from 'zod'
import type { SeenEntry } from './agents-world.ts'

const Usage = z.object({
  purpose: z.string(),
  stepId: z.string(),
  inputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreation5mTokens: z.number(),
  cacheCreation1hTokens: z.number(),
  outputTokens: z.number(),
  measured: z.boolean(),
})
const Asked = z.object({ stepId: z.string(), purpose: z.string(), requestHash: z.string() })

/** What the provider wrote down against what the logs of all conversations hold. */
export interface Compared {
  readonly requests: number
  /** Titles and summaries, which Holdfast asks for itself. */
  readonly ownRequests: number
  /** Requests to a model that no log knows: they came past the gateway. */
  readonly past: number
  /** Finished requests whose tokens differ, in words. */
  readonly differing: readonly string[]
  /** Records of requests that were cut: nobody knows their figures, and they are marked. */
  readonly estimated: number
  /** Records that count what no request was, and pieces of prompts that count what the gateway's requests did. */
  readonly doubled: number
}

/** What a provider tells and a record keeps, in one order. */
type Figures = readonly number[]

/** Compares every request that a model was asked with its record, to the token. */
export async function compareBill(
  provider: StrictProvider,
  logs: readonly (readonly SeenEntry[])[],
): Promise<Compared> {
  const asked = provider.requests.filter(({ operation }) => operation === 'generate' || operation === 'stream')
  await Promise.all(asked.map(({ done }) => done))
  const entries = logs.flat()
  const started = entries.flatMap((entry) => (entry.type === 'step-started' ? [Asked.parse(entry)] : []))
  const usages = entries.flatMap((entry) => (entry.type === 'usage-recorded' ? [Usage.parse(entry)] : []))
  const passed = started.filter(({ purpose }) => purpose === 'gateway')
  const byHash = Map.groupBy(passed, ({ requestHash }) => requestHash)
  const usageOf = new Map(usages.map((usage) => [usage.stepId, usage]))
  const own = usages.filter(({ purpose }) => purpose === 'title' || purpose === 'checkpoint')
  const differing: string[] = []
  let [past, estimated, ownRequests] = [0, 0, 0]
  for (const request of asked) {
    const { number, rawBody, path } = request
    const told = figuresTold(request)
    const step = byHash.get(createHash('sha256').update(rawBody).digest('hex'))?.shift()
    if (step === undefined && !isOwn(request)) {
      past += 1
      continue
    }
    if (step === undefined) ownRequests += 1
    const record = step === undefined ? takeOwn(own, told) : usageOf.get(step.stepId)
    if (record === undefined) differing.push(`Request ${number} (${path}) has no record`)
    else if (!record.measured && told !== null)
      differing.push(`Request ${number} (${path}): told ${told}, and its record is an estimate`)
    else if (!record.measured) estimated += 1
    else if (told !== null && told.join() !== figuresKept(record).join())
      differing.push(`Request ${number} (${path}): told ${told}, kept ${figuresKept(record)}`)
  }
  const unasked = [...[...byHash.values()].flat().map(({ stepId }) => usageOf.get(stepId)), ...own]
  const invented = unasked.filter((usage) => usage?.measured && figuresKept(usage).some((tokens) => tokens > 0))
  const twice = usages.filter(
    ({ purpose, inputTokens, outputTokens }) => purpose === 'turn' && inputTokens + outputTokens > 0,
  )
  return {
    requests: asked.length,
    ownRequests,
    past,
    differing,
    estimated,
    doubled: invented.length + twice.length,
  }
}

/** What Holdfast itself asks: its bodies it hashes in its own way, and their words are these. */
function isOwn({ rawBody }: RequestRecord): boolean {
  return /<(?:title|summary)-request>/.test(Buffer.from(rawBody).toString())
}

/** A record of Holdfast's own requests for one of them: the one with its figures, else one that was estimated. */
function takeOwn(own: z.infer<typeof Usage>[], told: Figures | null): z.infer<typeof Usage> | undefined {
  const same = own.findIndex((usage) => usage.measured && figuresKept(usage).join() === told?.join())
  const at = same >= 0 ? same : own.findIndex(({ measured }) => !measured)
  return at < 0 ? undefined : own.splice(at, 1)[0]
}

/** Null for an answer that was cut: nobody knows its figures. */
function figuresTold({ usage, ending, fault, status }: RequestRecord): Figures | null {
  if (fault !== undefined && (status ?? 0) >= 400) return [0, 0, 0, 0, 0]
  if (usage === undefined || ending !== 'finished') return null
  const { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, outputTokens } = usage
  return [inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, outputTokens]
}

function figuresKept(record: z.infer<typeof Usage>): Figures {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens, outputTokens } = record
  return [inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens, outputTokens]
}
