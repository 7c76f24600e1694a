import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import { findLogs } from '../src/found-logs/find-logs.ts'
import { usualLogPlaces } from '../src/found-logs/log-places.ts'
import { openFoundLogs } from '../src/found-logs/open-found-logs.ts'
import { zipOfLogs } from '../src/found-logs/zip-of-logs.ts'
import { ended } from './support/ended.ts'
import { claudeCodeLog, codexLog } from './support/foreign-logs.ts'

let home: string
const ownerId = process.getuid?.() ?? null

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'holdfast-found-'))
})

afterEach(async () => {
  await rm(home, { recursive: true })
})

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), text)
}

function places(variables: Readonly<Record<string, string>> = {}) {
  return usualLogPlaces({ home, variable: (name) => variables[name] })
}

async function found(): Promise<Record<string, readonly string[]>> {
  const all = await Promise.all(places().map((place) => findLogs(place, ownerId)))
  return Object.fromEntries(all.map(({ place, logs }) => [place.id, logs.map(({ name }) => name).toSorted()]))
}

test('[CLI37] finds the conversations of six programs in their usual places, and nothing else that lies there', async () => {
  await put('.claude/projects/-home-me-shop/5e1.jsonl', '{}')
  await put('.claude/projects/-home-me-shop/agent-77.jsonl', '{}')
  await put('.claude/projects/-home-me-shop/5e1/subagents/x.jsonl', '{}')
  await put('.claude/projects/-home-me-shop/memory.md', 'notes')
  await put('.claude/projects/-home-me-shop/empty.jsonl', '')
  await put('.claude/history.jsonl', '{}')
  await put('.codex/sessions/2026/11/27/rollout-a.jsonl', '{}')
  await put('.codex/sessions/index.jsonl', '{}')
  await put('.pi/agent/sessions/--p--/s.jsonl', '{}')
  await put('.copilot/session-state/s/events.jsonl', '{}')
  await put('.gemini/tmp/h/chats/session-1.json', '{}')
  await put('.gemini/tmp/h/logs.json', '[]')
  await put('.local/share/opencode/opencode.db', 'x')
  await put('.local/share/opencode/opencode.db-wal', 'x')
  expect(await found()).toEqual({
    'claude-code': ['-home-me-shop/5e1.jsonl'],
    codex: ['2026/11/27/rollout-a.jsonl'],
    pi: ['--p--/s.jsonl'],
    copilot: ['s/events.jsonl'],
    opencode: ['opencode.db'],
    gemini: ['h/chats/session-1.json'],
  })
  const moved = places({ CLAUDE_CONFIG_DIR: '/elsewhere/claude', CODEX_HOME: '/elsewhere/codex' })
  expect(moved.slice(0, 2).map(({ folder }) => folder)).toEqual([
    '/elsewhere/claude/projects',
    '/elsewhere/codex/sessions',
  ])
})

test('[CLI37] follows no link, and sees nothing that belongs to another user of the machine', async () => {
  await put('other/projects/p/secret.jsonl', '{}')
  await put('.claude/projects/p/own.jsonl', '{}')
  await symlink(join(home, 'other/projects/p/secret.jsonl'), join(home, '.claude/projects/p/linked.jsonl'))
  await symlink(join(home, 'other/projects/p'), join(home, '.claude/projects/q'))
  await mkdir(join(home, '.codex'))
  await symlink(join(home, 'other/projects'), join(home, '.codex/sessions'))
  expect(await found()).toMatchObject({ 'claude-code': ['p/own.jsonl'], codex: [] })
  const [claude] = places()
  if (!claude) throw new Error('there is a place of Claude Code')
  expect((await findLogs(claude, (ownerId ?? 0) + 1)).logs).toEqual([])
})

test('[CLI37] counts and sizes are told without a look into a file; a place without logs is not told', async () => {
  await put('.claude/projects/p/a.jsonl', 'x'.repeat(1_000))
  await put('.claude/projects/p/b.jsonl', 'x'.repeat(234))
  await mkdir(join(home, '.codex/sessions'), { recursive: true })
  const rows = await openFoundLogs(places(), ownerId).list()
  expect(rows).toMatchObject([{ id: 'claude-code', name: 'Claude Code', logCount: 2, sizeBytes: 1_234, isCut: false }])
  await expect(openFoundLogs(places(), ownerId).open('codex')).rejects.toMatchObject({ status: 404 })
  await expect(openFoundLogs(places(), ownerId).open('../../etc')).rejects.toMatchObject({ status: 404 })
})

test('[CLI37] the logs go into one archive as they are; what has gone or became a link meanwhile is left out', async () => {
  await put('.claude/projects/p/one.jsonl', 'first\n')
  await put('.claude/projects/p/zwei-ß.jsonl', 'x'.repeat(600_000))
  await put('.claude/projects/p/gone.jsonl', 'gone')
  await put('.claude/projects/p/linked.jsonl', 'own')
  await put('secret.jsonl', 'secret')
  const [place] = places()
  if (!place) throw new Error('there is a place of Claude Code')
  const { logs } = await findLogs(place, ownerId)
  await rm(join(home, '.claude/projects/p/gone.jsonl'))
  await rm(join(home, '.claude/projects/p/linked.jsonl'))
  await symlink(join(home, 'secret.jsonl'), join(home, '.claude/projects/p/linked.jsonl'))
  const path = join(home, 'logs.zip')
  await writeFile(path, zipOfLogs(logs))
  expect(await unzipped(path)).toEqual({ 'p/one.jsonl': 'first\n', 'p/zwei-ß.jsonl': 'x'.repeat(600_000) })
})

test('[CLI38] `holdfast import --found` lists what there is and reads it with --yes only; again brings nothing twice', async () => {
  await put('.claude/projects/p/5e1.jsonl', claudeCodeLog({ sessionId: '5e1', asked: 'What is a holdfast?' }))
  await put('.codex/sessions/2026/11/27/rollout-a.jsonl', codexLog({ sessionId: 'c0d', asked: 'And kelp?' }))
  const listed = await holdfast('import', '--found')
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.stdout).toContain('claude-code   Claude Code: 1 log, 0.3 kB')
  expect(listed.stdout).toContain('codex         Codex: 1 log')
  expect(listed.stderr).toContain('Nothing was read.')
  expect((await holdfast('list', '--json')).stdout).not.toContain('holdfast?')
  expect((await holdfast('import', '--found', 'codex', '--yes')).stdout).toContain('1 imported')
  expect((await holdfast('import', '--found', '--yes')).stdout).toContain(
    '1 imported, 0 brought up to date, 1 already there',
  )
  expect(await holdfast('import', '--found', 'nonsense')).toMatchObject({ code: 2 })
  expect(await holdfast('import')).toMatchObject({ code: 2 })
}, 120_000)

async function unzipped(path: string): Promise<Record<string, string>> {
  const zip = await openPromise(path)
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(Buffer.from(piece))
    files[entry.fileName] = Buffer.concat(pieces).toString()
  }
  return files
}

/** The command line of a person with this home. */
function holdfast(...args: readonly string[]) {
  const main = join(import.meta.dirname, '..', 'bin', 'holdfast.js')
  return ended(process.execPath, [main, ...args, '--data-dir', join(home, 'data')], {
    env: { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' },
  })
}
