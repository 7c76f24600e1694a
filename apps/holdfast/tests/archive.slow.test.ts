import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { conversationIds, personIn } from './support/agent.ts'
import { claudeLines, claudeText } from './support/claude-log.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

// Each test starts the program, most of them several times.
vi.setConfig({ testTimeout: 120_000 })

const Report = z.object({ id: z.string(), state: z.string(), imported: z.number(), readBytes: z.number() })
const Imports = z.object({ imports: z.array(Report) })

let base: string
let dataDir: string
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-archive-'))
  dataDir = join(base, 'data')
})

afterEach(async () => {
  await program?.stop()
  program = null
  await rm(base, { recursive: true })
})

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(base, name)
  await writeFile(path, text)
  return path
}

function command(...args: readonly string[]) {
  const [name = '', ...rest] = args
  return runCommand([name, '--data-dir', dataDir, ...rest]).ended
}

test('[LOG4, RUN1] imports without a server and with one, once, and the conversation goes on with the demo model', async () => {
  const logs = join(base, 'logs', 'deep')
  await mkdir(logs, { recursive: true })
  await writeFile(join(logs, 'one.jsonl'), claudeText('one', 4))
  await writeFile(join(logs, 'settings.json'), '{"theme":"dark"}')
  const alone = await command('import', join(base, 'logs'))
  expect(alone).toMatchObject({ code: 5, stderr: '' })
  expect(alone.stdout).toContain('1 imported, 0 brought up to date, 0 already there')
  expect(alone.stdout).toContain('1 files of the folder are no logs: deep/settings.json')
  program = await startProgram(dataDir, {})
  await writeFile(join(logs, 'one.jsonl'), claudeText('one', 6))
  const grown = await command('import', '--json', join(logs, 'one.jsonl'))
  expect(grown.code).toBe(0)
  expect(JSON.parse(grown.stdout)).toMatchObject({ imported: 0, updated: 1, files: [{ format: 'claude-code' }] })
  const [id = ''] = await conversationIds(program)
  const person = personIn(program, id)
  await person.say('/demo thinking')
  expect(await person.ended(4)).toMatchObject({ outcome: 'completed' })
  const log = await person.log()
  expect(log.filter(({ type }) => type === 'user-message-sent')).toHaveLength(4)
})

test('[LOG9, LOG4] a conversation that was deleted here can be imported anew', async () => {
  const path = await fileOf('one.jsonl', claudeText('one', 4))
  program = await startProgram(dataDir, {})
  await command('import', path)
  const [id = ''] = await conversationIds(program)
  const before = await personIn(program, id).log()
  const headers = { authorization: `Bearer ${program.token}` }
  const deleted = await fetch(`${program.url}/api/v1/conversations/${id}`, { method: 'DELETE', headers })
  expect(deleted.status).toBe(200)
  expect((await command('import', path)).stdout).toContain('1 imported')
  expect(await personIn(program, id).log()).toEqual(before)
})

test('[SEC5] says what it cannot import, and ends with a code that says so', async () => {
  program = await startProgram(dataDir, {})
  const missing = await command('import', join(base, 'nothing.json'))
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('E_NO_FILE')])
  const notes = await fileOf('notes.txt', 'words')
  const refused = await command('import', notes)
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining('notes.txt: The source is of no known format'),
  ])
  const half = await command('import', notes, await fileOf('one.jsonl', claudeText('one', 2)))
  expect([half.code, half.stdout]).toEqual([5, expect.stringContaining('1 imported')])
  const piped = await runCommand(['import', '--data-dir', dataDir, '-'], claudeText('two', 2)).ended
  expect([piped.code, piped.stdout]).toEqual([0, expect.stringContaining('1 imported')])
})

test('[LOG9, LOG11] exports one to stdout and all into a folder, erases a message, and what is exported can be imported', async () => {
  program = await startProgram(dataDir, {})
  await command(
    'import',
    await fileOf('one.jsonl', claudeText('one', 2)),
    await fileOf('two.jsonl', claudeText('two', 2)),
  )
  const out = join(base, 'out')
  const all = await command('export', '--all', '--out', out)
  expect(all.code).toBe(0)
  const files = await readdir(out)
  expect(files).toHaveLength(2)
  expect(all.stdout.trim().split('\n').toSorted()).toEqual(files.map((file) => join(out, file)).toSorted())
  expect((await command('export', '--all', '--out', out)).stderr).toContain('E_EXISTS')
  const { conversationId } = JSON.parse(await readFile(join(out, files[0] ?? ''), 'utf8'))
  const text = await command('export', conversationId, '--format', 'md')
  expect([text.code, text.stderr.split(';')[0]]).toEqual([0, 'Masked: 0 keys, 0 e-mail addresses, 0 home folders'])
  expect(text.stdout).toContain('Answer 1 of')
  const listed = await command('erase', conversationId)
  const [line = ''] = listed.stdout.split('\n')
  expect(line).toMatch(/^\d+\tuser\tQuestion 0/)
  const seq = line.split('\t')[0] ?? ''
  expect(await command('erase', conversationId, seq)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect((await command('erase', conversationId, seq, '--dry-run')).stdout).toMatch(
    /^Would erase \d+ entr.*user-message/,
  )
  expect((await command('erase', conversationId, seq, '--yes', '--json')).stdout).toContain('"isErased":true')
  expect((await command('export', conversationId)).stdout).not.toContain('Question 0')
  expect((await command('export', 'conversation_none')).code).toBe(3)
  expect((await command('export')).code).toBe(2)
  dataDir = join(base, 'other')
  const back = await command('import', out)
  expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('2 imported')])
})

test('[LOG2, LOG4] a server that is killed in the middle of an import goes on with it, and doubles nothing', async () => {
  const content = Readable.from(claudeLines('long', 20_000, ` ${'word '.repeat(300)}`))
  program = await startProgram(dataDir, {})
  const { id } = Report.parse(await begin(program, content))
  await expect.poll(async () => (await importOf(id)).readBytes, { interval: 20 }).toBeGreaterThan(3_000_000)
  await program.kill()
  program = await startProgram(dataDir, {})
  const { imports } = Imports.parse(await program.call('GET', '/imports'))
  expect(imports).toMatchObject([{ id, state: 'running' }])
  await expect.poll(async () => (await importOf(id)).state, { interval: 200, timeout: 60_000 }).toBe('finished')
  const [conversationId = '', ...more] = await conversationIds(program)
  expect(more).toEqual([])
  const { items } = z
    .object({ items: z.array(z.unknown()) })
    .parse(await program.call('GET', `/conversations/${conversationId}/transcript?limit=500`))
  expect(JSON.stringify(items)).toContain('Answer 19999 of long')
  const listed = z.object({ conversations: z.array(z.object({ messageCount: z.number() })) })
  const [row] = listed.parse(await program.call('GET', '/conversations')).conversations
  expect(row?.messageCount).toBe(20_000)
})

const FULL = process.env['HOLDFAST_FULL'] !== undefined

test(`[LOG5] a file of ${FULL ? 300 : 20} MB goes through in bounded memory`, async () => {
  const path = join(base, 'large.jsonl')
  await writeFile(path, Readable.from(claudeLines('large', FULL ? 6_000 : 400, ` ${'word '.repeat(20_000)}`)))
  program = await startProgram(dataDir, {})
  const { pid } = z.object({ pid: z.number() }).parse(JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')))
  const before = await peakBytes(pid)
  const { id } = Report.parse(await begin(program, createReadStream(path)))
  await expect.poll(async () => (await importOf(id)).state, { interval: 500, timeout: 110_000 }).toBe('finished')
  const grownBytes = (await peakBytes(pid)) - before
  process.stdout.write(`${FULL ? 300 : 20} MB imported with ${Math.round(grownBytes / 1e6)} MB more\n`)
  expect(grownBytes).toBeLessThan(FULL ? 600_000_000 : 300_000_000)
})

async function importOf(id: string): Promise<z.infer<typeof Report>> {
  return Report.parse(await program?.call('GET', `/imports/${id}`))
}

/** The pieces as a body, each read when it is wanted. */
function streamOf(content: Readable): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<string | Uint8Array> = content[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await pieces.next()
      if (next.done) controller.close()
      else controller.enqueue(Buffer.from(next.value))
    },
  })
}

async function begin({ url, token }: Program, content: Readable): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
  // A body that is a stream needs the word, which the type of the options lacks.
  const options = { method: 'POST', duplex: 'half', body: streamOf(content), headers }
  const answer = await fetch(`${url}/api/v1/import?name=log.jsonl`, options)
  return answer.json()
}

/** The most memory that a process has had, in bytes. */
async function peakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

test('[LOG1] a dry run of the terminal writes nothing; a date that is none is refused before anything is read', async () => {
  const file = await fileOf('session.jsonl', claudeText('s', 4))
  const looked = await command('import', '--dry-run', '--json', '--since', '2000-01-01', '--from', 'claude-code', file)
  expect(looked).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing was written') })
  expect(JSON.parse(looked.stdout)).toMatchObject({ imported: 1, files: [{ isDryRun: true, only: 'claude-code' }] })
  const real = await command('import', '--json', file)
  expect(JSON.parse(real.stdout)).toMatchObject({ imported: 1, alreadyThere: 0 })
  expect(await command('import', '--since', 'yesterday', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('yesterday is no date'),
  })
})

test('[CLI4] an export masks what looks like a secret and counts it, unless it is told not to', async () => {
  const key = `sk-${'a1'.repeat(20)}`
  const text = claudeText('one', 1).replaceAll('Question 0', `My key is ${key} and my address ada@example.org`)
  expect((await command('import', await fileOf('one.jsonl', text))).code).toBe(0)
  const masked = await command('export', '--all', '--out', join(base, 'masked'))
  expect(masked.stderr).toMatch(/^Masked: [1-9]\d* keys, [1-9]\d* e-mail addresses, /m)
  expect(await readFile(masked.stdout.trim(), 'utf8')).not.toContain(key)
  const whole = await command('export', '--all', '--no-redact', '--out', join(base, 'whole'))
  expect(whole.stderr).not.toContain('Masked')
  expect(await readFile(whole.stdout.trim(), 'utf8')).toContain(key)
})
