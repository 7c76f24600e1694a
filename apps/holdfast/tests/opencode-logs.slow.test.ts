import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findLogs } from '../src/found-logs/find-logs.ts'
import { usualLogPlaces } from '../src/found-logs/log-places.ts'
import { openFoundLogs } from '../src/found-logs/open-found-logs.ts'
import { opencodeContent } from '../src/found-logs/opencode-logs.ts'
import { ended } from './support/ended.ts'

const AT = 1_795_855_128_653
const ownerId = process.getuid?.() ?? null

let home: string
let folder: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'holdfast-opencode-'))
  folder = join(home, '.local/share/opencode')
  await mkdir(folder, { recursive: true })
})

afterEach(() => rm(home, { recursive: true }))

function places() {
  return usualLogPlaces({ home, variable: () => undefined }).filter(({ id }) => id === 'opencode')
}

/** A database with the columns that opencode 1.18 has, as far as a session needs them, and with a key beside it. */
function createDatabase(path: string): Database.Database {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.exec(`
    CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL,
      title text NOT NULL, version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
      time_updated integer NOT NULL, data text NOT NULL);
    CREATE TABLE credential (id text PRIMARY KEY, value text NOT NULL);
    INSERT INTO credential VALUES ('c1', 'a-key-of-somebody');`)
  return database
}

function addSession(database: Database.Database, id: string, more: { parent?: string; title?: string } = {}): void {
  database
    .prepare("INSERT INTO session VALUES (?, 'global', ?, 'calm-kelp', '/p', ?, '1.18.33', NULL, ?, ?)")
    .run(id, more.parent ?? null, more.title ?? 'Kelp', AT, AT)
}

/** One question and its answer. */
function addTurn(database: Database.Database, session: string, { turn, asked }: { turn: number; asked: string }): void {
  const model = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }
  const tokens = { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } }
  const said = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
  const held = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
  const at = AT + turn * 1_000
  const add = (name: string, info: object, part: object): void => {
    const id = `${session}_${turn}${name}`
    said.run(`msg_${id}`, session, at, at, JSON.stringify(info))
    held.run(`prt_${id}`, `msg_${id}`, session, at, at, JSON.stringify(part))
  }
  add('a', { role: 'user', time: { created: at }, agent: 'build', model }, { type: 'text', text: asked })
  add(
    'b',
    { role: 'assistant', time: { created: at }, ...model, tokens, finish: 'stop' },
    { type: 'text', text: `${asked} Yes.` },
  )
}

async function put(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value))
}

async function contentOf(path: string): Promise<string> {
  let text = ''
  for await (const piece of opencodeContent(join(folder, path))?.() ?? []) text += Buffer.from(piece).toString()
  return text
}

test('[CLI50] the database of opencode is found with the sessions of older versions, and no folder of copies is looked into', async () => {
  createDatabase(join(folder, 'opencode.db')).close()
  createDatabase(join(folder, 'opencode-beta.db')).close()
  await put('auth.json', {})
  await put('snapshot/global/a1/opencode.db', 'x')
  await put('storage/session/global/ses_1.json', {})
  await put('storage/message/ses_1/msg_1.json', {})
  // So many names that a look at them would be cut.
  for (let at = 0; at <= 20_000; at++) writeFileSync(join(folder, 'snapshot', `${at}`), '')
  await writeFile(join(home, 'other.db'), 'x')
  await symlink(join(home, 'other.db'), join(folder, 'opencode-linked.db'))
  const [place] = places()
  if (!place) throw new Error('there is a place of opencode')
  const { logs, isCut } = await findLogs(place, ownerId)
  expect(isCut).toBe(false)
  expect(logs.map(({ name }) => name).toSorted()).toEqual([
    'opencode-beta.db',
    'opencode.db',
    'storage/session/global/ses_1.json',
  ])
})

test('[CLI50] its sessions are read while opencode writes, and nothing of its keys; nothing of it is changed', async () => {
  const path = join(folder, 'opencode.db')
  const database = createDatabase(path)
  addSession(database, 'ses_1')
  addTurn(database, 'ses_1', { turn: 1, asked: 'Does kelp grow?' })
  database.pragma('wal_checkpoint(TRUNCATE)')
  addSession(database, 'ses_2', { title: 'Moss' })
  addTurn(database, 'ses_2', { turn: 1, asked: 'Does moss?' })
  const before = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  database.exec("BEGIN IMMEDIATE; INSERT INTO credential VALUES ('c2', 'half-written')")
  const text = await contentOf('opencode.db')
  database.exec('ROLLBACK')
  expect(JSON.parse(text)).toMatchObject([
    {
      info: { id: 'ses_1', title: 'Kelp' },
      messages: [{ info: { role: 'user' } }, { parts: [{ text: 'Does kelp grow? Yes.' }] }],
    },
    { info: { id: 'ses_2', title: 'Moss' } },
  ])
  expect(text).not.toContain('a-key-of-somebody')
  expect(
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  ).toBe(before)
  database.close()
  const found = await openFoundLogs(places(), ownerId).open('opencode')
  let zip = ''
  for await (const piece of found.content) zip += Buffer.from(piece).toString('latin1')
  expect(zip).toContain('Does moss?')
  expect(zip).not.toContain('a-key-of-somebody')
})

test('[CLI50] `holdfast import --found opencode` brings them, again only what is new, and tells what it cannot read', async () => {
  const database = createDatabase(join(folder, 'opencode.db'))
  addSession(database, 'ses_1')
  addTurn(database, 'ses_1', { turn: 1, asked: 'Does kelp grow?' })
  addSession(database, 'ses_child', { parent: 'ses_1', title: 'Child' })
  addTurn(database, 'ses_child', { turn: 1, asked: 'Look' })
  await put('storage/session/global/ses_old.json', { id: 'ses_old', title: 'Old', time: { created: AT, updated: AT } })
  await put('storage/message/ses_old/msg_1.json', { id: 'msg_1', role: 'user', time: { created: AT } })
  await put('storage/part/msg_1/prt_1.json', { id: 'prt_1', type: 'text', text: 'From long ago' })
  await put('storage/message/ses_old/msg_2.json', '{ "id": "msg_2", ')
  const first = await holdfast('import', '--found', 'opencode', '--yes')
  expect(first.stdout).toContain('2 imported')
  expect(first.stdout).toContain('A message of opencode')
  expect(first).toMatchObject({ code: 5 })
  expect((await holdfast('import', '--found', 'opencode', '--yes')).stdout).toContain(
    '0 imported, 0 brought up to date, 2 already there',
  )
  addTurn(database, 'ses_1', { turn: 2, asked: 'And in winter?' })
  expect((await holdfast('import', join(folder, 'opencode.db'))).stdout).toContain('0 imported, 1 brought up to date')
  database.close()
  const listed = await holdfast('list', '--json')
  expect(listed.stdout).toContain('Kelp')
  expect(listed.stdout).not.toContain('Child')
}, 120_000)

test('[CLI50] a database that is damaged, or is none of opencode, is told, and what stands before the damage is taken', async () => {
  await writeFile(join(folder, 'opencode.db'), 'This is no database, and long enough for one.'.repeat(50))
  expect(await contentOf('opencode.db')).toBe('[')
  const told = await holdfast('import', join(folder, 'opencode.db'))
  expect(told.stdout).toMatch(/damaged/)
  expect(told.code).not.toBe(0)
  new Database(join(folder, 'opencode-other.db')).exec('CREATE TABLE recipes (id text)').close()
  expect(await contentOf('opencode-other.db')).toBe('[')
}, 60_000)

function holdfast(...args: readonly string[]) {
  const main = join(import.meta.dirname, '..', 'bin', 'holdfast.js')
  return ended(process.execPath, [main, ...args, '--data-dir', join(home, 'data')], {
    env: { ...process.env, HOME: home, XDG_DATA_HOME: '' },
  })
}
