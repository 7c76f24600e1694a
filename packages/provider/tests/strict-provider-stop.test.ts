import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { collectParts } from '@holdfast/provider/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHASES, stopAt } from './support/stop-at.ts'
import { ask, requestOf, STRICT_PORTS, says } from './support/strict-ports.ts'

/** The limit of the rule. */
const CLOSED_WITHIN_MS = 200

let provider: StrictProvider

beforeAll(async () => {
  provider = await createStrictProvider({})
})

afterAll(() => provider.close())

describe.each(STRICT_PORTS)('$name, stopped', (port) => {
  it.each(PHASES)('[STOP2, STOP3] closes its connection within 200 ms and ends quietly %s', async (phase) => {
    const { parts, error, record, closedAfterMs, endedAfterMs } = await stopAt(port, provider, phase)
    expect(record).toMatchObject({ ending: 'client-closed', endedMs: undefined, violations: [] })
    expect(closedAfterMs).toBeLessThan(CLOSED_WITHIN_MS)
    expect(endedAfterMs).toBeLessThan(CLOSED_WITHIN_MS)
    expect(error).toBeNull()
    const { blocks, finish } = collectParts(parts)
    expect(finish).toBeNull()
    if (phase === 'in-text') expect(blocks.at(-1)).toMatchObject({ type: 'text', text: 'I look into ' })
    if (phase === 'in-thinking' && port.thinks)
      expect(blocks).toMatchObject([{ type: 'thinking', text: 'The file may' }])
    // A call whose input is not whole is never complete.
    const call = blocks.find((block) => block.type === 'tool-call')
    if (phase === 'in-tool-arguments' && port.format !== 'gemini')
      expect(call).toMatchObject({ inputText: '{"path":"not', complete: false })
  })

  it('[STOP8] has said what it knew of its usage by then', async () => {
    const { parts, record } = await stopAt(port, provider, 'in-text')
    const told = record.usage
    if (port.tellsUsageEarly)
      expect(collectParts(parts).usage).toMatchObject({
        inputTokens: told?.inputTokens,
        cacheReadTokens: told?.cacheReadTokens,
      })
    else expect(collectParts(parts).usage).toBeNull()
  })

  it('[STOP3] answers the next request as if nothing had been', async () => {
    await stopAt(port, provider, 'in-text')
    provider.script({ parts: [{ type: 'text', text: 'Fine.' }] })
    const { blocks, finish } = await ask(port.open(provider.urls), requestOf(port, [says('And now?')]))
    expect([blocks.at(-1), finish]).toEqual([expect.objectContaining({ text: 'Fine.' }), 'end'])
  })
})
