import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { type ConversationStore, createClient, createWebSocketTransport, type Transport } from '@holdfast/client'
import { AbstractChat, type ChatState, DefaultChatTransport, type UIMessage } from 'ai'
import { type Program, startProgram } from '../support/program.ts'
import { runCommand } from '../support/run-command.ts'

/** What those who took part ended with. */
export interface Together {
  readonly cuts: number
  /** The words of every message and answer, as the server tells them. */
  readonly told: readonly string[]
  /** The same as two tabs and a script read them, the script over a line that was cut so often. */
  readonly read: Readonly<Record<'firstTab' | 'secondTab' | 'script', readonly string[]>>
  /** The answer that a terminal asked for, as it printed it. */
  readonly printed: string
  /** The last answer, as `useChat` put it together. */
  readonly streamed: string
  /** How often each message was admitted. */
  readonly admitted: readonly string[]
}

const LIMIT_MS = 60_000

/**
 * Two tabs, a script, a terminal and `useChat` on one conversation of the real program. The script's line is cut again
 * and again; the program is killed in the middle of an answer and started again.
 */
export async function together(cutCount: number): Promise<Together> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-together-'))
  let program = await startProgram(dataDir, {})
  const { url, token } = program
  const clients = []
  try {
    const created = (await program.call('POST', '/conversations', { commandId: 'together' })) as { id: string }
    const { id } = created
    const { transport, cut } = cutTransport(createWebSocketTransport({ url, token }))
    const tabs = [createClient({ url, token }), createClient({ url, token }), createClient({ url, token, transport })]
    clients.push(...tabs)
    const stores = tabs.map((client) => client.conversation(id))
    for (const store of stores) store.subscribe(() => {})
    const [firstTab, secondTab, script] = stores
    if (!firstTab || !secondTab || !script) throw new Error('There are three readers')

    script.send([{ type: 'text', text: '/demo stream-long' }], 'turn')
    await until(() => (firstTab.getSnapshot().draft?.blocks[0]?.text.length ?? 0) > 300)
    for (let count = 0; count < cutCount; count += 1) {
      cut()
      if (count === Math.floor(cutCount / 2)) {
        await program.kill()
        program = await startProgram(dataDir, {}, ['--port', new URL(url).port])
      }
      await passed(20)
    }
    script.send([{ type: 'text', text: 'hello again' }], 'turn')
    await until(async () => (await countOf(program, id, 'run-finished')) >= 2)
    await untilQuiet(program, id)

    const terminal = await runCommand(['chat', '-c', 'from the terminal', '--data-dir', dataDir]).ended
    await untilQuiet(program, id)
    const chat = createChat(program, id)
    await chat.sendMessage({ text: 'from useChat' })
    await untilQuiet(program, id)

    const told = await wordsTold(program, id)
    await until(() => stores.every((store) => wordsRead(store).length === told.length))
    const admitted = await admittedIn(program, id)
    const read = { firstTab: wordsRead(firstTab), secondTab: wordsRead(secondTab), script: wordsRead(script) }
    const streamed = chat.messages.at(-1)?.parts.map((part) => (part.type === 'text' ? part.text : '')) ?? []
    return { cuts: cutCount, told, read, printed: terminal.stdout.trim(), streamed: streamed.join(''), admitted }
  } finally {
    for (const client of clients) client.close()
    await program.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

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

async function entriesOf(program: Program, id: string) {
  const page = await program.call('GET', `/conversations/${id}/entries?limit=1000`)
  return (page as { entries: { type: string; content?: { text?: string }[] }[] }).entries
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

/** The client behind `useChat`, without React. */
class PlainChat extends AbstractChat<UIMessage> {}

function createChat({ url, token }: Program, id: string): PlainChat {
  const state: ChatState<UIMessage> = {
    status: 'ready',
    error: undefined,
    messages: [],
    pushMessage: (message) => {
      state.messages = [...state.messages, message]
    },
    popMessage: () => {
      state.messages = state.messages.slice(0, -1)
    },
    replaceMessage: (index, message) => {
      state.messages = state.messages.with(index, message)
    },
    snapshot: (value) => structuredClone(value),
  }
  const headers = { authorization: `Bearer ${token}` }
  const api = `${url}/api/v1/interop/ai-sdk/chat`
  return new PlainChat({ id, state, transport: new DefaultChatTransport({ api, headers }) })
}
