import { expect, it } from 'vitest'
import { createHistory } from './history.ts'
import { killLoop } from './kill-loop.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'

it('[LOG4, LOG8, RUN4] loses, doubles and breaks nothing when a real server is killed again and again', {
  retry: 0,
  timeout: 180_000,
}, async () => {
  const { findings, acknowledged, lost, doubled, invalid } = await killLoop({
    kills: FULL ? 20 : 5,
    random: Math.random,
    onKill: () => {},
  })
  expect({ lost, doubled, invalid }, findings.join('\n')).toEqual({ lost: 0, doubled: 0, invalid: 0 })
  expect(acknowledged).toBeGreaterThan(10)
})

it('[LOG8] finds what is lost, changed or doubled', () => {
  const admitted = { seq: 1, type: 'input-admitted', commandId: 'command_1', inputId: 'input_1' }
  const history = createHistory()
  history.acknowledged('a', { commandId: 'command_1', seq: 2, inputId: 'input_1' })
  history.acknowledged('a', { commandId: 'command_1', seq: 3, inputId: 'input_2' })
  expect(history.report()).toMatchObject({ doubled: 1 })
  expect(() => history.compare('a', [admitted])).toThrow()
  expect(history.report().lost).toBeGreaterThan(0)
})
