import { logOf, runFinished, runStarted } from '@holdfast/conversation/testing'
import { API_PATH } from '@holdfast/protocol'
import { expect, test, vi } from 'vitest'
import { createMetrics } from '../src/parts/metrics.ts'
import { realClock } from './support/real-ports.ts'
import { serve, TOKEN } from './support/serve.ts'

test('[SCALE46] the runs that are open are those that this server works on, and none when it is idle', async () => {
  const served = await serve({ webRoot: null })
  const line = async () => {
    const answer = await fetch(`${served.url}${API_PATH}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    return /^holdfast_runs_open .*$/m.exec(await answer.text())?.[0]
  }
  try {
    const id = await served.newConversation()
    expect(await line()).toBe('holdfast_runs_open 0')
    const content = [{ type: 'text', text: 'Why?' }]
    await served.call('POST', `${API_PATH}/conversations/${id}/inputs`, { commandId: 'why', content })
    await served.model.asked()
    expect(await line()).toBe('holdfast_runs_open 1')
    served.model.say('So.')
    served.model.end()
    await vi.waitFor(async () => expect(await line()).toBe('holdfast_runs_open 0'))
  } finally {
    await served.close()
  }
})

test('[SCALE46] of runs whose end another server wrote only so many are remembered', async () => {
  const metrics = createMetrics({ ofProcess: false, clock: realClock })
  const tell = (...entries: Parameters<typeof logOf>[1]) =>
    metrics.onMessage({ type: 'entries', conversationId: 'c', entries: logOf('c', entries) })
  for (let number = 1; number <= 1_500; number += 1) tell(runStarted(`run_${number}`, 'turn'))
  tell(runFinished('run_1', 'completed'), runFinished('run_1500', 'completed'))
  const { text } = await metrics.text({ openRunCount: 0 })
  expect(text).toContain('holdfast_runs_open 0')
  expect(text).toContain('holdfast_runs_total{purpose="unknown",outcome="completed"} 1')
  expect(text).toContain('holdfast_runs_total{purpose="turn",outcome="completed"} 1')
})
