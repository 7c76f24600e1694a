import { createKeyedTurns } from '@holdfast/conversation'

/** The commands of one socket that are not answered yet. */
export interface OpenCommands {
  /** Carries a command out after those of its conversation that came before. Null: it is about no conversation. */
  begin(conversationId: string | null, carryOut: () => Promise<void>): void
}

/** What holds a reader back. */
export interface OpenCommandsDeps {
  /** So many are open and no more are to come. */
  readonly pause: () => void
  /** More may come again. */
  readonly resume: () => void
}

/** How many commands of one socket may be open before it is not read any further. */
const MOST_OPEN = 32

/**
 * Commands of one conversation are carried out in the order of sending, and so are those about none; those of different
 * conversations do not wait for each other. [SYNC13]
 */
export function createOpenCommands({ pause, resume }: OpenCommandsDeps): OpenCommands {
  const inTurn = createKeyedTurns()
  let open = 0

  async function carryOutAndCount(key: string, carryOut: () => Promise<void>): Promise<void> {
    open += 1
    if (open === MOST_OPEN) pause()
    try {
      await inTurn(key, carryOut)
    } finally {
      if (open === MOST_OPEN) resume()
      open -= 1
    }
  }

  return {
    begin(conversationId, carryOut) {
      // No id of a conversation is empty.
      void carryOutAndCount(conversationId ?? '', carryOut)
    },
  }
}
