import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import {
  type Client,
  type ConversationStore,
  createClient,
  createWebSocketTransport,
  type Transport,
} from '@holdfast/client'
import type { UIMessage } from 'ai'
import { createChat } from '../support/plain-chat.ts'
import { type Program, startProgram } from '../support/program.ts'
import { type RunningCommand, runCommand } from '../support/run-command.ts'

/** What those who took part ended with. */
export interface Together {
  readonly cuts: number
  readonly kills: number
  /** The words of every message and answer, as the server tells them. */
  readonly told: readonly string[]
  /** The words of every message and answer as two tabs and a script read them, the script over a line that was cut so often. */
  readonly read: Readonly<Record<'firstTab' | 'secondTab' | 'script', readonly string[]>>
  /** All answers, one after the other, as a terminal is to print them. */
  readonly answers: string
  /** What two terminals printed that followed the conversation all the time. */
  readonly followed: Readonly<Record<'firstTerminal' | 'secondTerminal', string>>
  /** The answer that a third terminal asked for, as it printed it. */
  readonly printed: string
  /** The answer to the message of `useChat` in the midst of which the server was killed, as the client put it together. */
  readonly streamed: string
  /** How often each message was admitted. */
  readonly admitted: readonly string[]
}

const LIMIT_MS = 60_000

/**
 * Two tabs, two terminals, a script and `useChat` on one conversation of the real program. The script's line is cut again
 * and again; the program is killed in the middle of an answer and started again: once in an answer to the script, once in
 * one to `useChat`.
 */
export async function together(cutCount: number): Promise<Together> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-together-'))
  let program = await startProgram(dataDir, {})
  const { url, token } = program
  const samePort = ['--port', new URL(url).port]
  const clients: Client[] = []
  const terminals: RunningCommand[] = []

  async function killAndStart(): Promise<void> {
    await program.kill()
    program = await startProgram(dataDir, {}, samePort)
  }

  try {
    const created = (await program.call('POST', '/conversations', { commandId: 'together' })) as { id: string }
    const { id } = created
    const { transport, cut } = cutTransport(createWebSocketTransport({ url, token }))
    const script = createClient({ url, token, transport })
    clients.push(createClient({ url, token }), createClient({ url, token }), script)
    const stores = clients.map((client) => client.conversation(id))
    for (const store of stores) store.subscribe(() => {})
    for (let count = 0; count < 2; count += 1)
      terminals.push(runCommand(['follow', id, '--all', '--data-dir', dataDir]))

    script.conversation(id).send([{ type: 'text', text: '/demo stream-long' }], 'turn')
    await Promise.all(terminals.map((terminal) => terminal.printed('Paragraph 1.')))
    await until(() => stores.every((store) => (store.getSnapshot().draft?.blocks[0]?.text.length ?? 0) > 300))
    for (let count = 0; count < cutCount; count += 1) {
      cut()
      if (count === Math.floor(cutCount / 2)) await killAndStart()
      await passed(20)
    }
    script.conversation(id).send([{ type: 'text', text: 'hello again' }], 'turn')
    await until(async () => (await countOf(program, id, 'run-finished')) >= 2)
    await untilQuiet(program, id)

    const asking = await runCommand(['chat', '-c', 'from a third terminal', '--data-dir', dataDir]).ended
    await untilQuiet(program, id)

    const chat = createChat({ url: program.url, token: program.token, id })
    const broken = chat.sendMessage({ text: '/demo stream-slow' })
    await until(() => (textOf(chat.messages.at(-1)).length ?? 0) > 50)
    await killAndStart()
    await broken
    // What came of the answer is asked for again, by the message that it answers.
    chat.messages = chat.messages.filter(({ role }) => role === 'user')
    await chat.sendMessage()
    await untilQuiet(program, id)

    const told = await wordsTold(program, id)
    const answers = await answersOf(program, id)
    await until(() => stores.every((store) => wordsRead(store).length === told.length))
    await until(() => terminals.every((terminal) => terminal.stdout().length >= answers.length))
    const [firstTab = [], secondTab = [], scripted = []] = stores.map(wordsRead)
    const [firstTerminal = '', secondTerminal = ''] = terminals.map((terminal) => terminal.stdout())
    return {
      cuts: cutCount,
      kills: 2,
      told,
      answers,
      read: { firstTab, secondTab, script: scripted },
      followed: { firstTerminal, secondTerminal },
      printed: asking.stdout,
      streamed: textOf(chat.messages.at(-1)),
      admitted: await admittedIn(program, id),
    }
  } finally {
    for (const client of clients) client.close()
    for (const terminal of terminals) {
      terminal.child.kill('SIGINT')
      await terminal.ended
    }
    await program.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const textOf = (message: UIMessage | undefined): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''

interface Item {
  readonly role: string
  readonly parts: readonly { readonly type: string; readonly text?: string }[]
}

function wordsOf({ role, parts }: Item): string[] {
  if (role !== 'user' && role !== 'assistant') return []
  return [parts.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : [])).join('\n')]
}

const wordsRead = (store: ConversationStore): string[] => store.getSnapshot().window.items.flatMap(wordsOf)

async function wordsTold(program: Program, id: string): Promise<string[]> {
  const { items } = (await program.call('GET', `/conversations/${id}/transcript`)) as { items: Item[] }
  return items.flatMap(wordsOf)
}

interface LoggedEntry {
  readonly type: string
  readonly content?: readonly { readonly text?: string }[]
  readonly blocks?: readonly { readonly type: string; readonly text: string }[]
  readonly runId?: string
  readonly purpose?: string
}

async function entriesOf(program: Program, id: string): Promise<readonly LoggedEntry[]> {
  const page = await program.call('GET', `/conversations/${id}/entries?limit=1000`)
  return (page as { entries: LoggedEntry[] }).entries
}

/** The answers of turns as the log has them, each with the line break that a terminal ends it with. */
async function answersOf(program: Program, id: string): Promise<string> {
  const entries = await entriesOf(program, id)
  const turns = new Set(
    entries.flatMap(({ type, purpose, runId }) => (type === 'run-started' && purpose === 'turn' ? [runId] : [])),
  )
  const steps = entries.filter(({ type, runId }) => type === 'step-finished' && turns.has(runId))
  return steps
    .map(({ blocks = [] }) => blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n\n'))
    .map((text) => `${text}\n`)
    .join('')
}

const countOf = async (program: Program, id: string, type: string): Promise<number> =>
  (await entriesOf(program, id)).filter((entry) => entry.type === type).length

async function admittedIn(program: Program, id: string): Promise<string[]> {
  const admitted = (await entriesOf(program, id)).filter(({ type }) => type === 'input-admitted')
  return admitted.map(({ content }) => content?.[0]?.text ?? '')
}

async function untilQuiet(program: Program, id: string): Promise<void> {
  await until(async () => {
    const row = (await program.call('GET', `/conversations/${id}`)) as { state: string; queuedCount: number }
    return row.state !== 'running' && row.queuedCount === 0
  })
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It did not come to be within ${LIMIT_MS} ms`)
    await passed(50)
  }
}

/** A transport whose line can be cut as a network does it: nobody says goodbye. */
function cutTransport(inner: Transport): { readonly transport: Transport; readonly cut: () => void } {
  let cut = (): void => {}
  const transport: Transport = {
    open(events) {
      let isCut = false
      const line = inner.open({
        onOpen: () => isCut || events.onOpen(),
        onText: (text) => isCut || events.onText(text),
        onClose: (end) => isCut || events.onClose(end),
      })
      cut = () => {
        if (isCut) return
        isCut = true
        line.close()
        events.onClose({ code: null, unauthorized: false })
      }
      return line
    },
  }
  return { transport, cut: () => cut() }
}
