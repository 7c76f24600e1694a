import type { Clock } from '@holdfast/conversation'
import type { Accounts } from '../accounts/open-accounts.ts'
import type { Diagnostics } from '../parts/diagnostics.ts'
import type { TerminalDirectory } from '../parts/terminals.ts'

/** What it works with. */
export interface WatchTerminalsDeps {
  /** Null where there are none. */
  readonly terminals: Pick<TerminalDirectory, 'list' | 'end'> | null
  /** Null in token mode: whose terminals they are has the start-up token. */
  readonly accounts: Pick<Accounts, 'gate' | 'people'> | null
  readonly clock: Pick<Clock, 'after'>
  readonly log: Pick<Diagnostics, 'error'>
}

/** How often is asked whose terminals are nobody's who administers any more. In milliseconds. */
const ASK_MS = 2_000

/**
 * Ends the terminals of who is no admin any more, with all that they started, wherever that was decided: a terminal has
 * all rights of the server's account. [SCALE34] @returns the end of it.
 */
export function watchTerminals({ terminals, accounts, clock, log }: WatchTerminalsDeps): () => void {
  if (!terminals || !accounts) return () => {}
  const [directory, { gate, people }] = [terminals, accounts]
  let isClosed = false
  let cancel = plan()

  function plan(): () => void {
    return clock.after(ASK_MS, () => void ask())
  }

  async function ask(): Promise<void> {
    try {
      await endLeft()
    } catch (error) {
      // A store that does not answer says nothing about who administers; the next time asks again.
      log.error('it cannot be asked whose terminals go on', { error })
    }
    if (!isClosed) cancel = plan()
  }

  async function endLeft(): Promise<void> {
    const open = directory.list()
    if (open.length === 0) return
    await gate.refresh()
    const ended = open.filter(({ ownerId }) => {
      const owner = people.find(ownerId)
      return owner !== null && (owner.disabled || owner.role !== 'admin')
    })
    await Promise.all(ended.map(({ terminalId }) => directory.end(terminalId)))
  }

  return () => {
    isClosed = true
    cancel()
  }
}
