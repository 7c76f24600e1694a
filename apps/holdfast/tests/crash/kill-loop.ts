import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { createHistory, type History } from './history.ts'
import { RefusedCallError, type ServerProcess, startServerProcess } from './server-process.ts'

/** What a loop of kills came to. */
export interface KillReport {
  readonly kills: number
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly invalid: number
  /** The slowest start after a kill, in milliseconds. */
  readonly slowestStartMs: number
  /** What was found, in words. */
  readonly findings: readonly string[]
}

const CONVERSATIONS = 4
const LONGEST_LIFE_MS = 700
const SCENARIOS = ['stream-fast', 'stream-long', 'thinking', 'drop-mid-stream', 'auth-error', 'no-usage']
const LANES = ['turn', 'turn', 'steer', 'interrupt']
const ANSWER_LIMIT_MS = 30_000

const Created = z.object({ id: z.string() })
const Sent = z.object({ seq: z.int(), inputId: z.string() })
const Page = z.object({ entries: z.array(z.looseObject({ seq: z.int() })), head: z.int() })

const RunEntry = z.looseObject({
  type: z.string(),
  inputId: z.string().exactOptional(),
  runId: z.string().exactOptional(),
})

interface Message {
  readonly conversationId: string
  readonly commandId: string
  readonly body: { readonly commandId: string; readonly lane: string; readonly content: readonly unknown[] }
}

/** What a loop is run with. */
export interface KillLoopOptions {
  readonly kills: number
  readonly random: () => number
  /** Called behind each kill whose traces were compared, with how many there were. */
  readonly onKill: (count: number) => void
}

/** Kills a real server so many times at random moments of its work, and compares what is left with what it said. */
export async function killLoop({ kills, random, onKill }: KillLoopOptions): Promise<KillReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-crash-'))
  const history = createHistory()
  const unanswered = new Map<string, Message>()
  let slowestStartMs = 0
  let server = await startServerProcess(dataDir)
  try {
    const ids: string[] = []
    for (let number = 0; number < CONVERSATIONS; number++)
      ids.push(Created.parse(await server.call('POST', '/conversations', { commandId: `create_${number}` })).id)
    for (let kill = 0; kill < kills; kill++) {
      const isOver = new AbortController()
      const load = ids.map((id, client) =>
        useServer({ server, id, history, unanswered, random, name: `${kill}_${client}`, signal: isOver.signal }),
      )
      await sleep(random() * LONGEST_LIFE_MS)
      isOver.abort()
      await server.kill()
      await Promise.all(load)
      server = await startServerProcess(dataDir)
      slowestStartMs = Math.max(slowestStartMs, server.startMs)
      for (const id of ids) history.compare(id, await readLog(server, id))
      onKill(kill + 1)
    }
    for (const id of ids) await isAnswered(server, id)
    for (const id of ids) history.compare(id, await readLog(server, id))
    return { kills, ...history.report(), slowestStartMs, findings: history.findings() }
  } finally {
    await server.kill()
    await rm(dataDir, { recursive: true })
  }
}

interface Use {
  readonly server: ServerProcess
  readonly id: string
  readonly history: History
  readonly unanswered: Map<string, Message>
  readonly random: () => number
  readonly name: string
  readonly signal: AbortSignal
}

/** Sends, sends again what was never answered, and stops, until the server is gone. */
async function useServer({ server, id, history, unanswered, random, name, signal }: Use): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    const again = [...unanswered.values()].find((message) => message.conversationId === id)
    const message = again ?? newMessage(id, `command_${name}_${number}`, random)
    try {
      if (again === undefined && random() < 0.25) {
        await server.call('POST', `/conversations/${id}/stop`, { commandId: `stop_${name}_${number}` })
      } else {
        unanswered.set(message.commandId, message)
        const sent = Sent.parse(await server.call('POST', `/conversations/${id}/inputs`, message.body))
        history.acknowledged(id, { commandId: message.commandId, ...sent })
        unanswered.delete(message.commandId)
      }
      await sleep(random() * 120)
    } catch (error) {
      if (error instanceof RefusedCallError) throw error
      // The server is gone: what was asked is sent again to the next one.
      return
    }
  }
}

function newMessage(conversationId: string, commandId: string, random: () => number): Message {
  const pick = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? ''
  const content = [{ type: 'text', text: `/demo ${pick(SCENARIOS)}` }]
  return { conversationId, commandId, body: { commandId, lane: pick(LANES), content } }
}

async function readLog(server: ServerProcess, id: string): Promise<readonly unknown[]> {
  const entries: unknown[] = []
  for (;;) {
    const page = Page.parse(await server.call('GET', `/conversations/${id}/entries?after=${entries.length}&limit=1000`))
    entries.push(...page.entries)
    if (entries.length >= page.head) return entries
  }
}

/** After everything a message still gets its answer. */
async function isAnswered(server: ServerProcess, id: string): Promise<void> {
  const content = [{ type: 'text', text: '/demo stream-fast' }]
  const body = { commandId: `last_${id}`, lane: 'interrupt', content }
  const { inputId } = Sent.parse(await server.call('POST', `/conversations/${id}/inputs`, body))
  const until = performance.now() + ANSWER_LIMIT_MS
  while (performance.now() < until) {
    const log = z.array(RunEntry).parse(await readLog(server, id))
    const sent = log.find((entry) => entry.type === 'user-message-sent' && entry.inputId === inputId)
    // What waited behind it in the queue may be being answered by now.
    if (sent && log.some(({ type, runId }) => type === 'run-finished' && runId === sent.runId)) return
    await sleep(100)
  }
  throw new Error(`The message ${inputId} of conversation ${id} was not answered in ${ANSWER_LIMIT_MS} ms`)
}
