import { createHash } from 'node:crypto'
import { createSeededRandom, createStrictProvider, faultNamed, type RequestRecord } from '@holdfast/conformance'
import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'
import { ALL_FORMS, type ServedGateway, serveGateway } from './support/served-gateway.ts'

const TURNS = 100
const SEED = 8

interface Asked {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A request of each form, no two alike. */
function askedOf(kind: number, words: string): Asked {
  const messages = [{ role: 'user', content: words }]
  switch (kind) {
    case 0:
      return {
        path: 'anthropic/v1/messages',
        body: { model: 'claude-opus-5-5', max_tokens: 900, messages, stream: true },
      }
    case 1:
      return { path: 'anthropic/v1/messages', body: { model: 'claude-opus-5-5', max_tokens: 900, messages } }
    case 2:
      return {
        path: 'openai/v1/chat/completions',
        body: { model: 'gpt-5.2', messages, stream: true, stream_options: { include_usage: true } },
      }
    case 3:
      return { path: 'openai/responses', body: { model: 'gpt-5.2', input: words, stream: true } }
    case 4:
      return {
        path: 'google/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
        body: { contents: [{ role: 'user', parts: [{ text: words }] }] },
      }
    default:
      return { path: 'anthropic/v1/messages', body: { model: 'no-such-model', max_tokens: 900, messages } }
  }
}

it(`[AGENT8, AGENT25, COST1, COST9] counts ${TURNS} turns with stops, kills, failures, refusals and clients that leave as the provider does, seed ${SEED}`, async () => {
  const random = createSeededRandom(SEED)
  const upTo = (most: number): number => Math.floor(random() * most)
  const provider = await createStrictProvider({})
  const kept = createMemoryStore({ clock: systemClock })
  const setting = { forms: ALL_FORMS, kept, provider }
  let served: ServedGateway = await serveGateway(setting)
  const { conversationId } = served
  const ends = { good: 0, stopped: 0, killed: 0, left: 0 }

  async function ask({ path, body }: Asked, signal: AbortSignal) {
    const headers = { authorization: `Bearer ${served.key}` }
    return fetch(`${served.origin}/${path}`, { method: 'POST', body: JSON.stringify(body), headers, signal })
  }

  for (let turn = 0; turn < TURNS; turn++) {
    await served.begin()
    for (let count = upTo(3); count >= 0; count--) {
      const parts = [{ type: 'text' as const, text: `Answer ${turn}.${count} `.repeat(2 + upTo(30)) }]
      const failing = [
        { fault: faultNamed('status-500-internal'), place: 'before-first-event' as const },
        { fault: faultNamed('reset'), place: 'in-text' as const },
      ][upTo(12)]
      provider.otherwise({ parts, ...(failing === undefined ? {} : { fault: failing }) })
      const words = `Question ${turn}.${count} ${'and more '.repeat(upTo(400))}`
      const answer = await ask(askedOf(upTo(6), words), new AbortController().signal)
      await answer.text().catch(() => '')
    }
    const end = upTo(5)
    if (end > 2) {
      await served.release()
      ends.good += 1
      continue
    }
    // What is cut is cut in the middle of its answer.
    provider.otherwise({ parts: [{ type: 'text', text: 'A long answer. '.repeat(300) }], deltasPerSecond: 50 })
    const leaving = new AbortController()
    const answer = await ask(askedOf([0, 2, 3, 4][upTo(4)] ?? 0, `Cut ${turn}`), leaving.signal)
    const reader = answer.body?.getReader()
    await reader?.read()
    if (end === 0) {
      await served.stop()
      ends.stopped += 1
    } else if (end === 1) {
      leaving.abort()
      await provider.requests.at(-1)?.done
      await served.release()
      ends.left += 1
    } else {
      await served.kill()
      ends.killed += 1
      served = await serveGateway({ ...setting, conversationId })
    }
    await reader?.cancel().catch(() => {})
  }

  const usages = await served.usages()
  const log = await served.log()
  const totals = await served.totals()
  const counted = new Map(provider.requests.map((record) => [hashOf(record), record]))
  const begun = new Map(log.flatMap((entry) => (entry.type === 'step-started' ? [[entry.stepId, entry] as const] : [])))
  expect(counted.size).toBe(provider.requests.length)
  expect(usages).toHaveLength(provider.requests.length)
  const problems = usages.flatMap((usage) => {
    const record = counted.get(begun.get(usage.stepId ?? '')?.requestHash ?? '')
    if (!record) return [`${usage.stepId} was never asked`]
    counted.delete(hashOf(record))
    const theirs = figuresOf(record)
    const ours = [usage.inputTokens, usage.cacheReadTokens, usage.cacheCreation5mTokens, usage.outputTokens]
    // What was turned away used nothing, and is known.
    const isWhole = record.ending === 'finished' || record.usage === undefined
    if (usage.measured !== isWhole)
      return [`request ${record.number} is measured: ${usage.measured}, and ended ${record.ending}`]
    return isWhole && ours.join() !== theirs.join()
      ? [`request ${record.number}: ${ours} here and ${theirs} there`]
      : []
  })
  expect(problems).toEqual([])
  expect([...counted.keys()]).toEqual([])
  const sum = (of: (usage: (typeof usages)[number]) => number): number =>
    usages.reduce((all, usage) => all + of(usage), 0)
  expect(totals.requestCount).toBe(usages.length)
  expect(totals.outputTokens).toBe(sum(({ outputTokens }) => outputTokens))
  expect(totals.inputTokens).toBe(sum(({ inputTokens }) => inputTokens))
  for (const count of Object.values(ends)) expect(count).toBeGreaterThan(5)
  await served.close()
}, 120_000)

function hashOf({ rawBody }: RequestRecord): string {
  return createHash('sha256').update(rawBody).digest('hex')
}

function figuresOf({ usage }: RequestRecord): readonly number[] {
  if (usage === undefined) return [0, 0, 0, 0]
  return [usage.inputTokens, usage.cacheReadTokens, usage.cacheWrite5mTokens, usage.outputTokens]
}
