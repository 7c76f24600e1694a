import type { Entry, EntryOf, Json } from '@holdfast/conversation'
import type { FactSource, NextPrice, PriceInquiry, UserBudgets } from '@holdfast/engine'
import { createManualClock } from '@holdfast/engine/testing'
import { type Harness, openHarness } from './harness.ts'
import { createMeteredModel, LISTED_PRICE, type MeteredModel } from './metered-model.ts'
import { testTool } from './tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

/** A conversation on a model that measures, with another one beside it. */
export interface Metered extends Harness {
  readonly metered: MeteredModel
  ask(words: string): Promise<EntryOf<'usage-recorded'>>
  price(question: Omit<PriceInquiry, 'conversationId'>): Promise<NextPrice>
  change(changes: Readonly<Record<string, Json>>): Promise<void>
  of<Type extends Entry['type']>(type: Type): Promise<readonly EntryOf<Type>[]>
}

/** What is not the same in every such conversation. */
interface MeteredOptions {
  readonly facts?: readonly FactSource[]
  readonly userBudgets?: UserBudgets
  readonly autoTitles?: true
}

/** Enough words for the prefix to be worth keeping. */
export const LONG = 'a line of words that is said once more. '.repeat(200)

/** Opens it; what is not the same everywhere is said by `options`. */
export async function openMetered(
  windowTokens: number | null,
  { facts = [], userBudgets, autoTitles }: MeteredOptions = {},
): Promise<Metered> {
  const clock = createManualClock()
  const at = { clock, windowTokens, price: LISTED_PRICE }
  const metered = createMeteredModel({ ...at, modelId: 'first' })
  const other = createMeteredModel({ ...at, modelId: 'other' })
  const { tool } = testTool({ name: 'read', category: 'read' })
  const budgets = userBudgets === undefined ? {} : { userBudgets }
  const ports = { models: () => [metered.choice, other.choice], facts, ...budgets }
  const harness = await openHarness([], [tool], windowTokens, { clock, ports, ...(autoTitles ? { autoTitles } : {}) })
  const { engine, conversationId, send, until, log } = harness
  let asked = 0
  const of = async <Type extends Entry['type']>(type: Type) =>
    (await log()).filter((entry): entry is EntryOf<Type> => entry.type === type)
  return {
    ...harness,
    metered,
    of,
    async ask(words) {
      asked++
      await send(words, `send-${asked}`)
      await until('run-finished', asked)
      const record = (await of('usage-recorded')).at(-1)
      if (!record) throw new Error('Nothing was used')
      return record
    },
    async price(question) {
      const answer = await engine.priceOf({ conversationId, ...question })
      if (answer === null) throw new Error('There is no price')
      return answer
    },
    async change(changes) {
      await engine.changeSettings({ commandId: `change-${JSON.stringify(changes)}`, actor, conversationId, changes })
    },
  }
}
