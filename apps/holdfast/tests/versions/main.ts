import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  type Client,
  type ConversationStore,
  createClient,
  createWebSocketTransport,
  type Transport,
} from '@holdfast/client'
import Database from 'better-sqlite3'
import { type Program, startProgram } from '../support/program.ts'
import { askAll, KEPT, type KeptVersion } from './kept-version.ts'

/**
 * Keeps what this version writes and says: its data folder, its log, and the frames of both sides of a line. Later versions
 * open and read them. One that is kept already is never written again. `npm run keep-version`
 */
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))
const target = join(KEPT, version)
mkdirSync(KEPT, { recursive: true })
mkdirSync(target)
const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-kept-'))
const folder = join(tmpdir(), 'holdfast-kept-project')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
writeFileSync(join(folder, 'notes.md'), '# Notes\n\nOne line.\n')
const frames: { readonly from: 'client' | 'server'; readonly text: string }[] = []
const program = await startProgram(dataDir, {}, ['--workspace', folder])
const { url, token } = program
const client = createClient({ url, token, transport: recorded(createWebSocketTransport({ url, token })) })
try {
  await play(client, program)
  const kept: KeptVersion = await askAll(program)
  writeFileSync(join(target, 'answers.json.gz'), gzipSync(JSON.stringify(kept), { level: 9 }))
} finally {
  client.close()
  await program.stop()
}
writeFileSync(join(target, 'frames.jsonl.gz'), gzipSync(frames.map((frame) => JSON.stringify(frame)).join('\n')))
const file = join(dataDir, 'store', 'holdfast.sqlite')
const database = new Database(file)
database.exec('VACUUM')
database.close()
writeFileSync(join(target, 'holdfast.sqlite.gz'), gzipSync(readFileSync(file), { level: 9 }))
writeFileSync(join(target, 'holdfast.state.json'), readFileSync(join(dataDir, 'store', 'holdfast.state.json')))
rmSync(dataDir, { recursive: true })
rmSync(folder, { recursive: true })
console.log(`${frames.length} frames and what they tell are in ${target}`)

/** The same transport, with what goes both ways written down. */
function recorded(transport: Transport): Transport {
  return {
    open(events) {
      const line = transport.open({
        ...events,
        onText(text) {
          frames.push({ from: 'server', text })
          events.onText(text)
        },
      })
      return {
        ...line,
        send(text) {
          frames.push({ from: 'client', text })
          line.send(text)
        },
      }
    },
  }
}

/** What people do in a day: as many kinds of entries as the demo model can bring about. */
async function play(client: Client, program: Program): Promise<void> {
  const begin = async () => {
    const id = await client.createConversation({ modelId: null, agentId: null, settings: {} })
    const store = client.conversation(id)
    store.subscribe(() => {})
    return { id, store, say: sayer(store) }
  }
  const first = await begin()
  for (const words of ['thinking', 'rate-limit', 'tools-ok', 'tool-error', 'tools-parallel', 'remember', 'sub-agent'])
    await first.say(`/demo ${words}`)
  first.store.changeSettings({ thinking: 'low' })
  await until(() => first.store.getSnapshot().overview.settings.thinking === 'low')
  await first.say('/demo drop-mid-stream')
  await program.call('POST', `/conversations/${first.id}/checkpoint`, { commandId: 'checkpoint' })
  await idle(first.store)
  await first.say('/demo stream-fast')
  const result = await settled(program, first.id)
  first.store.excludeResult(result, true)
  await until(() => first.store.getSnapshot().overview.exclusions.length === 1)
  await program.call('PATCH', `/conversations/${first.id}`, { commandId: 'name', title: 'A day of the demo' })
  const second = await begin()
  await second.say('/demo permission')
  await second.say('/demo edit')
  second.store.send([{ type: 'text', text: '/demo stream-slow' }], 'turn')
  await until(() => (second.store.getSnapshot().draft?.blocks[0]?.text.length ?? 0) > 10)
  second.store.send([{ type: 'text', text: 'And this waits' }], 'turn')
  await until(() => second.store.getSnapshot().overview.queue.inputs.length === 1)
  second.store.stop('stop')
  await until(() => second.store.getSnapshot().overview.runState.exclusive === null)
  const waiting = second.store.getSnapshot().overview.queue.inputs[0]?.inputId ?? ''
  second.store.changeInput(waiting, { content: [{ type: 'text', text: '/demo list' }] })
  second.store.releaseQueue()
  await idle(second.store)
  await program.call('PATCH', `/conversations/${second.id}`, { commandId: 'away', archived: true })
  await program.call('PATCH', `/conversations/${second.id}`, { commandId: 'back', archived: false })
  const third = await begin()
  for (const words of ['canvas-all', 'cjk', 'rtl', 'markdown-torture', 'no-usage']) await third.say(`/demo ${words}`)
  const [asked] = third.store.getSnapshot().window.items
  third.store.pinMessage(asked?.seq ?? 0, true)
  third.store.rewind({ toSeq: asked === undefined ? 0 : endOfFirst(third.store), reason: 'rewind' })
  await until(() => third.store.getSnapshot().overview.path.segments.length > 1)
  await third.say('Something else')
  await program.call('POST', `/conversations/${third.id}/fork`, { commandId: 'fork', atSeq: endOfFirst(third.store) })
}

/** Where the first result of a call stands. */
async function settled(program: Program, id: string): Promise<number> {
  const log = JSON.stringify(await program.call('GET', `/conversations/${id}/entries?after=0&limit=1000`))
  const found = /"seq":(\d+)(?=[^{}]*"type":"tool-call-settled")/.exec(log)?.[1]
  if (found === undefined) throw new Error('No call has settled')
  return Number(found)
}

/** The end of the first exchange. */
function endOfFirst(store: ConversationStore): number {
  const ends = [...store.getSnapshot().window.runEnds.values()].map(({ seq }) => seq)
  return Math.min(...ends)
}

function sayer(store: ConversationStore): (words: string) => Promise<void> {
  return async (words) => {
    const before = store.getSnapshot().overview.head
    store.send([{ type: 'text', text: words }], 'turn')
    await until(() => store.getSnapshot().overview.head > before + 1)
    await idle(store)
  }
}

/** Waits until nothing runs, and says yes to what is asked. */
async function idle(store: ConversationStore): Promise<void> {
  const answered = new Set<string>()
  await until(() => {
    const { overview } = store.getSnapshot()
    for (const { requestId } of overview.pendingPermissions) {
      if (!answered.has(requestId)) store.answerPermission({ requestId, decision: 'allow', scope: 'conversation' })
      answered.add(requestId)
    }
    return overview.runState.exclusive === null && overview.queue.inputs.length === 0
  })
}

async function until(holds: () => boolean): Promise<void> {
  for (let looks = 0; !holds(); looks += 1) {
    if (looks > 1_200) throw new Error('What was waited for did not come')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
