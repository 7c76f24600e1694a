import type { NewEntry } from '@holdfast/conversation'
import type { ChangeReviewer, EnginePorts } from '@holdfast/engine'
import { agentsOf, createManualClock, createScriptedModel, offered, says } from '@holdfast/engine/testing'
import { freePrice, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { defineTool, type Tool } from '@holdfast/tool'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { EngineCommands } from '../src/commands/create-commands.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, clientTool, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

/** Those that no id of a command names: what they ask for is the same by itself, or there no more. */
type WithoutId =
  | 'addAlwaysRule'
  | 'mendPreview'
  | 'noteAgent'
  | 'dismissSuggestion'
  | 'deleteConversation'
  | 'eraseEntries'

/** Makes the way to send one command, always with the same id. */
type Prepare = (world: World) => Promise<() => Promise<unknown>>

interface World extends Harness {
  /** Names the conversation, for every command. */
  readonly base: { readonly commandId: string; readonly actor: typeof actor; readonly conversationId: string }
  /** All that a command could look up goes: models, agents, tools, folders, and the path to the past. */
  loseAll(): Promise<void>
}

/** Asks its person while it runs. */
const asking = defineTool({
  name: 'ask',
  description: 'Asks.',
  input: z.object({}),
  category: 'read',
  run: async (_, { person, signal }) => {
    return JSON.stringify(
      await person?.ask({ source: 'ask', message: 'Yes?', wish: { type: 'form', fields: [] } }, { signal }),
    )
  },
})

/** Has the name of a tool that was there, and nothing that a rule could be about. */
const otherRead = defineTool({
  name: 'read',
  description: 'Reads nothing.',
  input: z.object({}),
  category: 'execute',
  run: () => 'nothing',
})

const changeReviewer: ChangeReviewer = {
  read: async () => ({ base: null, files: [] }),
  decide: async ({ changes }) => {
    const made = changes.filter(({ change }) => change.path !== 'mine.txt').map(({ change }) => change)
    const conflicts = changes
      .filter(({ change }) => change.path === 'mine.txt')
      .map(({ change: { path } }) => ({ path, reason: 'Something else changed it.' }))
    return { changes: made, marks: [], rejected: [], conflicts }
  },
}

/** Calls that the second turn makes, so that it waits in the middle; none where it ends. */
async function openWorld(waiting: 'edit' | 'ask' | 'local' | null): Promise<World> {
  const read = testTool({ name: 'read', category: 'read' })
  const tools: Tool[] = [read.tool, testTool({ name: 'edit', category: 'edit' }).tool, asking, clientTool('local')]
  const agents = [offered('ada', { instructions: 'You are Ada' })]
  const input = waiting === 'edit' ? { path: 'a' } : {}
  const model = createScriptedModel([
    calls({ callId: 'c1', name: 'read', input: { path: 'a' } }),
    says('One'),
    waiting === null ? says('Two') : calls({ callId: 'c2', name: waiting, input }),
    says('More'),
  ])
  let isLost = false
  const models: EnginePorts['models'] = () => {
    if (isLost) return []
    const facts = withOverride(UNKNOWN_MODEL, { price: freePrice('local') })
    return [{ modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', port: model, facts }]
  }
  const workspaceOf: EnginePorts['workspaceOf'] = () => (isLost ? null : '/folder')
  const ports = { models, workspaceOf, agents: agentsOf(agents), changeReviewer }
  const harness = await openHarness([], tools, null, { clock: createManualClock(), ports })
  const { conversationId, engine, store, send, until, log } = harness
  await send('First', 'send-1')
  await until('run-finished', 1)
  await send('Second', 'send-2')
  if (waiting === null) await until('run-finished', 2)
  else if (waiting === 'local') await until('tool-call-started', 2)
  else await until(waiting === 'edit' ? 'permission-requested' : 'question-asked', 1)
  await engine.resume(conversationId)
  const base = { commandId: 'once', actor, conversationId }
  return {
    ...harness,
    base,
    async loseAll() {
      isLost = true
      tools.splice(0, tools.length, otherRead)
      agents.length = 0
      if (waiting !== null) return
      const rewind = { ...base, commandId: 'rewind', toSeq: 0, reason: 'rewind' } as const
      await vi.waitFor(() => engine.rewind(rewind))
      expect(await store.read({ conversationId, after: 0, limit: 1 })).toMatchObject({ head: (await log()).length })
    },
  }
}

async function seqOf({ log }: World, type: NewEntry['type']): Promise<number> {
  return (await log()).findLast((entry) => entry.type === type)?.seq ?? 0
}

/** Entries that nothing in these conversations makes by itself. */
async function append({ store, conversationId, log }: World, entries: readonly NewEntry[]): Promise<number> {
  const after = (await log()).length
  await store.append({ conversationId, after, entries, at: 1_000 })
  return after + entries.length
}

async function withCheckpoint(world: World): Promise<number> {
  const kept = (await world.log()).findLast(({ type }) => type === 'run-started')?.seq ?? 0
  const covers = { coversFromSeq: 1, coversToSeq: kept - 1, keptFromSeq: kept, verbatimSeqs: [] }
  const engine = { type: 'engine' } as const
  return append(world, [{ type: 'checkpoint-made', actor: engine, source: 'person', summary: 'Short', ...covers }])
}

const idle = () => openWorld(null)
const parked = () => openWorld('edit')

async function waitingInput({ send }: World): Promise<string> {
  return (await send('Waits', 'send-3')).inputId
}

interface Case {
  readonly open: () => Promise<World>
  readonly prepare: Prepare
}

const changes: readonly [string, Readonly<Record<string, string>>][] = [
  ['a model', { modelId: 'scripted' }],
  ['a folder', { workspace: '/folder' }],
  ['an agent', { agentId: 'ada' }],
]

const rule = { effect: 'allow', tool: 'read', pattern: 'a' } as const

const COMMANDS: Readonly<Record<Exclude<keyof EngineCommands, WithoutId>, Readonly<Record<string, Case>>>> = {
  createConversation: {
    'with a model and an agent': {
      open: idle,
      prepare: async ({ engine, base }) => {
        const command = { ...base, ownerId: 'user_1', title: 'Other', modelId: 'scripted', agentId: 'ada' }
        const { conversationId: _, ...create } = command
        return () => engine.createConversation(create)
      },
    },
  },
  sendMessage: {
    'with words': {
      open: idle,
      prepare: async ({ engine, base }) => {
        const content = [{ type: 'text', text: 'Third' } as const]
        return () => engine.sendMessage({ ...base, content, lane: 'turn' })
      },
    },
  },
  admitOccurrence: {
    'in a conversation': {
      open: idle,
      prepare: async ({ engine, base }) => {
        const content = [{ type: 'text', text: 'Third' } as const]
        const schedule = { scheduleId: 'schedule_1', plannedAt: 1_000, unattended: 'deny', rules: [] } as const
        const asked = { inputId: 'input_of_schedule', content, schedule, begins: null, records: [] }
        return () => engine.admitOccurrence({ ...base, ...asked, schedule: { ...schedule, rules: [] } })
      },
    },
  },
  stopRun: {
    'of a turn that waits': {
      open: parked,
      prepare:
        async ({ engine, base }) =>
        () =>
          engine.stopRun({ ...base, runId: null, force: false }),
    },
  },
  changeInput: {
    'with other words': {
      open: parked,
      prepare: async (world) => {
        const inputId = await waitingInput(world)
        const content = [{ type: 'text', text: 'Else' } as const]
        return () => world.engine.changeInput({ ...world.base, inputId, content })
      },
    },
  },
  removeInput: {
    'that waits': {
      open: parked,
      prepare: async (world) => {
        const inputId = await waitingInput(world)
        return () => world.engine.removeInput({ ...world.base, inputId })
      },
    },
  },
  sendInputNow: {
    'that waits': {
      open: parked,
      prepare: async (world) => {
        const inputId = await waitingInput(world)
        return () => world.engine.sendInputNow({ ...world.base, inputId })
      },
    },
  },
  holdQueue: {
    'of a turn that waits': {
      open: parked,
      prepare:
        async ({ engine, base }) =>
        () =>
          engine.holdQueue(base),
    },
  },
  releaseQueue: {
    'that is held': {
      open: parked,
      prepare: async ({ engine, base }) => {
        await engine.holdQueue({ ...base, commandId: 'hold' })
        return () => engine.releaseQueue(base)
      },
    },
  },
  answerPermission: Object.fromEntries(
    (['call', 'conversation', 'always'] as const).map((scope): [string, Case] => [
      `for ${scope}`,
      {
        open: parked,
        prepare: async (world) => {
          const asked = (await world.log()).find((entry) => entry.type === 'permission-requested')
          const requestId = asked?.type === 'permission-requested' ? asked.requestId : ''
          return () => world.engine.answerPermission({ ...world.base, requestId, decision: 'allow', scope })
        },
      },
    ]),
  ),
  answerQuestion: {
    'with a form': {
      open: () => openWorld('ask'),
      prepare: async (world) => {
        const asked = (await world.log()).find((entry) => entry.type === 'question-asked')
        const questionId = asked?.type === 'question-asked' ? asked.questionId : ''
        return () => world.engine.answerQuestion({ ...world.base, questionId, action: 'accept', content: {} })
      },
    },
  },
  answerCalls: {
    'with a result': {
      open: () => openWorld('local'),
      prepare: async ({ engine, base }) => {
        const results = [{ callId: 'c2', text: 'done', isError: false, images: [] }]
        return () => engine.answerCalls({ ...base, results, others: 'leave' })
      },
    },
  },
  changeSettings: Object.fromEntries(
    changes.map(([name, change]): [string, Case] => [
      name,
      {
        open: idle,
        prepare:
          async ({ engine, base }) =>
          () =>
            engine.changeSettings({ ...base, changes: change }),
      },
    ]),
  ),
  changeCanvas: {
    'with a card': {
      open: idle,
      prepare: async ({ engine, base }) => {
        const wish = { type: 'add', content: { type: 'card', title: 'One' } } as const
        return () => engine.changeCanvas({ ...base, wish })
      },
    },
  },
  changeConversation: Object.fromEntries([
    ...changes.map(([name, change]): [string, Case] => [
      name,
      {
        open: idle,
        prepare:
          async ({ engine, base }) =>
          () =>
            engine.changeConversation({ ...base, changes: change }),
      },
    ]),
    [
      'its place',
      {
        open: parked,
        prepare:
          async ({ engine, base }) =>
          () =>
            engine.changeConversation({ ...base, archived: true }),
      },
    ],
  ]),
  pinMessage: {
    'of a person': {
      open: idle,
      prepare: async (world) => {
        const messageSeq = await seqOf(world, 'user-message-sent')
        return () => world.engine.pinMessage({ ...world.base, messageSeq, isPinned: true })
      },
    },
  },
  switchAutoFix: {
    'of a preview': {
      open: idle,
      prepare:
        async ({ engine, base }) =>
        () =>
          engine.switchAutoFix({ ...base, previewId: 'preview_1', isOn: true }),
    },
  },
  excludeResult: {
    'of a call': {
      open: idle,
      prepare: async (world) => {
        const resultSeq = await seqOf(world, 'tool-call-settled')
        return () => world.engine.excludeResult({ ...world.base, resultSeq, isExcluded: true })
      },
    },
  },
  makeCheckpoint: {
    'of all': {
      open: idle,
      prepare:
        async ({ engine, base }) =>
        () =>
          engine.makeCheckpoint({ ...base, focus: null }),
    },
  },
  editCheckpoint: {
    'with other words': {
      open: idle,
      prepare: async (world) => {
        const checkpointSeq = await withCheckpoint(world)
        return () => world.engine.editCheckpoint({ ...world.base, checkpointSeq, summary: 'Other' })
      },
    },
  },
  undoCheckpoint: {
    'that counts': {
      open: idle,
      prepare: async (world) => {
        const checkpointSeq = await withCheckpoint(world)
        return () => world.engine.undoCheckpoint({ ...world.base, checkpointSeq })
      },
    },
  },
  makeTitle: {
    'of all': {
      open: idle,
      prepare:
        async ({ engine, base }) =>
        () =>
          engine.makeTitle(base),
    },
  },
  rewind: {
    'to ask the last again': {
      open: idle,
      prepare: async (world) => {
        const toSeq = (await world.log()).find(({ type }) => type === 'run-finished')?.seq ?? 0
        return () => world.engine.rewind({ ...world.base, toSeq, reason: 'retry' })
      },
    },
  },
  selectPath: {
    'that was set aside': {
      open: idle,
      prepare: async (world) => {
        const headSeq = await seqOf(world, 'run-finished')
        await world.engine.rewind({ ...world.base, commandId: 'aside', toSeq: 0, reason: 'rewind' })
        return () => world.engine.selectPath({ ...world.base, headSeq })
      },
    },
  },
  fork: {
    'at the end': {
      open: idle,
      prepare: async (world) => {
        const atSeq = await seqOf(world, 'run-finished')
        return () => world.engine.fork({ ...world.base, atSeq })
      },
    },
  },
  reset: {
    'of a turn that waits': {
      open: parked,
      prepare:
        async ({ engine, base }) =>
        () =>
          engine.reset(base),
    },
    'that is undone, and done anew': {
      open: parked,
      prepare: async ({ engine, base }) => {
        let count = 0
        return async () => {
          const answer = await engine.reset(base)
          if (count++ > 0) return answer
          await engine.changeConversation({ ...base, commandId: 'undo', archived: false })
          await engine.reset({ ...base, commandId: 'anew' })
          return answer
        }
      },
    },
  },
  decideChanges: Object.fromEntries(
    ['a.txt', 'mine.txt'].map((path): [string, Case] => [
      `of ${path}`,
      {
        open: idle,
        prepare: async (world) => {
          const changed: NewEntry = { type: 'files-changed', actor, changes: [{ path, kind: 'deleted' }] }
          const seq = await append(world, [changed])
          return () =>
            world.engine.decideChanges({
              ...world.base,
              target: { type: 'set', seq },
              decisions: [{ path, keep: false }],
            })
        },
      },
    ]),
  ),
  addRule: {
    'of a tool': {
      open: idle,
      prepare:
        async ({ engine, base }) =>
        () =>
          engine.addRule({ ...base, rule }),
    },
  },
  revokeRule: {
    'that holds': {
      open: idle,
      prepare: async ({ engine, base }) => {
        const { ruleId } = await engine.addRule({ ...base, commandId: 'rule', rule })
        return () => engine.revokeRule({ ...base, ruleId })
      },
    },
  },
}

describe('a command that is sent twice is answered twice the same', () => {
  for (const [name, cases] of Object.entries(COMMANDS))
    for (const [about, { open, prepare }] of Object.entries(cases))
      for (const isLost of [false, true])
        it(`[LOG4] ${name} ${about}${isLost ? ', also where all that it looked up is gone' : ''}`, async () => {
          const world = await open()
          try {
            const send = await prepare(world)
            const first = await send()
            if (isLost) await world.loseAll()
            expect(await send()).toEqual(first)
          } finally {
            const closed = world.engine.close()
            await world.clock.advance(5_000)
            await closed
          }
        })
})
