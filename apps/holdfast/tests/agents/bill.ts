import { createHash } from 'node:crypto'
import type { StrictProvider } from '@holdfast/conformance'
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
  /** Requests to a model that no log knows: they came past the gateway. */
  readonly past: number
  /** Finished requests whose tokens differ, in words. */
  readonly differing: readonly string[]
  /** Records of requests that were cut: nobody knows their figures, and they are marked. */
  readonly estimated: number
  /** Records that count something beside the requests of the gateway and of Holdfast itself. */
  readonly doubled: number
}

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
  const differing: string[] = []
  let [past, estimated] = [0, 0]
  // Titles are asked by Holdfast itself, with bodies that it hashes in its own way.
  const own = usages.filter(({ purpose }) => purpose === 'title').length
  for (const { number, rawBody, ending, usage, path } of asked) {
    const hash = createHash('sha256').update(rawBody).digest('hex')
    const step = byHash.get(hash)?.shift()
    if (step === undefined) {
      past += 1
      continue
    }
    const record = usageOf.get(step.stepId)
    if (record === undefined) differing.push(`Request ${number} (${path}) has no record`)
    else if (!record.measured) estimated += 1
    else if (usage !== undefined && ending === 'finished') {
      const told = [
        usage.inputTokens,
        usage.cacheReadTokens,
        usage.cacheWrite5mTokens,
        usage.cacheWrite1hTokens,
        usage.outputTokens,
      ]
      const kept = [
        record.inputTokens,
        record.cacheReadTokens,
        record.cacheCreation5mTokens,
        record.cacheCreation1hTokens,
        record.outputTokens,
      ]
      if (told.join() !== kept.join()) differing.push(`Request ${number} (${path}): told ${told}, kept ${kept}`)
    }
  }
  const doubled = usages.filter(
    ({ purpose, inputTokens, outputTokens }) => purpose === 'turn' && inputTokens + outputTokens > 0,
  ).length
  return { requests: asked.length, past: past - own, differing, estimated, doubled }
}
