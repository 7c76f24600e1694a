import { overview } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { type Benchmark, inTurns } from '../lib/measure.ts'
import { fillConversation, withSqliteStore } from '../lib/stores.ts'

const ENTRIES = 100_000

/** Opening a long conversation: its projections from their snapshot and the entries after it. */
export const open: Benchmark = {
  name: 'open',
  about: `the projections of a conversation of ${ENTRIES.toLocaleString('en')} entries from a snapshot, beside folding the whole log`,
  run: () =>
    withSqliteStore(async (store) => {
      await fillConversation(store, 'conversation_1', ENTRIES)
      await readOverview(store, 'conversation_1')
      const { valueMs, baselineMs, ratio } = await inTurns(5, {
        value: () => readOverview(store, 'conversation_1'),
        baseline: async () => {
          let state = overview.initial
          for (;;) {
            const page = await store.read({ conversationId: 'conversation_1', after: state.head, limit: 1_000 })
            state = overview.reduce(state, page.entries)
            if (state.head === page.head) return state
          }
        },
      })
      return [
        {
          name: 'open',
          value: valueMs,
          unit: 'ms',
          baseline: baselineMs,
          ratio,
          goal: 'at most 5 ms',
          met: valueMs <= 5,
        },
      ]
    }),
}
