import { beforeAll, expect, test } from 'vitest'
import { usageName } from '../src/settings/usage-name.ts'
import { loadTheRest } from '../src/shared/language/load-words.ts'

beforeAll(loadTheRest)

const names = {
  providers: [{ id: 'work', name: 'Our own server' }],
  agents: [
    { id: 'default', name: 'Holdfast' },
    { id: 'external:opencode', name: 'opencode' },
    { id: 'external:my-agent', name: 'My agent' },
  ],
}

test.each([
  ['agent', '', 'no agent'],
  ['agent', 'default', 'Holdfast'],
  ['agent', 'external:my-agent', 'My agent'],
  ['agent', 'external:gone', 'gone'],
  ['agent', 'agent_5', 'agent_5'],
  ['model', 'external:my-agent/external:my-agent', 'My agent'],
  ['model', 'external:gone/external:gone', 'gone'],
  ['model', 'work/external', 'work/external'],
  ['payer', 'work', 'Our own server'],
  ['payer', 'external:my-agent', 'My agent, by its own sign-in'],
  ['payer', 'external:gone', 'gone, by its own sign-in'],
  ['day', '2026-11-28', '2026-11-28'],
] as const)('[AGENT62] usage by %s calls %j %j', (by, key, name) => {
  expect(usageName({ by, key }, names)).toBe(name)
})
