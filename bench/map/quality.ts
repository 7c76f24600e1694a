import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RepositoryMaps } from '@holdfast/repository-map'
import { readDefinitions } from '@holdfast/repository-map/testing'
import type { Figure } from '../lib/measure.ts'
import { aiderRanking } from './aider-ranking.ts'
import { orderOf } from './map-order.ts'
import { type Question, questionsFromHistory, questionsMade } from './questions.ts'

/** Files that are looked at: those that stand first. */
const FIRST = 20
/** Commits that are held out. */
const HELD_OUT = 250
const MOST_QUESTIONS = 100
const PACKAGES = ['zod/src/v4', 'knip/dist'] as const
const MOST_BYTES = 256 << 20

/** Of the files that were changed for a question, how many stand among the first of a ranking. */
export async function quality(maps: RepositoryMaps, report: (line: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  const repository = fileURLToPath(new URL('../..', import.meta.url))
  const base = `HEAD~${HELD_OUT}`
  const folder = mkdtempSync(join(tmpdir(), 'map-quality-'))
  try {
    const own = join(folder, 'own')
    execFileSync('mkdir', [own])
    const tree = execFileSync('git', ['-C', repository, 'archive', base], { maxBuffer: MOST_BYTES })
    execFileSync('tar', ['-x', '-C', own], { input: tree })
    const isAsked = (path: string) => /\.[cm]?tsx?$|\.mjs$/.test(path)
    const questions = questionsFromHistory(repository, { base, isAsked }).slice(0, MOST_QUESTIONS)
    figures.push(...(await compare({ name: 'own history', root: own, questions, isHeldOut: true }, { maps, report })))
    for (const name of PACKAGES) {
      const root = join(folder, dirname(name))
      cpSync(join(repository, 'node_modules', name), root, {
        recursive: true,
        filter: (path) => !/\.d\.[cm]?ts$|\.cjs$|\.map$/.test(path),
      })
      const made = questionsMade(await readDefinitions(root), MOST_QUESTIONS)
      figures.push(
        ...(await compare(
          { name: `${dirname(name)}, made`, root, questions: made, isHeldOut: false },
          { maps, report },
        )),
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return figures
}

interface Compared {
  readonly name: string
  readonly root: string
  readonly questions: readonly Question[]
  readonly isHeldOut: boolean
}

async function compare(
  { name, root, questions, isHeldOut }: Compared,
  { maps, report }: { readonly maps: RepositoryMaps; readonly report: (line: string) => void },
): Promise<readonly Figure[]> {
  const files = await readDefinitions(root)
  const paths = files.map(({ path }) => path)
  const sums = { map: 0, aider: 0, alphabetical: 0 }
  for (const { words, paths: changed } of questions) {
    const map = await maps.draw(orderOf(root, words), AbortSignal.timeout(60_000))
    sums.map += recall(map?.topPaths ?? [], changed)
    sums.aider += recall(aiderRanking(files, words), changed)
    sums.alphabetical += recall(paths, changed)
  }
  const count = questions.length
  report(
    `${name}: ${count} questions on ${files.length} files; recall@${FIRST} ${(sums.map / count).toFixed(3)}, aider's ranking ${(sums.aider / count).toFixed(3)}, alphabetical ${(sums.alphabetical / count).toFixed(3)}`,
  )
  const [value, baseline] = [sums.map / count, sums.aider / count]
  const goal = `at least aider's ranking, and 1.3x alphabetical${isHeldOut ? '' : '; the questions are made'}`
  const met = value >= baseline && value >= (1.3 * sums.alphabetical) / count
  return [{ name: `map: recall, ${name}`, value, unit: 'of files', baseline, ratio: value / baseline, goal, met }]
}

function recall(ranked: readonly string[], changed: readonly string[]): number {
  const first = new Set(ranked.slice(0, FIRST))
  return changed.filter((path) => first.has(path)).length / changed.length
}
