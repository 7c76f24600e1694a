/**
 * Child of the failing-call test: opens a store, appends, reads and closes while a system call of its writing
 * thread fails, and says each outcome as one line of JSON by one write to its standard output.
 *
 * Arguments: data folder, number of appends of each of two writers.
 */
import { writeSync } from 'node:fs'
import { StoreOpenError, StoreWriteError } from '@holdfast/conversation'
import { conversationCreated, titleChanged } from '@holdfast/conversation/testing'
import { createSqliteStore, type SqliteStore } from '@holdfast/store/sqlite'
import { systemClock } from './system-clock.ts'

const [dataDir = '', count = '0'] = process.argv.slice(2)
const opened = await open()
if (opened) {
  say({ type: 'opened' })
  await Promise.all(['a', 'b'].map((conversationId) => write(opened, conversationId)))
  for (const conversationId of ['a', 'b']) {
    const { head, entries } = await opened.store.read({ conversationId, after: 0, limit: 1_000 })
    say({ type: 'read', conversationId, head, count: entries.length })
  }
  say({ type: 'closing' })
  await opened.close()
  say({ type: 'closed' })
}

async function open(): Promise<SqliteStore | null> {
  try {
    return await createSqliteStore({ dataDir, clock: systemClock })
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error
    say({ type: 'not-opened', code: error.code, message: error.message })
    return null
  }
}

async function write({ store }: SqliteStore, conversationId: string): Promise<void> {
  for (let after = 0, tries = 0; after < Number(count) && tries < 3; ) {
    const entry =
      after === 0 ? conversationCreated('user_1') : titleChanged(`Title ${after} of ${conversationId}`, 'user')
    try {
      await store.append({ conversationId, after, entries: [entry], at: 1_000 + after })
      after += 1
      tries = 0
      say({ type: 'acknowledged', conversationId, seq: after })
    } catch (error) {
      if (!(error instanceof StoreWriteError)) throw error
      tries += 1
      say({ type: 'refused', conversationId, seq: after + 1, code: error.code })
    }
  }
}

function say(outcome: object): void {
  writeSync(1, `${JSON.stringify(outcome)}\n`)
}
