import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as passed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@holdfast/engine/system'
import { createRepositoryMaps, type RepositoryMaps } from '@holdfast/repository-map'
import { readDefinitions } from '@holdfast/repository-map/testing'
import { type Benchmark, type Figure, timeMs } from '../lib/measure.ts'
import { orderOf } from './map-order.ts'
import { quality } from './quality.ts'

const WANTED_FILES = 2_000
const EDITS = 9
/** Long enough ago that a file's times say that it is as it was read. */
const OLD_MS = 2_500

/** What a map of this repository takes, and how well it ranks. */
export const map: Benchmark = {
  name: 'map',
  about: `a map of ${WANTED_FILES.toLocaleString('en')} files of this repository: cold beside reading them in one thread without a cache, after an edit, after a restart, how long others wait meanwhile; and its ranking beside that of aider on what was really changed`,
  async run(report) {
    const base = mkdtempSync(join(tmpdir(), 'map-bench-'))
    const root = join(base, 'tree')
    const cacheFolder = join(base, 'cache')
    const open = (): RepositoryMaps => createRepositoryMaps({ cacheFolder, git: 'git', clock: systemClock })
    const draw = async (maps: RepositoryMaps, focus: string) => {
      const drawn = await maps.draw(orderOf(root, focus), AbortSignal.timeout(60_000))
      if (drawn === null) throw new Error('No map was drawn')
      return drawn
    }
    let maps = open()
    try {
      mkdirSync(root)
      for (const part of ['apps', 'packages', 'scripts', 'tests', 'bench'])
        cpSync(fileURLToPath(new URL(`../../${part}`, import.meta.url)), join(root, part), {
          recursive: true,
          filter: (path) => !/\/(node_modules|dist|\.setup)(\/|$)/.test(path),
        })
      await passed(OLD_MS)
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const coldMs = await timeMs(() => draw(maps, 'how is a run stopped'))
      delay.disable()
      const { fileCount } = await draw(maps, '')
      const plainMs = await timeMs(() => readDefinitions(root))
      const edits: number[] = []
      for (let edit = 0; edit < EDITS; edit++) {
        appendFileSync(
          join(root, 'packages/engine/src/process/create-engine.ts'),
          `export const edit${edit} = ${edit}\n`,
        )
        edits.push(await timeMs(() => draw(maps, 'how is a run stopped')))
      }
      edits.sort((one, other) => one - other)
      await maps.close()
      maps = open()
      const restartMs = await timeMs(() => draw(maps, 'how is a run stopped'))
      const perCount = (ms: number): number => (ms * WANTED_FILES) / fileCount
      report(`${fileCount} files; times of all of them, counted down to ${WANTED_FILES} where it says so`)
      const editMs = edits[Math.floor(EDITS / 2)] ?? Number.NaN
      const lagMs = delay.percentile(99) / 1e6
      const figure = (name: string, value: number, goalMs: number, baseline: number | null): Figure => ({
        name: `map: ${name}`,
        value,
        unit: 'ms',
        baseline,
        ratio: baseline === null ? null : value / baseline,
        goal: `at most ${goalMs.toLocaleString('en')} ms`,
        met: value <= goalMs,
      })
      return [
        figure(`cold, for ${WANTED_FILES} files`, perCount(coldMs), 6_000, perCount(plainMs)),
        figure('after an edit', editMs, 150, coldMs),
        figure('after a restart', restartMs, 1_500, coldMs),
        figure('others wait while it is drawn, p99', lagMs, 20, null),
        ...(await quality(maps, report)),
      ]
    } finally {
      await maps.close()
      rmSync(base, { recursive: true, force: true })
    }
  },
}
