import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess } from '../crash/server-process.ts'
import { codexTurn, installCodex } from './codex-turn.ts'

/** Its 430 MB are kept for the next time, and come from the registry: that is why no test installs it. */
const CACHE = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '.cache', 'holdfast-codex')

const program = await installCodex(CACHE)
const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-codex-data-'))
const server = await startServerProcess(dataDir)
try {
  const { exitCode, said, made, entries } = await codexTurn(program, server)
  const handedOver = entries.filter(({ type, runsAt }) => type === 'tool-call-started' && runsAt === 'client').length
  const settled = entries.filter(({ type, outcome }) => type === 'tool-call-settled' && outcome === 'ok').length
  const turns = entries.filter(({ type, outcome }) => type === 'run-finished' && outcome === 'completed').length
  const report = { exitCode, made, handedOver, settled, turns }
  console.log(JSON.stringify(report))
  const isDone =
    exitCode === 0 &&
    made === 'made by codex\n' &&
    handedOver === 2 &&
    settled === 2 &&
    turns >= 1 &&
    said.includes('first-42') &&
    said.includes('second-21')
  if (!isDone) console.error(said)
  process.exitCode = isDone ? 0 : 1
} finally {
  await server.kill()
  await rm(dataDir, { recursive: true, force: true })
}
