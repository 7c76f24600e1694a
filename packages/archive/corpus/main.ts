import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkCheckpoints } from './check-checkpoints.ts'
import { checkExports } from './check-exports.ts'
import { checkRequests } from './check-requests.ts'
import { type BlobBodies, importFile } from './import-files.ts'
import { createWireChecks } from './wire-checks.ts'

/** Places in each conversation at which a checkpoint is forced. */
const CHECKPOINTS = 4
/** What makes a growth impossible to compare. */
const LACKS = ['thinking', 'earlier-thinking', 'excerpt'] as const

/** Recordings of providers are replayed by another program; this one leaves them out. */
const RECORDING = /(?:\.chunks\.txt|(?:^|\/)MANIFEST\.md)$/

await run(process.argv[2] ?? '')

/** Imports every transcript of a folder, checks what came of it, and prints one line of figures last. */
async function run(folder: string): Promise<void> {
  const bodies: BlobBodies = new Map()
  const wires = await createWireChecks(bodies)
  const figures = { files: 0, conversations: 0, entries: 0, requests: 0, bodies: 0, prefixes: 0, checkpoints: 0 }
  const invalid: string[] = []
  const errors: string[] = []
  const estimateErrors: number[] = []
  const unlearntErrors: number[] = []
  const leftOut = { thinking: 0, 'earlier-thinking': 0, excerpt: 0 }
  const random = seededRandom(1)
  try {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.\w+$/.test(path) || RECORDING.test(path)) continue
      try {
        const { report, conversations } = await importFile(join(folder, path), { name: path, bodies })
        if (report.format === null && isRecording(path)) continue
        figures.files++
        say(
          `${path}: ${report.format ?? 'no known format'}, ${report.conversations} conversations, ${report.entries} entries`,
        )
        for (const { line, reason, what } of report.skips)
          if (reason !== 'not-conversation' && reason !== 'instructions')
            say(`  line ${line ?? '-'}: ${reason}: ${what}`)
        for (const conversation of conversations) {
          const { log, sourceId } = conversation
          const where = `${path} ${sourceId}`
          figures.conversations++
          figures.entries += log.length
          const requests = await checkRequests(log, wires)
          const checkpoints = await checkCheckpoints(log, { places: CHECKPOINTS, random, wires })
          figures.requests += requests.requests
          figures.bodies += requests.bodies
          figures.prefixes += requests.prefixes
          figures.checkpoints += checkpoints.made
          estimateErrors.push(...requests.estimateErrors)
          unlearntErrors.push(...requests.unlearnt.errors)
          for (const lack of LACKS) leftOut[lack] += requests.unlearnt.leftOut[lack]
          for (const found of [...requests.invalid, ...checkpoints.invalid]) invalid.push(`${where}: ${found}`)
          for (const found of await checkExports(conversation, bodies)) errors.push(`${where}: ${found}`)
        }
      } catch (error) {
        errors.push(`${path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
      }
    }
  } finally {
    await wires.close()
  }
  for (const found of invalid.slice(0, 5000)) say(`invalid: ${found}`)
  for (const found of errors.slice(0, 50)) say(`error: ${found}`)
  say(
    JSON.stringify({
      ...figures,
      estimates: estimateErrors.length,
      invalidRequests: invalid.length,
      errors: errors.length,
      estimateErrorMedian: shareOf(estimateErrors, 0.5),
      estimateErrorP95: shareOf(estimateErrors, 0.95),
      unlearnt: unlearntErrors.length,
      unlearntLeftOut: leftOut,
      unlearntErrorMedian: shareOf(unlearntErrors, 0.5),
      unlearntErrorP95: shareOf(unlearntErrors, 0.95),
    }),
  )
}

/** The value below which so large a part of them is. */
function shareOf(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Number((sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(4))
}

/** Whether a file holds a provider's stream and not a transcript. */
function isRecording(path: string): boolean {
  return path.includes('recordings/')
}

/** Chance that is the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
