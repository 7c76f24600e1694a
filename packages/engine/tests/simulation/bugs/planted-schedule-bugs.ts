import * as z from 'zod'
import type { PlantedBug } from './planted-bug.ts'

const Any = { schema: z.any() }

/** Bugs of schedules that the simulation must find where they are due. */
export const PLANTED_SCHEDULE_BUGS: readonly PlantedBug[] = [
  {
    name: 'claims an occurrence whatever others have claimed',
    store: (store, { records }) => ({
      ...store,
      async append({ records: claims, ...append }) {
        if (!claims) return store.append(append)
        const fresh = await Promise.all(
          claims.map(async (claim) => {
            const found = await records.get({ kind: claim.kind, ...Any }, { ownerId: claim.ownerId, id: claim.id })
            return { ...claim, revision: found?.revision ?? 0 }
          }),
        )
        const { command: _, ...without } = append
        const head = (await store.readListing(append.conversationId))?.head ?? 0
        // What another has begun goes on: only the message is written behind it.
        const entries = head === 0 ? append.entries : append.entries.filter(({ type }) => type === 'input-admitted')
        return store.append({ ...without, entries, after: head, records: fresh })
      },
    }),
  },
  {
    name: 'claims an occurrence before its message is written',
    store: (store, { records }) => ({
      ...store,
      async append({ records: claims, ...append }) {
        for (const { kind, ...write } of claims ?? []) await records.put({ kind, ...Any }, { ...write, at: append.at })
        return store.append(append)
      },
    }),
  },
  {
    name: 'measures when something is due by a clock that sleeps with the machine',
    clock: (clock) => {
      const ahead = clock.now() - clock.monotonicMs()
      return { ...clock, now: () => Math.floor(ahead + clock.monotonicMs()) }
    },
  },
  {
    name: 'believes no clock that was set back',
    clock: (clock) => {
      let latest = 0
      return {
        ...clock,
        now() {
          latest = Math.max(latest, clock.now())
          return latest
        },
      }
    },
  },
]
