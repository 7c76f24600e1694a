import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scripted } from '@holdfast/conformance'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type AgentsWorld, openAgentsWorld, type SeenEntry, type TestedConversation } from './agents/agents-world.ts'
import { compareBill } from './agents/bill.ts'
import { installAgents } from './agents/install-agents.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 480_000 })

let bin = ''
let world: AgentsWorld

beforeAll(async () => {
  bin = await installAgents('two')
})

afterEach(async () => {
  await world.close()
})

const says = (text: string): Scripted => ({ parts: [{ type: 'text', text }] })
const Settled = z.looseObject({ outcome: z.string(), content: z.array(z.looseObject({ text: z.string().optional() })) })
const Worktrees = z.object({
  worktrees: z.array(z.looseObject({ conversationId: z.string(), branch: z.string(), folder: z.string() })),
})

/** A conversation with one of ours in a repository of its own with something uncommitted; in a worktree where that is said. */
async function openOurs(more: object = {}): Promise<TestedConversation> {
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', world.project, ...args], { stdio: 'pipe' })
  const name = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
  git('init', '--quiet', '--initial-branch=main')
  git('add', 'README.md')
  git(...name, 'commit', '--quiet', '-m', 'begin')
  await writeFile(join(world.project, 'NOTES.md'), 'not committed\n')
  const begun = { commandId: 'ours', ...more }
  const { id } = z.looseObject({ id: z.string() }).parse(await world.program.call('POST', '/conversations', begun))
  return world.at(id)
}

interface Handed {
  readonly agent: string
  readonly task: string
  /** The tool of the agent's own, with its input. */
  readonly tool: string
  readonly input: object
}

/** Has our model hand out tasks at once, and each agent make its call. */
function scripted(words: string, tasks: readonly Handed[]): void {
  const isOurs = (text: string): boolean => text.includes('"run_agent"')
  let isHanded = false
  world.provider.when(
    ({ body }) => !isHanded && isOurs(JSON.stringify(body)) && JSON.stringify(body).includes(words),
    () => {
      isHanded = true
      const parts = tasks.map(({ agent, task }) => ({
        type: 'tool-call' as const,
        name: 'run_agent',
        input: { title: task, task, agent },
      }))
      return { parts }
    },
  )
  for (const { task, tool, input } of tasks) {
    let isMade = false
    world.provider.when(
      ({ body }) => {
        const text = JSON.stringify(body)
        return !isMade && !isOurs(text) && text.includes(task) && text.includes(`"${tool}"`)
      },
      () => {
        isMade = true
        return { parts: [{ type: 'tool-call', name: tool, input }] }
      },
    )
  }
}

async function allow(talk: TestedConversation, count: number): Promise<void> {
  await talk.until('permission-requested', count)
  for (const { requestId } of await talk.ofType('permission-requested')) {
    const body = { commandId: `allow-${String(requestId)}`, decision: 'allow', scope: 'call' }
    await world.program.call('POST', `/conversations/${talk.id}/permissions/${String(requestId)}`, body)
  }
}

async function children(talk: TestedConversation, count: number): Promise<readonly TestedConversation[]> {
  await talk.until('tool-call-started', count)
  const ids = (await talk.ofType('tool-call-started')).map((entry) => String(entry['childConversationId']))
  // The call is written down before the conversation that it names begins.
  for (const id of ids)
    await expect
      .poll(() => world.program.call('GET', `/conversations/${id}/entries?after=0&limit=1`), { timeout: 30_000 })
      .toHaveProperty('entries.0')
  return ids.map((id) => world.at(id))
}

async function worktreeOf(talk: TestedConversation): Promise<{ readonly branch: string; readonly folder: string }> {
  const { worktrees } = Worktrees.parse(await world.program.call('GET', `/worktrees?conversationId=${talk.id}`))
  const [one] = worktrees
  if (!one) throw new Error(`${talk.id} has no worktree`)
  return one
}

/** Seconds of waiting by which the sleeps of these tests are known from those of others. */
const MARK = '61977'

/** Those that sleep so long, and what started them. */
function sleepers(): readonly string[] {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.startsWith(`sleep ${MARK}`))
}

const turns = (log: readonly SeenEntry[]): number =>
  log.filter(({ type, purpose }) => type === 'usage-recorded' && purpose === 'turn').length

test.each([
  ['the folder', {}],
  ['the worktree of its caller', { place: 'worktree' }],
])(
  '[AGENT57, AGENT58, AGENT59] opencode and Gemini CLI work at once for one of ours, asked about, each in a worktree made of %s, and the bill is right to the token',
  async (_, place) => {
    world = await openAgentsWorld(bin, says('It is done.'))
    const talk = await openOurs(place)
    scripted('Hand it out', [
      { agent: 'opencode', task: 'Write part one', tool: 'write', input: { filePath: 'one.md', content: 'one\n' } },
      {
        agent: 'Gemini CLI',
        task: 'Write part two',
        tool: 'write_file',
        input: { file_path: 'two.md', content: 'two\n' },
      },
    ])
    await talk.send('Hand it out.')
    await allow(talk, 2)
    const [asked] = await talk.ofType('permission-requested')
    expect(asked?.['reason']).toContain('opencode, a program of this server (opencode acp): it works with all rights')
    const [one, two] = await children(talk, 2)
    if (!one || !two) throw new Error('Two began')
    // Both wait for their person at the same time.
    await one.until('permission-requested', 1)
    await two.until('permission-requested', 1)
    expect(await talk.ofType('tool-call-settled')).toEqual([])
    await allow(one, 1)
    await allow(two, 1)
    expect(await talk.turnEnd(1)).toMatchObject({ outcome: 'completed' })

    const settled = (await talk.ofType('tool-call-settled')).map((entry) => Settled.parse(entry))
    const told = settled.map(({ content }) => content.map(({ text }) => text ?? '').join(''))
    for (const [child, file] of [
      [one, 'one.md'],
      [two, 'two.md'],
    ] as const) {
      const { branch, folder } = await worktreeOf(child)
      const answer = told.find((text) => text.includes(branch))
      expect(answer).toContain(`A ${file}\n`)
      expect(readFileSync(join(folder, file), 'utf8')).toBe(`${file.slice(0, 3)}\n`)
      expect(existsSync(join(world.project, file))).toBe(false)
      // What was not committed came along where the caller works in the folder itself.
      expect(existsSync(join(folder, 'NOTES.md'))).toBe(!('place' in place))
    }
    const logs = await Promise.all([talk, one, two].map((each) => each.entries()))
    const [ours = []] = logs
    const bill = await compareBill(world.provider, logs)
    expect(bill).toMatchObject({ past: turns(ours), differing: [], doubled: turns(ours) })
    const ledger = z
      .looseObject({ subAgents: z.looseObject({ requestCount: z.number() }) })
      .parse(await world.program.call('GET', `/conversations/${talk.id}/ledger`))
    const requests = logs.slice(1).flatMap((log) => log.filter(({ type }) => type === 'usage-recorded'))
    expect(ledger.subAgents.requestCount).toBe(requests.length)
    expect(requests.length).toBeGreaterThan(3)
  },
)

test('[AGENT59] a stop of the caller ends opencode and Gemini CLI in the middle of a tool, with all that they started; after a kill -9 they are closed, and go on', async () => {
  world = await openAgentsWorld(bin, says('It is done.'))
  const talk = await openOurs()
  await talk.change({ permissionMode: 'bypass' })
  const both = (part: string): readonly Handed[] => [
    {
      agent: 'opencode',
      task: `Wait for ${part} one`,
      tool: 'bash',
      input: { command: `sleep ${MARK}`, description: 'Waits' },
    },
    {
      agent: 'gemini cli',
      task: `Wait for ${part} two`,
      tool: 'run_shell_command',
      input: { command: `sleep ${MARK}` },
    },
  ]
  scripted('Have it awaited', both('part'))
  await talk.send('Have it awaited.')
  const first = await children(talk, 2)
  for (const child of first) await child.until('tool-call-started', 1)
  await expect.poll(() => sleepers().length, { timeout: 60_000 }).toBe(2)
  await talk.stop()
  expect(await talk.turnEnd(1)).toMatchObject({ outcome: 'stopped' })
  for (const child of first) expect(await child.turnEnd(1)).toMatchObject({ outcome: 'stopped' })
  await expect.poll(() => sleepers().length, { timeout: 20_000 }).toBe(0)

  scripted('Once more', both('half'))
  await talk.send('Once more.')
  const [, , ...second] = await children(talk, 4)
  for (const child of second) await child.until('tool-call-started', 1)
  await expect.poll(() => sleepers().length, { timeout: 60_000 }).toBe(2)
  await world.killAndStart()
  expect(sleepers()).toEqual([])
  expect(await talk.turnEnd(2)).toMatchObject({ outcome: 'interrupted' })
  for (const child of second) {
    const [closed] = await child.ofType('run-finished')
    expect(closed).toMatchObject({ outcome: expect.stringMatching(/stopped|interrupted/) })
    // What it held is still there, and goes on.
    const { folder } = await worktreeOf(child)
    expect(await readFile(join(folder, 'NOTES.md'), 'utf8')).toBe('not committed\n')
    expect(await child.turn('Go on.')).toMatchObject({ outcome: 'completed' })
  }
  expect(await talk.turn('Go on.')).toMatchObject({ outcome: 'completed' })
})
