import { DamagedLogError } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import type { StoreFiles } from '../files/files.ts'
import { isDamage, toWriteError } from '../files/sqlite-errors.ts'
import type { WriteAhead } from '../files/write-ahead.ts'
import { Refusal } from '../messages/failures.ts'
import type { GroupStatistics } from './writer-operations.ts'

/** One call of a group. Exactly one of `answer` and `refuse` is called, after the commit. */
export interface Member {
  /** Does its part of the transaction. What it throws as a refusal it throws before it has written. */
  readonly run: () => unknown
  /** Whether `run` may throw after it has written, so that nobody may share its transaction. */
  readonly alone: boolean
  /** Whether it must be on the disk when it is answered; what need not be is there with the next that must. */
  readonly isDurable: boolean
  readonly answer: (value: unknown) => void
  readonly refuse: (error: unknown) => void
}

/** What a group commit needs. */
export interface GroupCommitOptions {
  readonly database: Database
  readonly files: StoreFiles
  /** Forgets what was remembered of a transaction that was rolled back. */
  readonly forget: () => void
  readonly statistics: GroupStatistics
  readonly writeAhead: Pick<WriteAhead, 'afterCommit'>
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * Commits calls together: one sync for all of them, and each is answered when it has returned. [LOG3, LOG8] What needs
 * no sync waits for none where it is alone: a later sync drives all that was written before it to the disk as well.
 */
export function createGroupCommit({
  database,
  files,
  forget,
  statistics,
  writeAhead,
}: GroupCommitOptions): (members: readonly Member[]) => void {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')

  const rollBack = (): void => {
    // A full disk makes SQLite roll back by itself.
    if (database.inTransaction) database.exec('ROLLBACK')
    forget()
  }

  /** The syncs of the write-ahead log: FULL for every commit, NORMAL for none of its own. */
  const sync = (level: 'FULL' | 'NORMAL'): void => {
    database.pragma(`synchronous = ${level}`)
  }

  const commitTogether = (members: readonly Member[]): void => {
    const outcomes: Outcome[] = []
    const isDurable = members.some((member) => member.isDurable)
    try {
      if (!isDurable) sync('NORMAL')
      begin.run()
      for (const member of members) outcomes.push(outcomeOf(member))
      commit.run()
      statistics.commitCount += 1
      if (!isDurable) statistics.unsyncedCount += 1
      statistics.largestGroup = Math.max(statistics.largestGroup, members.length)
    } catch (error) {
      rollBack()
      const refused = toWriteError(error, files)
      // A full or failing disk concerns all; a defect or a damaged page only the one that met it.
      if (members.length > 1 && (refused === null || isDamage(error)))
        for (const member of members) commitTogether([member])
      else for (const member of members) member.refuse(refused ?? error)
      return
    } finally {
      if (!isDurable) sync('FULL')
    }
    members.forEach((member, index) => {
      const outcome = outcomes[index]
      if (outcome && 'value' in outcome) member.answer(outcome.value)
      else member.refuse(outcome?.error)
    })
    writeAhead.afterCommit()
  }

  return (members) => {
    let together: Member[] = []
    for (const member of members) {
      if (!member.alone) {
        together.push(member)
        continue
      }
      if (together.length > 0) commitTogether(together)
      commitTogether([member])
      together = []
    }
    if (together.length > 0) commitTogether(together)
  }
}

function outcomeOf(member: Member): Outcome {
  try {
    return { value: member.run() }
  } catch (error) {
    const hasWrittenNothing = error instanceof Refusal || error instanceof DamagedLogError
    if (member.alone || !hasWrittenNothing) throw error
    return { error }
  }
}
