import type { Entry, EntryOf } from '@holdfast/conversation'
import type { FactSource, ModelChoice } from '@holdfast/engine'
import { type ScriptLine, says } from '@holdfast/engine/testing'
import { freePrice, type ModelRequest, ProviderError, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { type Tool, toolOf } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { calls } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const CHARACTERS_PER_TOKEN = 2.5

/** A tool whose definition takes about 200 tokens. */
function largeTool(name: string, more: { readonly runsAt?: 'client' } = {}): Tool {
  const description = `What ${name} does, at length. ${'Another sentence about it. '.repeat(16)}`
  const parameters = { type: 'object', properties: { path: { type: 'string' } } }
  const asks = { category: 'read' as const, argumentRoles: { path: 'path' as const } }
  return toolOf({ name, description, parameters, ...asks, ...more }, () => `${name} has run`)
}

function largeTools(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, index) => largeTool(`tool_${index + 1}`))
}

/** Tokens as the provider counts them, definitions too. */
function tokensOf({ messages, system, tools }: ModelRequest): number {
  return Math.ceil(JSON.stringify([system, tools, messages]).length / CHARACTERS_PER_TOKEN)
}

/** The window as it is told, and as its server has it. */
interface SmallWindow {
  readonly told: number | null
  readonly real: number
  readonly refuse?: (tokens: number) => ProviderError
  readonly facts?: readonly FactSource[]
}

interface Small {
  readonly harness: Harness
  readonly requests: readonly ModelRequest[]
  ask(words: string): Promise<EntryOf<'run-finished'>>
  change(changes: Parameters<Harness['engine']['changeSettings']>[0]['changes']): Promise<void>
  of<Type extends Entry['type']>(type: Type): Promise<readonly EntryOf<Type>[]>
}

/** Models of a small window and of a large one; both refuse what is longer than the small one, as their windows say. */
async function openSmall(
  tools: readonly Tool[],
  small: SmallWindow,
  script: readonly (readonly ScriptLine[])[] = [],
): Promise<Small> {
  const requests: ModelRequest[] = []
  const lines = [...script]
  const modelOf = (modelId: string, told: number | null, real: number): ModelChoice => ({
    modelId,
    providerModelId: modelId,
    name: modelId,
    facts: withOverride(UNKNOWN_MODEL, { price: freePrice('local'), contextWindowTokens: told }),
    port: {
      providerId: 'local',
      async stream(request, { onPart }) {
        requests.push(request)
        const tokens = tokensOf(request)
        if (tokens > real) throw (small.refuse ?? silent)(tokens)
        for (const line of lines.shift() ?? says('Good morning.'))
          if (line.type !== 'wait' && line.type !== 'break-off' && line.type !== 'throw') await onPart(line)
      },
    },
  })
  const models = [modelOf('small', small.told, small.real), modelOf('large', 200_000, 200_000)]
  const harness = await openHarness([], tools, null, {
    ports: { models: () => models, ...(small.facts && { facts: small.facts }) },
  })
  let asked = 0
  const of = async <Type extends Entry['type']>(type: Type) =>
    (await harness.log()).filter((entry): entry is EntryOf<Type> => entry.type === type)
  return {
    harness,
    requests,
    of,
    async change(changes) {
      const { engine, conversationId } = harness
      await engine.changeSettings({ commandId: `change-${++asked}`, actor, conversationId, changes })
    },
    async ask(words) {
      const before = (await of('run-finished')).length
      await harness.send(words, `send-${++asked}`)
      await harness.until('run-finished', before + 1)
      const end = (await of('run-finished')).at(-1)
      if (!end) throw new Error('Nothing has ended')
      return end
    },
  }
}

const silent = (): ProviderError => new ProviderError('too-long', 'Too long', { status: 400 })
const naming =
  (windowTokens: number) =>
  (tokens: number): ProviderError =>
    new ProviderError('too-long', `The window is ${windowTokens}; ${tokens} were sent`, { status: 400, windowTokens })

const namesIn = ({ tools }: ModelRequest): string[] => tools.map(({ name }) => name)

describe('a window that is too small for all tools', () => {
  it('[WIN17] gets the first ones of them, has its first answer, and says what is left out', async () => {
    const { ask, requests, of, harness } = await openSmall(largeTools(41), { told: 8_192, real: 8_192 })
    expect(await ask('Good morning')).toMatchObject({ outcome: 'completed' })
    const [request] = requests
    const names = request ? namesIn(request) : []
    expect(names.length).toBeGreaterThan(10)
    expect(names).toEqual(largeTools(names.length).map(({ definition }) => definition.name))
    const left = largeTools(41)
      .map(({ definition }) => definition.name)
      .slice(names.length)
    expect(await of('tools-changed')).toMatchObject([{ leftOut: left }])
    const [notice] = (await of('notice-raised')).filter(({ code }) => code === 'tools-left-out')
    expect(notice?.text).toContain('8192')
    expect(notice?.text).toContain(`the first ${names.length}, up to ${names.at(-1)}, are sent`)
    const listed = await harness.engine.listTools(harness.conversationId)
    expect(listed.filter(({ included }) => included).map(({ definition }) => definition.name)).toEqual(names)
  })

  it('[WIN17] stays the same list from turn to turn, whatever is measured, and is told once', async () => {
    const { ask, requests, of } = await openSmall(largeTools(41), { told: 8_192, real: 8_192 })
    for (const words of ['One', 'Two', 'Three', 'Four'])
      expect(await ask(words)).toMatchObject({ outcome: 'completed' })
    expect(new Set(requests.map((request) => namesIn(request).join())).size).toBe(1)
    expect(await of('tools-changed')).toHaveLength(1)
    expect((await of('notice-raised')).filter(({ code }) => code === 'tools-left-out')).toHaveLength(1)
  })

  it('[WIN18] is not filled by what the folder, memories and the canvas say: a first answer and a second one fit', async () => {
    const long = (about: string): string => `${about}: ${'and this is said of it as well. '.repeat(2_000)}`
    const sections = ['instructions', 'memories', 'canvas'] as const
    const facts = sections.map((section) => ({ section, budgetTokens: 8_000, textNow: async () => long(section) }))
    const { ask, requests, of } = await openSmall(largeTools(41), { told: 8_192, real: 8_192, facts })
    for (const words of ['Good morning', 'And now?', 'And then?'])
      expect(await ask(words)).toMatchObject({ outcome: 'completed' })
    expect((await of('context-noted')).map(({ section }) => section)).toEqual([...sections])
    expect(Math.max(...requests.map(tokensOf))).toBeLessThan(8_192 - 2_048)
  })

  it('[WIN17, WIN8] is learnt in the first request from a server that names it, and answered in the same run', async () => {
    const { ask, requests } = await openSmall(largeTools(60), { told: null, real: 8_192, refuse: naming(8_192) })
    expect(await ask('Good morning')).toMatchObject({ outcome: 'completed' })
    expect(requests.map((request) => namesIn(request).length)).toEqual([60, expect.any(Number)])
    expect(requests.map(tokensOf).at(-1)).toBeLessThan(8_192 * 0.6)
  })

  it('[WIN17, WIN8] is learnt from one that does not name it', async () => {
    const { ask, requests } = await openSmall(largeTools(60), { told: null, real: 8_192 })
    expect(await ask('Good morning')).toMatchObject({ outcome: 'completed' })
    expect(requests).toHaveLength(2)
    expect(namesIn(requests[1] as ModelRequest).length).toBeLessThan(60)
  })

  it('[WIN17, TOOL10] a call of a tool that was left out does not run, and says who can choose it', async () => {
    const call = { callId: 'c1', name: 'tool_41', input: { path: 'a' } }
    const script = [calls(call), says('I see.')]
    const { ask, of } = await openSmall(largeTools(41), { told: 8_192, real: 8_192 }, script)
    expect(await ask('Good morning')).toMatchObject({ outcome: 'completed' })
    const [settled] = await of('tool-call-settled')
    expect(settled).toMatchObject({ outcome: 'error' })
    expect(JSON.stringify(settled)).toContain('no room for it')
    expect(JSON.stringify(settled)).toContain('in the Tools tab')
  })

  it('[WIN17] what a person chose is sent whole, and refused in words where it does not fit', async () => {
    const { ask, change, requests } = await openSmall(largeTools(60), { told: 8_192, real: 8_192 })
    await change({ toolMode: 'manual', includedTools: largeTools(20).map(({ definition }) => definition.name) })
    expect(await ask('Good morning')).toMatchObject({ outcome: 'completed' })
    expect(requests.map((request) => namesIn(request).length)).toEqual([20])
    await change({ toolMode: 'manual', includedTools: largeTools(60).map(({ definition }) => definition.name) })
    const end = await ask('And all of them')
    expect(end).toMatchObject({ outcome: 'limit' })
    expect(end.reason).toMatch(/tools \d+/)
    expect(requests).toHaveLength(1)
  })

  it('[WIN17, TOOL18] what a client runs itself is sent before all others', async () => {
    const own = largeTool('of_the_client', { runsAt: 'client' })
    const { ask, requests } = await openSmall([...largeTools(41), own], { told: 8_192, real: 8_192 })
    await ask('Good morning')
    expect(requests.map(namesIn)).toEqual([expect.arrayContaining(['tool_1', 'of_the_client'])])
    expect(requests.map((request) => namesIn(request).at(-1))).toEqual(['of_the_client'])
  })

  it('[WIN17, PERM4] a call that waits for a yes runs after a switch to a model without room for its tool', async () => {
    const asks = toolOf(
      { name: 'write_it', description: 'Writes.', parameters: { type: 'object' }, category: 'edit' },
      () => 'It was written.',
    )
    const script = [calls({ callId: 'c1', name: 'write_it', input: {} }), says('Done.')]
    const { harness, change, requests, of } = await openSmall(
      [...largeTools(41), asks],
      { told: 8_192, real: 8_192 },
      script,
    )
    const { engine, conversationId } = harness
    await change({ modelId: 'large' })
    await harness.send('Write it', 'send-1')
    await harness.until('permission-requested', 1)
    await change({ modelId: 'small' })
    const [asked] = await of('permission-requested')
    await engine.answerPermission({
      commandId: 'yes',
      actor,
      conversationId,
      requestId: asked?.requestId ?? '',
      decision: 'allow',
      scope: 'call',
    })
    await harness.until('run-finished', 1)
    expect(await of('tool-call-settled')).toMatchObject([{ outcome: 'ok' }])
    expect(requests.map((request) => namesIn(request).includes('write_it'))).toEqual([true, false])
  })

  it('[WIN17] all come back with a larger model, which is said', async () => {
    const { ask, change, requests, of } = await openSmall(largeTools(41), { told: 8_192, real: 8_192 })
    await ask('Good morning')
    await change({ modelId: 'large' })
    await ask('And now')
    expect(namesIn(requests[1] as ModelRequest)).toHaveLength(41)
    expect((await of('notice-raised')).map(({ text }) => text).at(-1)).toBe('There is room for all tools again.')
  })
})
