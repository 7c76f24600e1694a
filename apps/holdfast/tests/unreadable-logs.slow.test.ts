import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ended } from './support/ended.ts'
import { claudeCodeLog, codexLog } from './support/foreign-logs.ts'

/** Root reads everything: then the program runs without that right. */
const AS_ANYBODY =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : []

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'holdfast-unread-'))
  await put('.claude/projects/p/5e1.jsonl', claudeCodeLog({ sessionId: '5e1', asked: 'What is a holdfast?' }))
  await put('.claude/projects/p/5e2.jsonl', claudeCodeLog({ sessionId: '5e2', asked: 'Closed file' }))
  await put('.claude/projects/q/5e3.jsonl', claudeCodeLog({ sessionId: '5e3', asked: 'Closed folder' }))
  await chmod(join(home, '.claude/projects/p/5e2.jsonl'), 0)
  await chmod(join(home, '.claude/projects/q'), 0)
})

afterEach(async () => {
  await chmod(join(home, '.claude/projects/q'), 0o700)
  await rm(home, { recursive: true })
})

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), text)
}

test('[CLI43] what is found and may not be read is named in the list, and is what the import left out', async () => {
  await put('.codex/sessions/2026/11/27/rollout-a.jsonl', codexLog({ sessionId: 'c0d', asked: 'And kelp?' }))
  const listed = await holdfast('import', '--found')
  expect(listed.stdout).toContain('claude-code   Claude Code: 1 log, ')
  expect(listed.stdout).toContain(`You may not read ${join(home, '.claude/projects/p/5e2.jsonl')}\n`)
  expect(listed.stdout).toContain(`You may not read ${join(home, '.claude/projects/q')}\n`)
  const imported = await holdfast('import', '--found', '--yes')
  expect(imported.stdout).toContain('2 imported')
  expect(imported.stdout).toContain('Claude Code/p/5e2.jsonl: It cannot be read: you may not read it')
  expect(imported.stdout).toContain('Claude Code/q: It cannot be read: you may not read it')
  expect(imported.code).toBe(5)
  expect((await holdfast('import', '--found', 'codex', '--yes')).code).toBe(0)
}, 120_000)

test('[CLI43] a folder with a log and a folder that may not be read is imported but for these, and says so', async () => {
  const imported = await holdfast('import', join(home, '.claude/projects'))
  expect(imported.stdout).toContain('1 imported')
  expect(imported.stdout).toContain('p/5e2.jsonl: It cannot be read: you may not read it')
  expect(imported.stdout).toContain('q: It cannot be read: you may not read it')
  expect(imported.code).toBe(5)
  const told = JSON.parse((await holdfast('import', '--json', '--dry-run', join(home, '.claude/projects'))).stdout)
  expect(told.files.map(({ isDryRun }: { readonly isDryRun: boolean }) => isDryRun)).toEqual([true, true, true])
}, 120_000)

test('[CLI43] where nothing may be read the list says that, and an import fails', async () => {
  await rm(join(home, '.claude/projects/p/5e1.jsonl'))
  expect((await holdfast('import', '--found')).stdout).toContain('Claude Code: 0 logs')
  expect((await holdfast('import', '--found', '--yes')).code).toBe(1)
}, 120_000)

/** The command line of a person with this home and no other rights. */
function holdfast(...args: readonly string[]) {
  const main = join(import.meta.dirname, '..', 'bin', 'holdfast.js')
  const line = [...AS_ANYBODY, process.execPath, main, ...args]
  const [program = process.execPath, ...rest] = [...line, '--data-dir', join(home, 'data')]
  return ended(program, rest, {
    env: { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' },
  })
}
