import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { environment, runChild } from './lib/child.mjs'
import { runMain, SetupError, say } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'

/** What estimates may be off by, as a share of what was measured. */
const MOST_MEDIAN = 0.1
const MOST_P95 = 0.25

/** Imports every transcript of a folder and replays every provider's stream, side by side; prints one line of figures last. */
await runMain(async () => {
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? '')
  if (process.argv[2] === undefined || !existsSync(folder))
    throw new SetupError('Name a folder with transcripts: npm run corpus -- DIR', 2)
  const node = await setUp()
  const [imported, replayed] = await Promise.all([
    runProgram(node, 'packages/archive/corpus/main.ts', folder),
    runProgram(node, 'packages/provider/corpus/main.ts', folder),
  ])
  const streams = replayed.own.streams + replayed.packages.streams
  const { mismatches, thrown, falseEnds } = replayed.own
  const streamErrors = mismatches + thrown + falseEnds + replayed.packages.thrown + replayed.packages.falseEnds
  for (const problem of [...replayed.own.problems, ...replayed.packages.problems]) say(problem)
  const result = { ...imported, files: imported.files + streams, streams, errors: imported.errors + streamErrors }
  process.stdout.write(`${JSON.stringify(result)}\n`)
  const { invalidRequests, errors, estimateErrorMedian, estimateErrorP95, unlearntErrorMedian, unlearntErrorP95 } =
    result
  const isGood = invalidRequests === 0 && errors === 0
  const isNear = estimateErrorMedian <= MOST_MEDIAN && estimateErrorP95 <= MOST_P95
  const isNearUnlearnt = unlearntErrorMedian <= MOST_MEDIAN && unlearntErrorP95 <= MOST_P95
  return isGood && isNear && isNearUnlearnt ? 0 : 1
})

/** Runs a TypeScript program of the repository against the sources, and reads the figures of its last line. */
async function runProgram(node, program, folder) {
  const args = ['--conditions=@holdfast/source', program, folder]
  const { exitCode, tail } = await runChild({ command: node, args, env: environment({}), show: 'stderr' })
  const last = tail
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .at(-1)
  if (exitCode !== 0 || last === undefined) throw new SetupError(`${program} ended with ${exitCode} and no figures`, 1)
  return JSON.parse(last)
}
