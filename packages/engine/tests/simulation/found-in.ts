import type { PlantedBug } from './bugs/planted-bug.ts'
import type { Violation } from './rules/violation.ts'
import type { SimulationReport } from './simulate.ts'

/** The steps of one whole world. */
const WORLD_STEPS = 1_500

/** More steps than any planted bug needs, from the first world on; a bug that is not found by then is missed. */
const MOST_STEPS = 120_000

/**
 * The seed of a world in which a planted bug is found, and the steps after which that world comes to rest. The quick count plays
 * such a world first, which saves time and decides nothing: where it shows the bug no more, for a change has moved it, all worlds
 * are looked through from the first one on, as the full count always does.
 */
export const FOUND_IN: Readonly<Record<string, readonly [seed: number, steps: number]>> = {
  'forgets in a restart which commands were carried out': [1, 200],
  'carries a command out as often as it comes': [1, 200],
  'acknowledges before it is synced': [1, 200],
  'acknowledges what it never wrote': [1, 200],
  'reads from one entry too far': [3, 200],
  'publishes before it is durable': [1, 200],
  'looks at no lease': [1, 200],
  'reads from one entry too early': [1, 200],
  'does not wait for the write': [1, 200],
  'loses the end of a stopped answer': [3, 200],
  'takes a failed read for an empty log': [4, 200],
  'writes what belongs together one by one': [2, 200],
  'records no usage of a failed request': [1, 200],
  'leaves calls open at a stop': [4, 200],
  'keeps nothing of what streams': [4, 400],
  'goes on with the queue after a stop': [3, 200],
  'keeps what came after the stop': [3, 200],
  'goes on asking when it is told to close': [1, 200],
  'repairs what it reads, in memory only': [3, 200],
  'keeps drafts of what has ended': [1, 200],
  'records usage twice': [1, 200],
  'tries again after the first content': [1, 200],
  'starts a tool again that has run': [1, 200],
  'ends a run twice': [1, 200],
  'settles a call twice': [1, 200],
  'takes two answers to one request': [9, 200],
  'takes a no for a yes': [6, 200],
  'leaves calls running whose run has ended': [3, 400],
  'starts a tool before its intent is durable': [1, 200],
  'remembers a yes for other arguments': [7, 200],
  'lets anybody answer': [1, 200],
  'forgets a request to stop': [8, 200],
  'sets aside more than was asked': [5, 200],
  'keeps the lease of what is at rest': [1, 200],
  'gives an id of the canvas again': [2, 200],
  'changes the canvas once more for one command': [1, 200],
  'notes nothing of the canvas': [1, 200],
  'counts silence by the wall clock': [5, 1_500],
  'goes on where it was, after an edit': [1, 200],
  'never looks for leases that ran out': [9, 200],
  'counts no version of the canvas': [1, 200],
  'lets the agent answer its own question': [13, 1_500],
  'tells nobody of an answer on the canvas': [41, 1_500],
  'draws for a call that has ended': [3, 400],
  'begins a title in the place of a turn': [1, 200],
  'loses the summary that was made': [25, 1_500],
  'keeps other words than the summary has': [2, 1_500],
  'takes the title of the person for its own': [10, 400],
  'takes a lease over under the epoch that it had': [2, 200],
  'looks for what others left only now and then': [8, 200],
  'summarises a part of an exchange': [25, 1_500],
  'writes without a check of the epoch': [1, 200],
  'comes back and does not ask what it still has': [7, 200],
  'drains, and keeps what it has': [12, 400],
  'closes what a living replica has open': [1, 200],
  'keeps a log open that another has written into': [1, 200],
  'remembers an epoch for ever that was right once': [2, 200],
  'loses a message that came while another was written': [1, 200],
  'takes what a client said for its next call': [4, 200],
  'says that a call did not start which a client has': [12, 400],
  'stops a call and not the agent that it runs': [11, 400],
  'keeps what comes of a step that has ended': [1_004, 1_500],
  'takes others for gone by its own clock': [4, 400],
  'changes a text that it shares with readers': [1, 200],
  'loses one of the drafts that were gathered': [7, 200],
  'forgets that a client has a call': [1, 200],
  'tells a client that what came too late counts': [12, 400],
  'does not say which conversation a call began': [1, 200],
  'closes a caller and lets its agents go on': [11, 800],
  'claims an occurrence whatever others have claimed': [8, 200],
  'measures when something is due by a clock that sleeps with the machine': [3, 200],
  'leaves a task waiting whose caller is gone': [9, 1_500],
  'answers for an agent that still works': [1, 200],
  'claims an occurrence before its message is written': [10, 400],
  'believes no clock that was set back': [12, 800],
}

/** What a look for a planted bug came to. */
export interface Found {
  readonly steps: number
  readonly violations: readonly Violation[]
  /** The world that shows it; null where none did. */
  readonly world: { readonly seed: number; readonly steps: number } | null
}

/** Looks for a planted bug, which `play` has in its worlds: in the world that is known to show it, and then in all. */
export async function findPlanted(
  { name }: PlantedBug,
  {
    play,
    isFull,
  }: { readonly play: (seed: number, steps: number) => Promise<SimulationReport>; readonly isFull: boolean },
): Promise<Found> {
  const known = isFull ? undefined : FOUND_IN[name]
  if (known !== undefined) {
    const [seed, steps] = known
    const { violations } = await play(seed, steps)
    if (violations.length > 0) return { steps, violations, world: { seed, steps } }
  }
  const { steps, violations, failedSeed } = await play(1, MOST_STEPS)
  return { steps, violations, world: failedSeed === null ? null : { seed: failedSeed, steps: WORLD_STEPS } }
}
