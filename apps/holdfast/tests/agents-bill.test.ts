import { createHash } from 'node:crypto'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { afterEach, expect, it } from 'vitest'
import { compareBill } from './agents/bill.ts'

let provider: StrictProvider | null = null

afterEach(async () => {
  await provider?.close()
  provider = null
})

/** Asks a model as an agent does, here by nobody's leave. @returns the body as it was sent. */
async function ask({ urls }: StrictProvider, text: string): Promise<string> {
  const messages = [{ role: 'user', content: text }]
  const body = JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 100, messages })
  const headers = { 'content-type': 'application/json', 'x-api-key': 'key', 'anthropic-version': '2023-06-01' }
  const answer = await fetch(`${urls.anthropic}/messages`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  await answer.text()
  return body
}

/** A request and its record as the log holds them. */
function passed(body: string, stepId: string, tokens: readonly [input: number, output: number]) {
  const requestHash = createHash('sha256').update(body).digest('hex')
  const none = { cacheReadTokens: 0, cacheCreation5mTokens: 0, cacheCreation1hTokens: 0 }
  const [inputTokens, outputTokens] = tokens
  return [
    { seq: 1, type: 'step-started', stepId, purpose: 'gateway', requestHash },
    { seq: 2, type: 'usage-recorded', stepId, purpose: 'gateway', inputTokens, outputTokens, ...none, measured: true },
  ]
}

it('[AGENT35] the bill of agents is right to the token, and sees what came past the gateway, what differs, and what nobody asked', async () => {
  provider = await createStrictProvider({})
  const body = await ask(provider, 'Hello.')
  const usage = provider.requests[0]?.usage
  const tokens = [usage?.inputTokens ?? 0, usage?.outputTokens ?? 0] as const
  expect(await compareBill(provider, [passed(body, 's1', tokens)])).toEqual({
    requests: 1,
    ownRequests: 0,
    past: 0,
    differing: [],
    estimated: 0,
    doubled: 0,
  })
  expect(await compareBill(provider, [])).toMatchObject({ past: 1 })
  expect(await compareBill(provider, [passed(body, 's1', [tokens[0] + 1, tokens[1]])])).toMatchObject({
    past: 0,
    differing: [expect.stringContaining('Request 1')],
  })
  expect(
    await compareBill(provider, [[...passed(body, 's1', tokens), ...passed('another', 's2', [1, 1])]]),
  ).toMatchObject({ past: 0, doubled: 1 })

  const unmeasured = passed(body, 's1', tokens).map((entry) => ({ ...entry, measured: false }))
  expect(await compareBill(provider, [unmeasured])).toMatchObject({
    estimated: 0,
    differing: [expect.stringContaining('its record is an estimate')],
  })

  await ask(provider, '<title-request>Give it a title.</title-request>')
  expect(await compareBill(provider, [passed(body, 's1', tokens)])).toMatchObject({
    ownRequests: 1,
    past: 0,
    differing: [expect.stringContaining('has no record')],
  })
})
