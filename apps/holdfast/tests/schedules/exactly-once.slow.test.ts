import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exactlyOnce } from './exactly-once.ts'

const few = {
  processes: 3,
  schedules: 60,
  people: 1,
  // Longer than a lease of one that was killed.
  afterwardsMs: 8_000,
  report: () => {},
  signal: new AbortController().signal,
}

test('[SCHED15] 60 schedules due in one instant run once each at three servers on one database, six of which are killed', async () => {
  const { asked, ended, lost, doubled, wrong, toldWrong } = await exactlyOnce({ ...few, kills: 6, unchecked: false })
  expect({ lost, doubled, wrong, toldWrong }).toEqual({ lost: [], doubled: [], wrong: [], toldWrong: [] })
  expect({ asked, ended }).toEqual({ asked: 60, ended: 60 })
}, 600_000)

test('[SCHED15] finds what runs twice where the claim of an occurrence is not checked', async () => {
  const { doubled } = await exactlyOnce({ ...few, schedules: 30, afterwardsMs: 0, kills: 0, unchecked: true })
  expect(doubled.length).toBeGreaterThan(0)
}, 600_000)

test('[SCHED29] broken off in the middle, it leaves no server and no database behind', async () => {
  const before = ownChildren()
  const broken = new AbortController()
  const report = (line: string) => {
    if (line.includes('due in')) broken.abort(new Error('broken off'))
  }
  const work = exactlyOnce({ ...few, kills: 6, unchecked: false, report, signal: broken.signal })
  await expect(work).rejects.toThrow('abort')
  expect(ownChildren()).toEqual(before)
}, 600_000)

/** What this process started and has not ended, by its command line. */
function ownChildren(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]
        return parent === String(process.pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
      } catch {
        return []
      }
    })
    .filter((line) => line.includes('holdfast') || line.includes('postgres'))
}
