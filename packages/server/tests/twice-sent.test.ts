import { type Entry, type EntryOf, overview } from '@holdfast/conversation'
import { API_PATH, commands } from '@holdfast/protocol'
import { defineTool } from '@holdfast/tool'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { type Served, serve } from './support/serve.ts'

type CommandKey = keyof typeof commands

/** How a command comes a second time: at the same moment, or after its answer. All come a third time at the end. */
type Way = 'together' | 'after'

type Answer = Awaited<ReturnType<Served['call']>>

interface Request {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
}

/** A conversation over HTTP, in which the model answers whatever it is asked. */
interface World {
  readonly id: string
  readonly log: () => Promise<readonly Entry[]>
  /** Sends words that the model is asked for and does not answer. */
  readonly begin: (words: string) => Promise<void>
  readonly post: (path: string, body: object) => ReturnType<Served['call']>
  /** Lets the model call the one tool, which asks. */
  readonly callTool: () => Promise<string>
  /** Lets the model call the tool that asks the person a question. */
  readonly ask: () => Promise<string>
  /** The model answers until nothing runs. */
  readonly settle: () => Promise<void>
}

let served: Served
/** Requests to the model that are answered. */
let replied = 0
let ids = 0

beforeEach(async () => {
  served = await serve({ webRoot: null, moreTools: [wonder] })
  replied = 0
})

afterEach(async () => {
  await served.close()
})

/** Asks the person, and tells the model what it was told. */
const wonder = defineTool({
  name: 'wonder',
  description: 'Asks.',
  input: z.object({}),
  category: 'other',
  run: async (_, { person, signal }) => {
    const wish = { type: 'form' as const, fields: [] }
    return JSON.stringify(await person?.ask({ source: 'wonder', message: 'Well?', wish }, { signal }))
  },
})

const text = (words: string) => [{ type: 'text', text: words }]

/** Commands that no command id is part of: what is there already is said, or not found. */
const WITHOUT_ID: ReadonlySet<CommandKey> = new Set<CommandKey>([
  'deleteConversation',
  'eraseEntries',
  'addPermissionRule',
  'revokePermissionRule',
  'dismissPermissionSuggestion',
])

/** What each command is asked with, after what gives it something to do. */
const ASKS: Readonly<Record<string, (world: World) => Promise<object> | object>> = {
  createConversation: () => ({ title: 'Begun' }),
  sendInput: () => ({ content: text('Words') }),
  stop: async ({ begin }) => {
    await begin('To be stopped')
    return {}
  },
  changeInput: async (world) => ({ inputId: await waiting(world), content: text('Other words') }),
  removeInput: async (world) => ({ inputId: await waiting(world) }),
  sendInputNow: async (world) => ({ inputId: await waiting(world) }),
  holdQueue: async (world) => {
    await waiting(world)
    return {}
  },
  releaseQueue: async (world) => {
    await waiting(world)
    await world.post('/queue/hold', {})
    return {}
  },
  answerPermission: async (world) => ({ requestId: await world.callTool(), decision: 'deny' }),
  answerQuestion: async (world) => ({ questionId: await world.ask(), action: 'decline' }),
  addConversationRule: () => ({ rule: { effect: 'deny', tool: 'peek' } }),
  revokeRule: async (world) => {
    const { body } = await world.post('/permission-rules', { rule: { effect: 'deny', tool: 'peek' } })
    return { ruleId: (body as { ruleId: string }).ruleId }
  },
  pinMessage: async (world) => ({ messageSeq: (await answeredTurn(world)).seq, isPinned: true }),
  excludeResult: async (world) => {
    const requestId = await world.callTool()
    await world.post(`/permissions/${requestId}`, { decision: 'allow' })
    await world.settle()
    return { resultSeq: (await last(world, 'tool-call-settled')).seq, isExcluded: true }
  },
  rewind: async (world) => {
    await answeredTurn(world)
    return { toSeq: 0, reason: 'rewind' }
  },
  selectPath: async (world) => {
    await answeredTurn(world)
    const { seq: head } = await last(world, 'run-finished')
    await world.post('/rewind', { toSeq: 0, reason: 'rewind' })
    return { head }
  },
  fork: async (world) => {
    await answeredTurn(world)
    return { atSeq: (await last(world, 'run-finished')).seq }
  },
  reset: () => ({}),
  changeConversation: () => ({ title: 'Another' }),
  changeCanvas: () => ({ elementId: 'canvas', action: 'clear' }),
  makeCheckpoint: () => ({}),
  editCheckpoint: async (world) => ({ checkpointSeq: await checkpoint(world), summary: 'Said otherwise' }),
  undoCheckpoint: async (world) => ({ checkpointSeq: await checkpoint(world) }),
  makeTitle: async (world) => {
    await answeredTurn(world)
    return {}
  },
  switchAutoFix: () => ({ isOn: true, previewId: 'preview_1' }),
  decideChanges: () => ({ decisions: [{ path: 'a.txt', keep: false }] }),
}

const keys = Object.keys(ASKS)

test('[LOG4, UI41] every command over HTTP that has an id is tried twice', () => {
  const withRoute = Object.entries(commands).flatMap(([key, { place }]) => (place === null ? [] : [key]))
  expect([...keys, ...WITHOUT_ID].toSorted()).toEqual(withRoute.toSorted())
})

test('[LOG4, UI41] a command that comes twice is answered twice alike and is once in the log', async () => {
  const act = fc.record({ key: fc.constantFrom(...keys), way: fc.constantFrom<Way>('together', 'after') })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), async (acts) => {
      const [once, twice] = [await openWorld(), await openWorld()]
      const sent: Request[] = []
      for (const { key, way } of acts) {
        const counts = [await conversationCount()]
        await play(once, key, null)
        counts.push(await conversationCount())
        sent.push(await play(twice, key, way))
        counts.push(await conversationCount())
        const [first = 0, second = 0, third = 0] = counts
        expect({ key, begun: third - second }).toEqual({ key, begun: second - first })
      }
      expect(await kinds(twice)).toEqual(await kinds(once))
      const before = [await twice.log(), await conversationCount()]
      for (const { method, path, body } of sent) await served.call(method, path, body ?? undefined)
      await twice.settle()
      expect([await twice.log(), await conversationCount()]).toEqual(before)
    }),
    { numRuns: 40 },
  )
}, 120_000)

/** Sends a command, once or twice, and lets what follows from it come to its end. */
async function play(world: World, key: string, way: Way | null): Promise<Request> {
  const request = requestOf(key, world.id, { commandId: nextId(), ...(await ASKS[key]?.(world)) })
  const send = () => served.call(request.method, request.path, request.body ?? undefined)
  const [first, second] = way === 'together' ? await Promise.all([send(), send()]) : [await send(), null]
  expect({ key, isCarriedOut: first.status < 300 }).toEqual({ key, isCarriedOut: true })
  const repeated = way === 'after' ? await send() : second
  if (repeated !== null) expect({ key, answer: lasting(repeated) }).toEqual({ key, answer: lasting(first) })
  await world.settle()
  return request
}

/** An answer without what it says of the moment: whether a stop is over, how a conversation stands, where its log ends. */
function lasting({ status, body }: Answer): unknown {
  const { settled: _, ...said } = body as Readonly<Record<string, unknown>>
  if ('messageCount' in said) return { status, id: said['id'] }
  return said['conversationId'] === undefined ? { status, said } : { status, conversationId: said['conversationId'] }
}

function nextId(): string {
  ids += 1
  return `command_${ids}`
}

async function openWorld(): Promise<World> {
  const id = await served.newConversation()
  const log = async () => (await served.store.read({ conversationId: id, after: 0, limit: 1_000 })).entries
  const state = async () => overview.reduce(overview.initial, await log())
  const post = (path: string, body: object) =>
    served.call('POST', `${API_PATH}/conversations/${id}${path}`, { commandId: nextId(), ...body })

  async function begin(words: string): Promise<void> {
    await post('/inputs', { content: text(words) })
    await expect.poll(() => served.model.requests.length > replied, { interval: 1 }).toBe(true)
  }

  /** Does the next thing that the conversation waits for. @returns whether there was none. */
  async function isSettled(): Promise<boolean> {
    const { runState, queue, pendingPermissions, pendingQuestions } = await state()
    const [permission] = pendingPermissions
    const [question] = pendingQuestions
    const { exclusive, side } = runState
    const isAtWork = exclusive !== null || side.length > 0
    if (permission) await post(`/permissions/${permission.requestId}`, { decision: 'deny' })
    else if (question) await post(`/questions/${question.questionId}`, { action: 'decline' })
    else if (isAtWork && served.model.requests.length > replied && !exclusive?.stopRequestedAt) reply()
    else if (!isAtWork) {
      replied = served.model.requests.length
      if (!queue.held) return queue.inputs.length === 0
      await post('/queue/release', {})
    }
    return false
  }

  return {
    id,
    log,
    post,
    begin,
    async callTool() {
      await begin('Look')
      replied = served.model.requests.length
      served.model.call('look', { path: 'a' })
      await expect.poll(async () => (await state()).pendingPermissions.length, { interval: 1 }).toBe(1)
      return (await state()).pendingPermissions[0]?.requestId ?? ''
    },
    async ask() {
      await begin('Wonder')
      replied = served.model.requests.length
      served.model.call('wonder', {})
      const requestId = async () => (await state()).pendingPermissions[0]?.requestId ?? ''
      await expect.poll(requestId, { interval: 1 }).not.toBe('')
      await post(`/permissions/${await requestId()}`, { decision: 'allow' })
      await expect.poll(async () => (await state()).pendingQuestions.length, { interval: 1 }).toBe(1)
      return (await state()).pendingQuestions[0]?.questionId ?? ''
    },
    settle: () => expect.poll(isSettled, { interval: 1, timeout: 5_000 }).toBe(true),
  }
}

function reply(): void {
  replied = served.model.requests.length
  served.model.say('An answer')
  served.model.end()
}

/** How often each kind of entry stands in the log. */
async function kinds({ log }: World): Promise<readonly string[]> {
  return (await log()).map(({ type }) => type).toSorted()
}

async function conversationCount(): Promise<number> {
  const counts = await Promise.all(
    [true, false].map(async (archived) => {
      const rows = await served.store.listConversations({ ownerId: 'local', archived, limit: 10_000 })
      return rows.length
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** A command as its route takes it. */
function requestOf(key: string, conversationId: string, fields: Readonly<Record<string, unknown>>): Request {
  const place = Object.entries(commands).find(([name]) => name === key)?.[1].place
  if (!place) throw new Error(`${key} is no route`)
  const body: Record<string, unknown> = { ...fields }
  const names: Readonly<Record<string, string>> = 'names' in place ? place.names : {}
  const path = place.path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    if (parameter === 'id') return conversationId
    const field = names[parameter] ?? parameter
    const value = String(body[field])
    delete body[field]
    return value
  })
  if (place.method !== 'DELETE') return { method: place.method, path: API_PATH + path, body }
  return { method: 'DELETE', path: `${API_PATH}${path}?commandId=${String(body['commandId'])}`, body: null }
}

/** An input that waits behind a turn. */
async function waiting(world: World): Promise<string> {
  await world.begin('First')
  const { body } = await world.post('/inputs', { content: text('Second') })
  return (body as { inputId: string }).inputId
}

/** @returns the message of a turn that was answered. */
async function answeredTurn(world: World): Promise<EntryOf<'user-message-sent'> & Entry> {
  await world.begin('A question')
  await world.settle()
  return last(world, 'user-message-sent')
}

async function checkpoint(world: World): Promise<number> {
  for (const _ of [1, 2, 3, 4]) await answeredTurn(world)
  await world.post('/checkpoint', {})
  await world.settle()
  return (await last(world, 'checkpoint-made')).seq
}

async function last<Type extends Entry['type']>({ log }: World, type: Type): Promise<Entry & EntryOf<Type>> {
  const found = (await log()).findLast((entry): entry is Entry & EntryOf<Type> => entry.type === type)
  if (!found) throw new Error(`The log has no ${type}`)
  return found
}
