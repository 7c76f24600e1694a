import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { createSqliteStore } from '@holdfast/store/sqlite'
import Database from 'better-sqlite3'
import { type Benchmark, timeMs } from '../lib/measure.ts'
import { fillConversationOf, inTemporaryFolder, systemClock } from '../lib/stores.ts'
import { startProgram } from './server-processes.ts'

const SIZE_BYTES = Number(process.env['HOLDFAST_GIGABYTES'] ?? 1) * 1_000_000_000
const KILLS = Number(process.env['HOLDFAST_KILLS'] ?? 5)
const ENTRIES_OF_ONE = 20_000
const NO_PROVIDER = 'http://127.0.0.1:9'
const BIN = new URL('../../apps/holdfast/bin/holdfast.js', import.meta.url).pathname
const GOAL_MS = 20_000
const STATE_BYTES = 512

/** Takes the tables back to their first version, with all that they hold: as the first Holdfast left them. */
const TO_FIRST_VERSION = `
ALTER TABLE leases DROP COLUMN drafts_after;
DROP TABLE dropped_objects;
ALTER TABLE blobs DROP COLUMN object_id;
CREATE TABLE drafts (
  draft_id INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL, run_id TEXT NOT NULL, step_id TEXT NOT NULL,
  checksum INTEGER NOT NULL, deltas TEXT NOT NULL
) STRICT;
CREATE INDEX drafts_by_step ON drafts (conversation_id, step_id);
INSERT INTO drafts SELECT chunk_id, conversation_id, run_id, step_id, checksum, deltas FROM draft_chunks JOIN draft_steps USING (step_key);
DROP TABLE draft_chunks;
DROP TABLE draft_steps;
DROP TABLE generation;
ALTER TABLE uploads DROP COLUMN used;
ALTER TABLE uploads DROP COLUMN conversation_id;
PRAGMA user_version = 1;
`

/** A start that brings a large data folder of the first version up to date, and a kill in the middle of that. */
export const upgrade: Benchmark = {
  name: 'upgrade',
  about: `a start on a data folder of ${SIZE_BYTES / 1e9} GB of the first version, killed ${KILLS} times in the middle, beside a start when it is up to date`,
  run: (report) =>
    inTemporaryFolder(async (dataDir) => {
      const storeDir = join(dataDir, 'store')
      const file = join(storeDir, 'holdfast.sqlite')
      mkdirSync(storeDir, { recursive: true })
      report(`filled in ${Math.round((await timeMs(() => fill(storeDir, file))) / 1_000)} s: ${megabytes(file)} MB`)
      const newest = toFirstVersion(file)
      const held = digestOf(file)
      const whole = await startProgram(NO_PROVIDER, dataDir, {})
      await whole.close()
      toFirstVersion(file)
      const random = Array.from({ length: KILLS }, () => Math.random() * whole.startMs)
      for (const afterMs of random) {
        await killedAfter(dataDir, afterMs)
        const { version, digest } = { version: versionOf(file), digest: digestOf(file) }
        if (version < 1 || version > newest || digest !== held)
          throw new Error(`A kill after ${afterMs} ms left version ${version} with other entries`)
        if (version === newest) toFirstVersion(file)
      }
      report(`killed after ${random.map((ms) => Math.round(ms)).join(', ')} ms: every entry as it was`)
      const again = await startProgram(NO_PROVIDER, dataDir, {})
      await again.close()
      if (versionOf(file) !== newest || digestOf(file) !== held) throw new Error('The upgrade lost something')
      const next = await startProgram(NO_PROVIDER, dataDir, {})
      await next.close()
      const goal = `at most ${GOAL_MS.toLocaleString('en')} ms`
      const told = { unit: 'ms', baseline: next.startMs, goal }
      return [
        {
          ...told,
          name: 'upgrade: ready',
          value: whole.startMs,
          ratio: whole.startMs / next.startMs,
          met: whole.startMs <= GOAL_MS,
        },
        {
          ...told,
          name: 'upgrade: ready after kills',
          value: again.startMs,
          ratio: again.startMs / next.startMs,
          met: again.startMs <= GOAL_MS,
        },
      ]
    }),
}

/** Fills the folder with conversations, until its database is large enough. */
async function fill(storeDir: string, file: string): Promise<void> {
  const { store, close } = await createSqliteStore({ dataDir: storeDir, clock: systemClock })
  try {
    for (let number = 0; number === 0 || statSync(file).size < SIZE_BYTES; number += 1)
      await fillConversationOf(store, {
        conversationId: `conversation_${number}`,
        ownerId: 'local',
        entryCount: ENTRIES_OF_ONE,
      })
  } finally {
    await close()
  }
}

/** @returns the version that it was of. */
function toFirstVersion(file: string): number {
  const database = new Database(file)
  try {
    const version = Number(database.pragma('user_version', { simple: true }))
    database.exec(`BEGIN; ${TO_FIRST_VERSION} COMMIT`)
    // What the first version said of its folder had no generation.
    const state = join(file, '..', 'holdfast.state.json')
    const said = { ...JSON.parse(readFileSync(state, 'utf8')), open: false, generation: null }
    writeFileSync(state, JSON.stringify(said).padEnd(STATE_BYTES))
    return version
  } finally {
    database.close()
  }
}

function versionOf(file: string): number {
  const database = new Database(file, { readonly: true })
  try {
    return Number(database.pragma('user_version', { simple: true }))
  } finally {
    database.close()
  }
}

/** All entries, each with its place and its checksum. */
function digestOf(file: string): string {
  const database = new Database(file, { readonly: true })
  try {
    const hash = createHash('sha256')
    const rows = database.prepare(
      'SELECT conversation_key, seq, checksum, type, body FROM entries ORDER BY conversation_key, seq',
    )
    for (const row of rows.raw().iterate()) hash.update(JSON.stringify(row))
    return hash.digest('hex')
  } finally {
    database.close()
  }
}

function megabytes(file: string): number {
  return Math.round(statSync(file).size / 1e6)
}

/** Starts the program and ends it as a power cut would. */
async function killedAfter(dataDir: string, afterMs: number): Promise<void> {
  const args = [BIN, 'start', '--no-open', '--no-detect', '--port', '0', '--data-dir', dataDir]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await passed(afterMs)
  child.kill('SIGKILL')
  await ended
}
