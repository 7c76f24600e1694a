import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConversationSettings, type EntryOf, overview } from '@holdfast/conversation'
import {
  createEngineOn,
  createInProcessBus,
  type Engine,
  type EnginePorts,
  type OfferedAgent,
  type ToolsQuery,
} from '@holdfast/engine'
import { sha256, sha256Both, systemClock } from '@holdfast/engine/system'
import { agentsOf, createScriptedModel, offered, type ScriptLine, says } from '@holdfast/engine/testing'
import { UNKNOWN_MODEL } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPermissionRules, defineTool, type PermissionRule, type Tool } from '@holdfast/tool'
import { type AgentProgram, createSubAgentTool, type Places } from '@holdfast/workbench'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { calls } from './support/tools.ts'
import { openBench } from './support/worktree-bench.ts'

const MODEL = 'external:helper'
const HELPER: AgentProgram = {
  modelId: MODEL,
  name: 'Helper',
  command: 'helper acp',
  pinned: 'helper-as-it-is',
  settings: { modelId: MODEL, stepsPerRun: 1_000 },
}
const person = { type: 'person', userId: 'ann' } as const
const ALLOWED: readonly PermissionRule[] = ['run_agent', 'write'].map((tool) => ({ id: tool, effect: 'allow', tool }))

let bench: ReturnType<typeof openBench>
beforeEach(() => {
  bench = openBench()
})
afterEach(() => bench.remove())

interface Opened {
  readonly ours: readonly (readonly ScriptLine[])[]
  readonly helpers: readonly (readonly ScriptLine[])[]
  readonly rules?: readonly PermissionRule[]
  readonly agents?: readonly OfferedAgent[]
  readonly programs?: AgentProgram[]
  readonly folder?: string
}

const hand = (callId: string, more: object = {}) => ({
  callId,
  name: 'run_agent',
  input: { title: `Part ${callId}`, task: `Do ${callId}`, agent: 'helper', ...more },
})
const write = (path: string, text: string) => calls({ callId: `w-${path}`, name: 'write', input: { path, text } })

/** An engine with a program among its agents, whose conversations work in the repository of the bench. */
async function openEngine({ ours, helpers, rules, agents, programs = [HELPER], folder }: Opened) {
  const worktrees = await bench.open()
  const { store, records } = createMemoryStore({ clock: systemClock })
  const [model, helper] = [createScriptedModel(ours), createScriptedModel(helpers)]
  const places: Pick<Places, 'folderOf'> = {
    folderOf: ({ settings: { worktreeId } }) =>
      worktreeId === undefined ? (folder ?? bench.repository) : (worktrees.find(worktreeId)?.folder ?? null),
  }
  let made = 0
  const handing = {
    places,
    programs: {
      of: (ownerId: string) => (ownerId === 'ann' ? programs : []),
      worktrees: {
        whyNone: worktrees.whyNone,
        make: (wish: object) => worktrees.make(bench.wish({ ...wish, carries: true })),
        workDone: worktrees.workDone,
        remove: async (id: string) => void (await worktrees.remove(id)),
      },
    },
  }
  const tools = new Map<string, Tool>()
  /** One for each conversation, as the program keeps them. */
  const subAgentToolOf = (parent: ToolsQuery): Tool => {
    const tool = tools.get(parent.conversationId) ?? createSubAgentTool({ engine, ports, parent, handing })
    tools.set(parent.conversationId, tool)
    return tool
  }
  const choice = { providerModelId: 'm', facts: UNKNOWN_MODEL }
  const ports: EnginePorts = {
    store,
    records,
    bus: createInProcessBus(),
    clock: systemClock,
    ids: { next: (prefix) => `${prefix}_${++made}` },
    random: { next: () => 0.5 },
    sha256,
    sha256Both,
    models: () => [
      { ...choice, modelId: 'ours', name: 'Ours', port: model },
      { ...choice, modelId: MODEL, name: 'Helper', port: helper },
    ],
    toolsOf: (parent) => [
      subAgentToolOf(parent),
      defineTool({
        name: 'write',
        description: 'Writes a file.',
        input: z.object({ path: z.string(), text: z.string() }),
        category: 'edit',
        argumentRoles: { path: 'path', text: 'plain' },
        run: ({ path, text }) => writeFileSync(join(places.folderOf(parent) ?? '', path), text),
      }),
    ],
    permissions: createPermissionRules({ defaultPolicy: 'ask', rules: rules ?? ALLOWED, workspaceRoot: '/folder' })
      .policy,
    agents: agentsOf(agents ?? [offered(MODEL, HELPER.settings, { name: 'Helper', origin: 'operator' })]),
    holder: 'process',
  }
  const engine: Engine = createEngineOn(ports, { onFault: () => {} })
  const log = async (id: string) => (await store.read({ conversationId: id, after: 0, limit: 500 })).entries
  const of = async <Type extends string>(id: string, type: Type) =>
    (await log(id)).filter((entry): entry is EntryOf<Type & 'run-finished'> => entry.type === type)
  return {
    engine,
    model,
    helper,
    worktrees,
    log,
    of,
    async start(settings: ConversationSettings = {}, ownerId = 'ann') {
      const conversationId = engine.conversationIdFor(ownerId, 'create')
      const begun = { commandId: 'create', actor: person, ownerId, title: null, modelId: 'ours', settings }
      await engine.createConversation(begun)
      const content = [{ type: 'text' as const, text: 'Have it done' }]
      await engine.sendMessage({ commandId: 'send', actor: person, conversationId, lane: 'turn', content })
      return conversationId
    },
    async ended(id: string) {
      return vi.waitFor(async () => {
        const [end] = await of(id, 'run-finished')
        if (!end) throw new Error('It has not ended')
        return end
      }, 20_000)
    },
    /** What calls of a conversation were answered, in the order in which they settled. */
    async answers(id: string): Promise<readonly { readonly outcome: string; readonly text: string }[]> {
      return (await log(id)).flatMap((entry) =>
        entry.type === 'tool-call-settled'
          ? [
              {
                outcome: entry.outcome,
                text: entry.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
              },
            ]
          : [],
      )
    },
    async children(id: string, count: number): Promise<readonly string[]> {
      return vi.waitFor(async () => {
        const found = (await log(id)).flatMap((entry) =>
          entry.type === 'tool-call-started' ? (entry.childConversationId ?? []) : [],
        )
        if (found.length < count) throw new Error(`${found.length} began`)
        return found
      }, 20_000)
    },
    async answer(id: string, callId: string) {
      const request = (await log(id)).find(
        (entry) => entry.type === 'permission-requested' && entry.callId === callId,
      ) as EntryOf<'permission-requested'>
      const { requestId } = request
      const yes = { commandId: `yes-${callId}`, actor: person, conversationId: id, requestId }
      await engine.answerPermission({ ...yes, decision: 'allow', scope: 'call' })
    },
  }
}

describe('a program that a task is handed to', () => {
  it('[AGENT57] is named by the tool, found by its name, and no other one than it was when a person was asked', async () => {
    const programs = [HELPER]
    const opened = await openEngine({
      ours: [calls(hand('c1')), says('Done')],
      helpers: [says('Done by me')],
      rules: [],
      programs,
    })
    const { start, engine, model, helper, log, answers, ended, answer } = opened
    const id = await start()
    const request = await vi.waitFor(async () => {
      const found = (await log(id)).find((entry) => entry.type === 'permission-requested')
      if (!found) throw new Error('Nobody was asked')
      return found
    }, 20_000)
    expect(model.requests[0]?.tools.find(({ name }) => name === 'run_agent')?.description).toContain('"Helper"')
    expect(request).toMatchObject({
      reason: expect.stringMatching(
        /It is Helper, a program of this server \(helper acp\): it works with all rights of the account .*, in a worktree of its own, made of .*repository/,
      ),
    })
    programs[0] = { ...HELPER, command: 'other', pinned: 'another-program' }
    await answer(id, 'c1')
    await ended(id)
    expect(await answers(id)).toMatchObject([{ outcome: 'error', text: expect.stringContaining('is another by now') }])
    expect(helper.requests).toEqual([])
    await engine.close()
  })

  it('[AGENT72] is named to the model with its id where another has its name', async () => {
    const programs = [HELPER, { ...HELPER, name: 'helper', modelId: `${MODEL}-2` }, { ...HELPER, name: 'Third' }]
    const { start, ended, model, engine } = await openEngine({ ours: [says('Done')], helpers: [], programs })
    await ended(await start())
    const { description } = model.requests[0]?.tools.find(({ name }) => name === 'run_agent') ?? {}
    expect(description).toContain(`"${MODEL}" ("Helper"), "${MODEL}-2" ("helper"), "Third".`)
    await engine.close()
  })

  it('[AGENT57] is not there for who may not run programs, nor by an agent of theirs that names it', async () => {
    const { start, ended, answers, model, helper, engine } = await openEngine({
      ours: [calls(hand('c1', { agent: 'mine' })), says('Done')],
      helpers: [says('Done by me')],
      agents: [offered('agent_1', { modelId: MODEL }, { name: 'Mine' })],
    })
    const id = await start({}, 'bob')
    await ended(id)
    expect(model.requests[0]?.tools.find(({ name }) => name === 'run_agent')?.description).not.toContain('Helper')
    expect(await answers(id)).toMatchObject([
      { outcome: 'error', text: expect.stringContaining('only administrators may run. Nothing ran') },
    ])
    expect(helper.requests).toEqual([])
    await engine.close()
  })

  it('[AGENT58] works in a worktree begun at what the folder holds, uncommitted or not; its caller is told branch and files, and takes them over', async () => {
    bench.write('gone.md', 'to be removed\n')
    bench.git(['add', 'gone.md'])
    bench.git(['commit', '--quiet', '-m', 'more'])
    bench.write('readme.md', 'first\nsecond, changed by its person\nthird\n')
    bench.write('staged.md', 'staged\n')
    bench.git(['add', 'staged.md'])
    bench.write('loose ü.md', 'not known to git\n')
    bench.write('.env', 'SECRET=1')
    rmSync(join(bench.repository, 'gone.md'))
    const before = bench.git(['status', '--porcelain=v2'])
    const { start, ended, answers, children, log, worktrees, engine } = await openEngine({
      ours: [calls(hand('c1')), says('Done')],
      helpers: [write('made.md', 'made\n'), write('loose ü.md', 'known now\n'), says('I made it.')],
    })
    const id = await start()
    await ended(id)
    const [child = ''] = await children(id, 1)
    const { settings } = overview.reduce(overview.initial, await log(child))
    const worktree = worktrees.find(settings.worktreeId ?? '')
    expect(worktree).toMatchObject({ conversationId: child, state: 'ready', isCarried: true, baseBranch: 'main' })
    const folder = worktree?.folder ?? ''
    expect(readFileSync(join(folder, 'readme.md'), 'utf8')).toContain('changed by its person')
    expect(readFileSync(join(folder, 'staged.md'), 'utf8')).toBe('staged\n')
    expect(existsSync(join(folder, 'gone.md'))).toBe(false)
    const [told] = await answers(id)
    expect(told?.outcome).toBe('ok')
    expect(told?.text).toContain(`I made it.\n\nIt worked in a worktree of its own, on branch ${worktree?.branch}`)
    expect(told?.text).toContain('with what is not committed there')
    expect(told?.text).toContain('M changed, D deleted):\nM loose ü.md\nA made.md\n')
    // Nothing of the caller's folder moved.
    expect(bench.git(['status', '--porcelain=v2'])).toBe(before)
    expect(existsSync(join(bench.repository, 'made.md'))).toBe(false)
    const range = /git diff --binary (\w+) (\w+) \| git apply/.exec(told?.text ?? '')
    const patch = bench.git(['diff', '--binary', range?.[1] ?? '', range?.[2] ?? ''])
    expect(patch).toContain('made.md')
    expect(patch).not.toContain('readme.md')
    // Or its person does, with their own changes where they were.
    const finish = { conversationId: child, commandId: 'f', how: 'apply', title: 'Part' } as const
    expect(await worktrees.finish(finish)).toMatchObject({ how: 'apply', isRemoved: true })
    expect(readFileSync(join(bench.repository, 'made.md'), 'utf8')).toBe('made\n')
    expect(readFileSync(join(bench.repository, 'loose ü.md'), 'utf8')).toBe('known now\n')
    expect(readFileSync(join(bench.repository, 'readme.md'), 'utf8')).toContain('changed by its person')
    await engine.close()
  })

  it('[AGENT66] leaves no worktree where its task ended and changed nothing; it can be brought back', async () => {
    const ours = [calls(hand('a')), [...says('I see.')]]
    const { start, ended, of, worktrees } = await openEngine({ ours, helpers: [[...says('Nothing is wrong.')]] })
    const id = await start()
    expect(await ended(id)).toMatchObject({ outcome: 'completed' })
    const [{ worktree, now } = { worktree: null, now: null }] = await worktrees.list({
      ownerId: null,
      conversationId: null,
    })
    expect(worktree).toMatchObject({ state: 'removed' })
    expect([now, existsSync(worktree?.folder ?? '')]).toEqual([null, false])
    const [settled] = await of(id, 'tool-call-settled')
    expect(JSON.stringify(settled)).toContain('It changed no file, so the worktree was removed')
    await worktrees.restore(worktree?.id ?? '')
    expect(existsSync(worktree?.folder ?? '')).toBe(true)
  })

  it('[AGENT66] leaves no worktree where its caller was stopped before it changed something, and its work where it had', async () => {
    const waits: readonly ScriptLine[] = [...says('Working').slice(0, -2), { type: 'wait' }]
    const opened = await openEngine({
      ours: [calls(hand('c1'), hand('c2'))],
      helpers: [waits, write('made.md', 'made'), waits],
    })
    const { start, children, ended, helper, worktrees, engine } = opened
    const id = await start()
    const both = await children(id, 2)
    await vi.waitFor(() => expect(helper.requests).toHaveLength(3), 20_000)
    const changed = both.map((child) => existsSync(join(worktrees.of(child)?.folder ?? '', 'made.md')))
    await engine.stopRun({ commandId: 'stop', actor: person, conversationId: id, runId: null, force: false })
    await vi.waitFor(() => expect(helper.abortedCount()).toBe(2), 20_000)
    helper.proceed()
    expect(await ended(id)).toMatchObject({ outcome: 'stopped' })
    expect([...changed].sort()).toEqual([false, true])
    const left = async () => {
      const all = await worktrees.list({ ownerId: null, conversationId: null })
      return both.map((child) => all.find(({ worktree }) => worktree.conversationId === child)?.worktree.state)
    }
    await vi.waitFor(
      async () => expect(await left()).toEqual(changed.map((has) => (has ? 'ready' : 'removed'))),
      20_000,
    )
    await engine.close()
  })

  it('[AGENT58] works in the folder itself where no worktree can be made of it, and says so; where one is refused for now, it does not begin', async () => {
    const plain = join(bench.folder, 'plain')
    mkdirSync(plain)
    const inPlace = await openEngine({
      ours: [calls(hand('c1')), says('Done')],
      helpers: [write('made.md', 'made'), says('I made it.')],
      folder: plain,
    })
    const id = await inPlace.start()
    await inPlace.ended(id)
    expect(readFileSync(join(plain, 'made.md'), 'utf8')).toBe('made')
    expect(await inPlace.answers(id)).toMatchObject([
      { outcome: 'ok', text: expect.stringMatching(/in the folder of this conversation itself: .*no git repository/) },
    ])
    bench.bounds.mostWorktrees = 0
    const refused = await openEngine({ ours: [calls(hand('c1')), says('Done')], helpers: [says('I made it.')] })
    const other = await refused.start()
    await refused.ended(other)
    expect(refused.helper.requests).toEqual([])
    expect(await refused.answers(other)).toMatchObject([
      { outcome: 'error', text: expect.stringMatching(/did not begin.*There are 0 worktrees, and 0 may be/) },
    ])
    await Promise.all([inPlace.engine.close(), refused.engine.close()])
  })

  it('[AGENT59] works beside another, each as soon as it is allowed, and a stop of their caller ends both', async () => {
    const waits: readonly ScriptLine[] = [...says('Working').slice(0, -2), { type: 'wait' }]
    const opened = await openEngine({
      ours: [calls(hand('c1'), hand('c2')), says('Done')],
      helpers: [waits, waits],
      rules: [],
    })
    const { start, children, ended, engine, log, helper, answer, worktrees, answers } = opened
    const id = await start()
    await vi.waitFor(
      async () => expect((await log(id)).filter(({ type }) => type === 'permission-requested')).toHaveLength(2),
      20_000,
    )
    await answer(id, 'c1')
    await children(id, 1)
    await vi.waitFor(() => expect(helper.requests).toHaveLength(1), 20_000)
    // The first one still works when its person answers about the second.
    await answer(id, 'c2')
    const both = await children(id, 2)
    await vi.waitFor(() => expect(helper.requests).toHaveLength(2), 20_000)
    expect((await log(id)).filter(({ type }) => type === 'tool-call-settled')).toEqual([])
    expect(new Set(both.map((child) => worktrees.of(child)?.folder)).size).toBe(2)
    await engine.stopRun({ commandId: 'stop', actor: person, conversationId: id, runId: null, force: false })
    await vi.waitFor(() => expect(helper.abortedCount()).toBe(2), 20_000)
    helper.proceed()
    expect(await ended(id)).toMatchObject({ outcome: 'stopped' })
    for (const child of both) expect(await ended(child)).toMatchObject({ outcome: 'stopped' })
    expect((await answers(id)).map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted'])
    await engine.close()
  })

  it.each<[ConversationSettings, ConversationSettings, string]>([
    [{ permissionMode: 'bypass' }, {}, 'bypass'],
    [{ permissionMode: 'bypass' }, { permissionMode: 'accept-edits' }, 'accept-edits'],
    [{ permissionMode: 'bypass', toolMode: 'manual', includedTools: ['run_agent'] }, {}, 'ask'],
    [{ permissionMode: 'bypass' }, { toolMode: 'manual', includedTools: ['read_file'] }, 'ask'],
    [
      { permissionMode: 'accept-edits', toolMode: 'manual', includedTools: ['run_agent'] },
      { permissionMode: 'plan' },
      'plan',
    ],
  ])(
    '[AGENT60] permits no more than its caller: %j hands to %j in mode %s, with all its own tools',
    async (caller, says_, mode) => {
      const opened = await openEngine({
        ours: [calls(hand('c1', { agent: 'mine' })), says('Done')],
        helpers: [says('I did.')],
        agents: [offered('agent_1', { ...says_, modelId: MODEL, instructions: 'Be brief' }, { name: 'Mine' })],
        rules: [{ id: 'hand', effect: 'allow', tool: 'run_agent' }],
      })
      const { start, children, ended, log, helper, engine } = opened
      const id = await start(caller)
      const [child = ''] = await children(id, 1)
      await ended(child)
      const { settings } = overview.reduce(overview.initial, await log(child))
      expect(settings).toMatchObject({ permissionMode: mode, modelId: MODEL, toolMode: 'cached', stepsPerRun: 1_000 })
      expect(settings).not.toHaveProperty('includedTools')
      expect(helper.requests[0]?.system).toBe('Be brief')
      await ended(id)
      await engine.close()
    },
  )
})
