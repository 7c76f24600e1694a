import type { AgentChoices } from '@holdfast/external-agent'
import { expect, it } from 'vitest'
import { offeredChoices } from '../src/external/offered-choices.ts'

const MODEL = {
  form: 'google' as const,
  id: 'gemini-3',
  name: 'Gemini 3',
  contextWindowTokens: null,
  maxOutputTokens: null,
  takesImages: null,
}

/** What is offered of Gemini CLI, by its own sign-in, where the look at it came to this. */
async function problemWith(seen: Partial<AgentChoices>, { hasProvider }: { readonly hasProvider: boolean }) {
  const gateway = {
    reaches: () => (hasProvider ? [MODEL] : null),
    payers: () => (hasProvider ? [{ id: 'goog', name: 'Google here' }] : []),
  }
  const { problem } = await offeredChoices(
    {
      gateway: () => gateway,
      settings: () => ({ agentModels: 'own' }),
      look: async () => ({
        payable: null,
        offer: null,
        problem: 'gemini wants you to sign in first',
        isUnsigned: true,
        ...seen,
      }),
    },
    {
      agent: { id: 'gemini', name: 'gemini', command: 'gemini', args: [], env: {} },
      paidBy: null,
      signal: AbortSignal.timeout(5_000),
    },
  )
  return problem
}

it('[AGENT80] of an agent that is not signed in say who could pay for it here, and nobody where none can', async () => {
  expect(await problemWith({}, { hasProvider: true })).toBe(
    'gemini wants you to sign in first — or have it paid here: choose Google here as the one who pays (`--paid-by` in the terminal)',
  )
  expect(await problemWith({}, { hasProvider: false })).toBe('gemini wants you to sign in first')
  expect(await problemWith({ problem: 'It is not there', isUnsigned: false }, { hasProvider: true })).toBe(
    'It is not there',
  )
})
