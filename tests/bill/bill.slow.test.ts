import { describe, expect, it } from 'vitest'
import { WIRE_FORMATS } from '../states/wire-formats.ts'
import { BILL_ACTS } from './bill-acts.ts'
import { holdBilledConversation } from './hold-billed-conversation.ts'

/** Every act once, with three checkpoints; the full count is that of `npm run bill`. */
const ACTS = process.env['HOLDFAST_FULL'] === undefined ? BILL_ACTS.length + 2 : 200

describe('the ledger of a conversation with everything that costs', { retry: 0 }, () => {
  it.each(WIRE_FORMATS.map((format) => [format.title, format] as const))(
    '[COST1, COST2, COST8, STOP8] equals the bill of the provider to the token, by kind and model: %s',
    async (_, format) => {
      const bill = await holdBilledConversation(format, ACTS)
      expect(bill.problems).toEqual([])
      expect(bill.checkpointCount).toBe(3)
      expect(bill.subAgentCount).toBeGreaterThan(1)
      expect(new Set(bill.acts).size).toBe(BILL_ACTS.length + 2)
      const { measured, cutAfterUsage, untold, refused } = bill
      expect(Object.keys(measured)).toHaveLength(2)
      for (const { ours, theirs, requestCount } of Object.values(measured)) {
        expect(requestCount).toBeGreaterThan(10)
        expect(ours.outputTokens).toBe(theirs.outputTokens)
        expect(ours.cacheReadTokens).toBeGreaterThan(1_000)
      }
      expect(refused.requestCount).toBeGreaterThan(3)
      expect(cutAfterUsage.requestCount + untold.requestCount).toBeGreaterThan(9)
    },
    60_000,
  )
})
