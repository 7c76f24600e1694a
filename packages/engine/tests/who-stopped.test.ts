import type { Actor } from '@holdfast/conversation'
import { begins } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

/** A turn that is stopped by this actor, while it answers or while its call waits to begin. */
async function stoppedBy(actor: Actor, during: 'answer' | 'call') {
  const script =
    during === 'call'
      ? calls({ callId: 'c1', name: 'look', input: { path: 'a' } })
      : [...begins('Well'), { type: 'wait' as const }]
  const { tool } = testTool({ name: 'look', category: 'execute' })
  const harness = await openHarness([script], [tool])
  const { engine, conversationId, clock } = harness
  await harness.send('Hi', 'send-1')
  if (during === 'call') await harness.until('permission-requested', 1)
  else await harness.untilRequests(1)
  await engine.stopRun({ commandId: 'stop', actor, conversationId, runId: null, force: false })
  await clock.advance(5_000)
  await harness.until('run-finished', 1)
  const log = await harness.log()
  const end = log.find((entry) => entry.type === 'run-finished')
  const marker = log.find((entry) => entry.type === 'stop-noted')
  const settled = log.find((entry) => entry.type === 'tool-call-settled')
  await engine.close()
  return { outcome: end?.outcome, reason: end?.reason, marker: marker?.text, call: JSON.stringify(settled?.content) }
}

describe('who stopped a reply', () => {
  it('[STOP7] is its person', async () => {
    const end = await stoppedBy({ type: 'person', userId: 'user_1' }, 'answer')
    expect(end).toMatchObject({ outcome: 'stopped', reason: undefined })
    expect(end.marker).toMatch(/^The person stopped your reply above/)
  })

  it('[SCALE38] is not its person where somebody else disabled the account', async () => {
    const admin = { type: 'person', userId: 'user_2' } as const
    const end = await stoppedBy(admin, 'answer')
    expect(end).toMatchObject({ outcome: 'stopped', reason: 'The account of its person was disabled.' })
    expect(end.marker).toMatch(/^Whoever disabled the account of the person stopped your reply above before it ended\./)
    expect((await stoppedBy(admin, 'call')).call).toContain(
      'Whoever disabled the account of the person stopped the reply before this tool started',
    )
  })

  it('[AGENT77] is the agent that gave the task where its call was over, and nobody where its server is gone', async () => {
    const end = await stoppedBy({ type: 'agent', agentId: 'agent' }, 'answer')
    expect(end).toMatchObject({ outcome: 'stopped', reason: 'The call that gave this task was over.' })
    expect(end.marker).toMatch(/^The agent that gave this task stopped your reply above/)
    const lost = await stoppedBy({ type: 'engine' }, 'call')
    expect(lost).toMatchObject({ outcome: 'interrupted', reason: expect.stringContaining('which gave this task') })
    expect(lost.marker).toContain('Nobody chose that')
    expect(lost.call).toContain('The reply was cut off before this tool started')
  })
})
