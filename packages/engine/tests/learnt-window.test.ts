import { type Entry, type EntryOf, StoreWriteError } from '@holdfast/conversation'
import type { LearntModelWindow, ModelChoice } from '@holdfast/engine'
import { type ScriptLine, says } from '@holdfast/engine/testing'
import { freePrice, type ModelRequest, ProviderError, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'

const actor = { type: 'person', userId: 'user_1' } as const

/** A model whose window nobody knows, but for its provider. */
interface Secretive {
  readonly harness: Harness
  readonly learnt: readonly LearntModelWindow[]
  readonly requests: readonly ModelRequest[]
  ask(words: string): Promise<EntryOf<'run-finished'>>
  of<Type extends Entry['type']>(type: Type): Promise<readonly EntryOf<Type>[]>
  /** Says of the model what everyone knows from now on. */
  tell(windowTokens: number | null): void
  /** The window is another from now on, and nobody says so. */
  narrow(windowTokens: number): void
  /** The store refuses appends with entries of these types from now on. */
  refuseWrites(isRefused: (type: Entry['type']) => boolean): void
}

const CHARACTERS_PER_TOKEN = 2.5

/** Tokens as its provider counts them. */
function tokensOf({ messages, system }: ModelRequest): number {
  return Math.ceil(JSON.stringify([system, messages]).length / CHARACTERS_PER_TOKEN)
}

async function openSecretive(firstTokens: number, refuse: (tokens: number) => ProviderError): Promise<Secretive> {
  const learnt: LearntModelWindow[] = []
  const requests: ModelRequest[] = []
  let told: number | null = null
  let windowTokens = firstTokens
  const port: ModelChoice['port'] = {
    providerId: 'secretive',
    async stream(request, { onPart }) {
      requests.push(request)
      const tokens = tokensOf(request)
      if (tokens > windowTokens) throw refuse(tokens)
      const isSummary = JSON.stringify(request.messages.at(-1)).includes('<summary-request>')
      for (const line of says(isSummary ? 'Goals: to find out' : words(600))) if (isPart(line)) await onPart(line)
    },
  }
  const models = (): readonly ModelChoice[] => [
    {
      modelId: 'm',
      providerModelId: 'm',
      name: 'M',
      port,
      facts: withOverride(UNKNOWN_MODEL, { price: freePrice('local'), contextWindowTokens: told }),
    },
  ]
  const ports = { models, onWindowLearnt: (window) => void learnt.push(window) } satisfies HarnessOptions['ports']
  let isRefused = (_type: Entry['type']): boolean => false
  const harness = await openHarness([], [], null, {
    ports,
    lineTo: (store) => ({
      ...store,
      async append(wanted) {
        if (wanted.entries.some(({ type }) => isRefused(type))) throw new StoreWriteError('unreachable', 'Away')
        return store.append(wanted)
      },
    }),
  })
  let asked = 0
  const of = async <Type extends Entry['type']>(type: Type) =>
    (await harness.log()).filter((entry): entry is EntryOf<Type> => entry.type === type)
  return {
    harness,
    learnt,
    requests,
    of,
    tell(tokens) {
      told = tokens
    },
    narrow(tokens) {
      windowTokens = tokens
    },
    refuseWrites(wanted) {
      isRefused = wanted
    },
    async ask(text) {
      asked++
      await harness.send(text, `send-${asked}`)
      await harness.until('run-finished', asked)
      const end = (await of('run-finished')).at(-1)
      if (!end) throw new Error('Nothing has ended')
      return end
    },
  }
}

function isPart(line: ScriptLine) {
  return line.type !== 'wait' && line.type !== 'break-off' && line.type !== 'throw'
}

/** Words of about so many tokens. */
function words(tokens: number): string {
  return Array.from({ length: tokens }, (_, index) => `word number ${index % 9}.`)
    .join(' ')
    .slice(0, tokens * CHARACTERS_PER_TOKEN)
}

function naming(windowTokens: number): (tokens: number) => ProviderError {
  return (tokens) =>
    new ProviderError('too-long', `This model's maximum context length is ${windowTokens}; ${tokens} were sent`, {
      status: 400,
      windowTokens,
    })
}

const silent = (): ProviderError => new ProviderError('too-long', 'Too long', { status: 400 })

describe('a window that nobody knows', () => {
  it('[WIN8, CHK8] is learnt from the refusal that names it, and the conversation goes on', async () => {
    const { ask, of, learnt, requests, harness } = await openSecretive(8_192, naming(8_192))
    for (let turn = 1; turn <= 12; turn++)
      expect(await ask(`Question ${turn}: ${words(400)}`), `turn ${turn}`).toMatchObject({ outcome: 'completed' })
    expect(learnt).toEqual([{ modelId: 'm', windowTokens: 8_192, isNamed: true }])
    expect(await of('notice-raised')).toMatchObject([
      {
        code: 'window-learnt',
        model: { providerId: 'secretive', modelId: 'm' },
        window: { windowTokens: 8_192, insteadOfTokens: null, source: 'named' },
      },
    ])
    expect(requests.filter((request) => tokensOf(request) > 8_192)).toHaveLength(1)
    expect(await harness.engine.contextOf(harness.conversationId)).toMatchObject({ windowTokens: 8_192 })
    for (const { stepId } of (await of('step-started')).filter(({ purpose }) => purpose === 'turn'))
      expect(await harness.engine.receiptOf({ conversationId: harness.conversationId, stepId })).toMatchObject({
        isExact: true,
      })
  })

  it('[WIN8, CHK8] is halved from what was refused where nobody names it, until requests fit', async () => {
    const { ask, of, learnt } = await openSecretive(6_000, silent)
    for (let turn = 1; turn <= 10; turn++)
      expect(await ask(`Question ${turn}: ${words(400)}`), `turn ${turn}`).toMatchObject({ outcome: 'completed' })
    expect(learnt.length).toBeGreaterThan(0)
    expect(learnt.every(({ windowTokens, isNamed }) => windowTokens < 6_000 && !isNamed)).toBe(true)
    expect((await of('notice-raised'))[0]).toMatchObject({ code: 'window-learnt', window: { source: 'halved' } })
  })

  it('[WIN8] gives way to what is set for the model later, at once and with a word', async () => {
    const { ask, of, tell, harness } = await openSecretive(8_192, naming(8_192))
    for (let turn = 1; turn <= 9; turn++) await ask(`Question ${turn}: ${words(400)}`)
    tell(4_000)
    await ask('And now?')
    expect(await harness.engine.contextOf(harness.conversationId)).toMatchObject({ windowTokens: 4_000 })
    expect((await of('notice-raised')).at(-1)).toMatchObject({
      code: 'window-learnt',
      window: { windowTokens: 4_000, insteadOfTokens: 4_000, source: 'elsewhere' },
    })
  })

  it('[WIN8] is less than what is told of the model where its provider says so', async () => {
    const { ask, tell, learnt, harness } = await openSecretive(8_192, naming(8_192))
    tell(200_000)
    for (let turn = 1; turn <= 9; turn++)
      expect(await ask(`Question ${turn}: ${words(400)}`)).toMatchObject({ outcome: 'completed' })
    expect(learnt).toEqual([{ modelId: 'm', windowTokens: 8_192, isNamed: true }])
    expect(await harness.engine.contextOf(harness.conversationId)).toMatchObject({ windowTokens: 8_192 })
  })

  it('[CHK3, CHK11] is no wall for a checkpoint that a person asks for: it is made in chunks', async () => {
    for (const refuse of [naming(4_000), silent]) {
      const { ask, of, narrow, requests, harness } = await openSecretive(100_000, refuse)
      for (let turn = 1; turn <= 8; turn++) await ask(`Question ${turn}: ${words(400)}`)
      narrow(4_000)
      const { conversationId, engine } = harness
      await engine.makeCheckpoint({ commandId: 'cp', actor, conversationId, focus: null })
      await harness.until('run-finished', 9)
      expect((await of('run-finished')).at(-1)).toMatchObject({ outcome: 'completed' })
      expect(await of('checkpoint-made')).toHaveLength(1)
      expect(requests.slice(9).length).toBeGreaterThan(1)
      expect(JSON.stringify(requests.slice(9))).toContain('Question 1:')
      expect(JSON.stringify(requests.slice(9))).toContain('Question 8:')
    }
  })
})

it('[WIN8] what the refusal of a summary says is told once it is in the log, and not before', async () => {
  const secretive = await openSecretive(8_192, naming(8_192))
  const { ask, harness, learnt, of } = secretive
  for (let turn = 1; turn <= 6; turn++) await ask(`Question ${turn}: ${words(400)}`)
  secretive.narrow(1_500)
  const { engine, conversationId } = harness
  secretive.refuseWrites((type) => type === 'notice-raised')
  await engine.makeCheckpoint({ commandId: 'checkpoint', actor, conversationId, focus: null })
  await expect.poll(() => harness.faults.length).toBeGreaterThan(0)
  expect((await of('notice-raised')).filter(({ code }) => code === 'window-learnt')).toEqual([])
  expect(learnt).toEqual([])
  await engine.close()
})
