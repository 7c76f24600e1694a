import { AppendConflictError, StoreWriteError } from '@holdfast/conversation'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storeFiles } from '../src/sqlite/files/files.ts'
import { Refusal } from '../src/sqlite/messages/failures.ts'
import { createGroupCommit, type Member } from '../src/sqlite/threads/group-commit.ts'
import { appendOf, newFolder, openForTest, readLog, writeLog } from './support/sqlite-harness.ts'

describe('the SQLite group commit', () => {
  it('[LOG3] commits what waits together, and each append whole or not at all', async () => {
    const { store, statistics } = await openForTest(await newFolder())
    const ids = Array.from({ length: 200 }, (_, number) => `conversation ${number}`)
    const before = await statistics()
    await Promise.all(ids.map((id) => store.append(appendOf(id, 0))))
    const after = await statistics()
    expect(after.commitCount - before.commitCount).toBeLessThan(100)
    expect(after.largestGroup).toBeGreaterThan(2)
    for (const id of ids) expect(await readLog(store, id)).toHaveLength(1)
  })

  it('[LOG24] writes at once what finds nobody at work, and all that comes meanwhile together after it', async () => {
    const { store, statistics, close } = await openForTest(await newFolder())
    const before = await statistics()
    const first = store.append(appendOf('first', 0))
    // A message is on its way when the work of this moment is done; no answer comes before the next turn of the loop.
    await Promise.resolve()
    const rest = Array.from({ length: 40 }, (_, number) => store.append(appendOf(`conversation ${number}`, 0)))
    await first
    const after = statistics()
    const closed = close()
    const outcomes = await Promise.allSettled(rest)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await after).toMatchObject({ commitCount: before.commitCount + 3, largestGroup: 40 })
    await closed
  })

  it('[LOG2, LOG10] syncs an append, and a lease only with one', async () => {
    const { store, statistics } = await openForTest(await newFolder())
    await store.append(appendOf('a', 0))
    const lease = { conversationId: 'a', holder: 'process_1', ttlMs: 10_000 }
    const before = await statistics()
    const taken = await store.acquireLease(lease)
    const alone = await statistics()
    await Promise.all([store.acquireLease(lease), store.append({ ...appendOf('a', 1), epoch: taken?.epoch ?? 0 })])
    await store.releaseLease({ conversationId: 'a', epoch: taken?.epoch ?? 0 })
    const after = await statistics()
    expect(alone.unsyncedCount - before.unsyncedCount).toBe(1)
    expect(after.unsyncedCount - alone.unsyncedCount).toBe(1)
    expect(after.commitCount - after.unsyncedCount).toBeGreaterThan(alone.commitCount - alone.unsyncedCount)
    expect(after.settings).toMatchObject({ synchronous: 2 })
  })

  it('[LOG2] refuses one append of a group and keeps the others', async () => {
    const { store } = await openForTest(await newFolder())
    await writeLog(store, 'a', 3)
    const appends = [appendOf('b', 0), appendOf('a', 1), appendOf('c', 0), appendOf('a', 3)]
    const results = await Promise.allSettled(appends.map((append) => store.append(append)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: expect.any(AppendConflictError) })
    expect(await readLog(store, 'a')).toHaveLength(4)
  })

  it('[LOG3] runs the members one by one when one meets a defect, so that only that one fails', async () => {
    const { commit, rows, forgotten } = await groupOf()
    const outcomes = commit([
      { writes: 'first' },
      { writes: 'bad', thenThrows: new TypeError('a defect') },
      { writes: 'last' },
    ])
    expect(outcomes).toEqual(['answered', 'a defect', 'answered'])
    expect(rows()).toEqual(['first', 'last'])
    expect(forgotten()).toBeGreaterThan(0)
  })

  it('[LOG2] keeps the group when a member is refused before it has written', async () => {
    const { commit, rows, forgotten } = await groupOf()
    const refusal = new Refusal({ type: 'missing-blob', hash: 'f' })
    expect(commit([{ writes: 'first' }, { thenThrows: refusal }, { writes: 'last' }])).toEqual([
      'answered',
      'missing-blob',
      'answered',
    ])
    expect(rows()).toEqual(['first', 'last'])
    expect(forgotten()).toBe(0)
  })

  it('[LOG3] takes back what a member with a transaction of its own wrote before it was refused', async () => {
    const { commit, rows } = await groupOf()
    const refusal = new Refusal({ type: 'missing-blob', hash: 'f' })
    expect(commit([{ writes: 'first' }, { writes: 'bad', thenThrows: refusal, alone: true }])).toEqual([
      'answered',
      'missing-blob',
    ])
    expect(rows()).toEqual(['first'])
  })

  it('[LOG8] refuses the whole group when the disk is full, and goes on when there is room', async () => {
    const { commit, rows, database } = await groupOf()
    database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true }))}`)
    const large = 'x'.repeat(100_000)
    const refused = commit([{ writes: 'small' }, { writes: large }])
    for (const message of refused) expect(message).toContain('the disk is full')
    expect(rows()).toEqual([])
    database.pragma('max_page_count = 1000000')
    expect(commit([{ writes: 'small' }, { writes: large }])).toEqual(['answered', 'answered'])
    expect(rows()).toEqual(['small', large])
  })

  it('[LOG8] answers what was accepted before it closed, and nothing after', async () => {
    const { store, close } = await openForTest(await newFolder())
    const accepted = Array.from({ length: 50 }, (_, number) => store.append(appendOf(`conversation ${number}`, 0)))
    const closed = close()
    const late = store.append(appendOf('late', 0))
    await expect(late).rejects.toThrow(StoreWriteError)
    expect(await Promise.all(accepted)).toHaveLength(50)
    await closed
    await close()
  })
})

interface Step {
  readonly writes?: string
  readonly thenThrows?: Error
  readonly alone?: boolean
}

/** A group commit over a table of its own. `commit` says what became of each member. */
async function groupOf() {
  const files = storeFiles(await newFolder())
  const database = new Database(files.database)
  onTestFinished(() => {
    database.close()
  })
  database.exec('CREATE TABLE rows (text TEXT) STRICT')
  const insert = database.prepare<[string]>('INSERT INTO rows (text) VALUES (?)')
  let forgotten = 0
  const group = createGroupCommit({
    database,
    files,
    forget: () => {
      forgotten += 1
    },
    statistics: { commitCount: 0, unsyncedCount: 0, largestGroup: 0 },
    writeAhead: { afterCommit: () => undefined },
  })
  const commit = (steps: readonly Step[]): string[] => {
    const outcomes: string[] = steps.map(() => 'nothing')
    const members = steps.map(
      (step, index): Member => ({
        alone: step.alone ?? false,
        isDurable: true,
        run: () => {
          if (step.writes !== undefined) insert.run(step.writes)
          if (step.thenThrows) throw step.thenThrows
          return null
        },
        answer: () => {
          outcomes[index] = 'answered'
        },
        refuse: (error) => {
          outcomes[index] = error instanceof Error ? error.message : String(error)
        },
      }),
    )
    group(members)
    return outcomes
  }
  const rows = () =>
    database
      .prepare<[], { text: string }>('SELECT text FROM rows')
      .all()
      .map(({ text }) => text)
  return { commit, rows, database, forgotten: () => forgotten }
}
