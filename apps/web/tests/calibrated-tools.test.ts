import type { ToolRow } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { calibratedTools } from '../src/tool-panel/calibrated-tools.ts'

function tool(name: string, schemaTokens: number, source: string | null, included: boolean): ToolRow {
  return {
    name,
    description: '',
    parameters: {},
    included,
    deferred: false,
    schemaTokens,
    permission: { effect: 'ask', source: 'default-policy', reason: '' },
    metrics: null,
    ...(source === null ? {} : { source }),
  }
}

test('[TOOL10] the figures of tools add up to those of the meter, and what is not sent is scaled as the rest', () => {
  const tools = [
    tool('read', 300, null, true),
    tool('write', 100, null, true),
    tool('search', 1_000, 'github', true),
    tool('left-out', 500, null, false),
  ]
  const figures = (sent: Readonly<Record<string, number>> | null) =>
    calibratedTools(tools, sent).map(({ schemaTokens }) => schemaTokens)
  expect(figures({ '': 200, github: 500 })).toEqual([150, 50, 500, 250])
  expect(figures(null)).toEqual([300, 100, 1_000, 500])
  // Nothing was sent yet: there is nothing to go by.
  expect(figures({})).toEqual([300, 100, 1_000, 500])
})
