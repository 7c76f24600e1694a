import { createFaultReply, createStrictProvider, faultNamed, type StrictProvider } from '@holdfast/conformance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasOwnEnd, post, smallRequest, textOf } from './raw-client.ts'

let provider: StrictProvider

beforeAll(async () => {
  provider = await createStrictProvider({})
})

afterAll(async () => {
  await provider.close()
})

const PATIENCE_MS = 10_000

describe('large answers', () => {
  it('writes 20 MB in one delta', async () => {
    provider.script(createFaultReply(faultNamed('huge-delta'), 'in-text'))
    const answer = await post(provider, smallRequest('anthropic', 'Much'), PATIENCE_MS)
    expect(answer.bytes.length).toBeGreaterThan(20_000_000)
    expect(hasOwnEnd('anthropic', textOf('anthropic', answer.bytes))).toBe(true)
  })

  it('writes 1,000,000 deltas of one character', async () => {
    provider.script(createFaultReply(faultNamed('million-deltas'), 'in-text'))
    const answer = await post(provider, smallRequest('anthropic', 'Many'), PATIENCE_MS)
    expect(hasOwnEnd('anthropic', answer.bytes.subarray(-2_000).toString())).toBe(true)
    expect(provider.requests.at(-1)?.deltaMs.length).toBeGreaterThan(1_000_000)
  })

  it('writes arguments of 5 MB', async () => {
    provider.script(createFaultReply(faultNamed('arguments-5-mb'), 'in-tool-arguments'))
    const answer = await post(provider, smallRequest('bedrock-converse', 'Much'), PATIENCE_MS)
    expect(answer.bytes.length).toBeGreaterThan(5_000_000)
  })
})
