import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFolderWatch, createSurveyor } from '@holdfast/toolbox'
import { expect, it, onTestFinished, vi } from 'vitest'
import { keptPath, packPathOf, removeOfGone, writeKeptSurvey } from '../src/survey/kept-survey.ts'
import { systemClock } from './support/system-clock.ts'
import { openWorkbench } from './support/workbench.ts'

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('[AGENT74] of a folder that was looked at around a call nothing stays a minute after the last call, nor after the end', async () => {
  const folder = openFolder()
  const timers: { readonly ms: number; readonly run: () => void; isCancelled: boolean }[] = []
  const clock = {
    ...systemClock,
    after(ms: number, run: () => void) {
      const timer = { ms, run, isCancelled: false }
      timers.push(timer)
      return () => {
        timer.isCancelled = true
      }
    },
  }
  const surveyor = createSurveyor({ folder, clock: systemClock })
  const watch = createFolderWatch({ surveyor, clock })
  const bench = await openWorkbench({})
  onTestFinished(() => bench.close())
  const { around } = watch.watch({ ...bench, blobSink: bench.ports.blobSink, isBusy: () => false, name: 'one' })
  const surveys = () => readdirSync(folder).filter((name) => name.startsWith('survey-'))
  const call = { callId: 'call_1', report: () => {} }
  await around(call, async () => expect(surveys()).toHaveLength(1))
  const [first] = timers.filter(({ ms }) => ms === 60_000)
  await around(call, async () => expect(first?.isCancelled).toBe(true))
  expect(surveys()).toHaveLength(1)
  const last = timers.findLast(({ ms }) => ms === 60_000)
  expect(last?.isCancelled).toBe(false)
  last?.run()
  await vi.waitFor(() => expect(surveys()).toEqual([]))
  await around(call, async () => {})
  await watch.close()
  expect(readdirSync(folder)).toEqual([])
  expect(timers.at(-1)?.isCancelled).toBe(true)
})

it('[AGENT74] what processes that are gone have left is removed, also one of the same number; what runs keeps its own', () => {
  const folder = openFolder()
  const { pid: gone } = spawnSync('true')
  const own = packPathOf(folder, { pid: process.pid, id: 'own' })
  const kept = {
    own,
    before: packPathOf(folder, { pid: process.pid, id: 'before' }),
    gone: packPathOf(folder, { pid: gone, id: 'gone' }),
    other: packPathOf(folder, { pid: process.ppid, id: 'other' }),
  }
  for (const [name, packPath] of Object.entries(kept)) {
    writeFileSync(`${packPath}-1`, 'contents')
    writeKeptSurvey(keptPath(folder, name), { rootPath: '/', callIds: [], packPath, survey: new Map() })
  }
  removeOfGone(folder, own)
  const left = readdirSync(folder).map((name) => join(folder, name))
  expect(left.toSorted()).toEqual(
    [`${own}-1`, `${kept.other}-1`, keptPath(folder, 'own'), keptPath(folder, 'other')].toSorted(),
  )
})
