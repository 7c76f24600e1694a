import type { PlantedBug } from './planted-bug.ts'
import { changedEntries } from './planted-store.ts'

/** Bugs of calls that a client runs, which the simulation must find where clients offer tools. */
export const PLANTED_CLIENT_BUGS: readonly PlantedBug[] = [
  {
    name: 'forgets that a client has a call',
    store: changedEntries((entry) => {
      if (entry.type !== 'tool-call-started' || entry.runsAt === undefined) return [entry]
      const { runsAt: _, ...here } = entry
      return [here]
    }),
  },
  {
    name: 'takes what a client said for its next call',
    engine: (engine) => ({
      ...engine,
      answerCalls(command) {
        const [first, ...others] = command.results
        if (first === undefined || others.length === 0) return engine.answerCalls(command)
        const ids = [...others.map(({ callId }) => callId), first.callId]
        const results = command.results.map((result, at) => ({ ...result, callId: ids[at] ?? result.callId }))
        return engine.answerCalls({ ...command, results })
      },
    }),
  },
  {
    name: 'tells a client that what came too late counts',
    engine: (engine) => ({
      ...engine,
      answerCalls: async (command) => ({ ...(await engine.answerCalls(command)), accepted: true }),
    }),
  },
  {
    name: 'says that a call did not start which a client has',
    store: changedEntries((entry) =>
      entry.type === 'tool-call-settled' && entry.outcome === 'unknown'
        ? [{ ...entry, outcome: 'not-started' }]
        : [entry],
    ),
  },
]
