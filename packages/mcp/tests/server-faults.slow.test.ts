import { expect, it } from 'vitest'
import { hostileReach, openServer, untilConnected } from './support/open-server.ts'

it('[TOOL9] [TOOL2] three servers that die at once leave the fourth alone, and are back', async () => {
  const [calm, ...dying] = [
    openServer(hostileReach('none')),
    ...[1, 2, 3].map(() => openServer(hostileReach('dies-in-call'))),
  ]
  await Promise.all([calm, ...dying].map(untilConnected))
  const results = await Promise.all([...dying, calm].map((open) => open.call('work', {})))
  expect(results.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error', 'ok'])
  await Promise.all(dying.map(untilConnected))
  expect(dying.map(({ server }) => server.status().failures)).toEqual([1, 1, 1])
  expect(calm.server.status().failures).toBe(0)
})
