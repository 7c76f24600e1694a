import { expect, test } from 'vitest'
import { exactlyOnce } from './exactly-once.ts'

const few = { processes: 3, schedules: 60, people: 1, report: () => {} }

test('[SCHED15] 60 schedules due in one instant run once each at three servers on one database, six of which are killed', async () => {
  const { asked, ended, lost, doubled, wrong, toldWrong } = await exactlyOnce({ ...few, kills: 6, unchecked: false })
  expect({ lost, doubled, wrong, toldWrong }).toEqual({ lost: [], doubled: [], wrong: [], toldWrong: [] })
  expect({ asked, ended }).toEqual({ asked: 60, ended: 60 })
}, 600_000)

test('[SCHED15] finds what runs twice where the claim of an occurrence is not checked', async () => {
  const { doubled } = await exactlyOnce({ ...few, kills: 0, unchecked: true })
  expect(doubled.length).toBeGreaterThan(0)
}, 600_000)
