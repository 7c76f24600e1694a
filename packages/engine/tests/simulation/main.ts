import { parseArgs } from 'node:util'
import { formats, sealThinking } from './formats.ts'
import { openMachine } from './open-machine.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string' },
    beats: { type: 'boolean' },
    schedules: { type: 'boolean' },
    clients: { type: 'boolean' },
    'sub-agents': { type: 'boolean' },
  },
})
const leases = values.beats === true ? 'by-beats' : 'by-renewal'
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed)
const steps = values.steps === undefined ? 100_000 : Number(values.steps)
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(steps) || steps < 1) {
  console.error(
    '--seed and --steps are whole numbers, and at least one step: npm run simulate -- --seed 7 --steps 100000',
  )
  process.exit(2)
}

console.log(`seed ${seed}`)
const startedAt = performance.now()
const report = await simulate({
  seed,
  steps,
  openMachine,
  formats,
  sealThinking,
  leases,
  planted: null,
  ...(values.schedules === true ? { schedules: true } : {}),
  ...(values.clients === true ? { clients: true } : {}),
  ...(values['sub-agents'] === true ? { subAgents: true } : {}),
})
const seconds = (performance.now() - startedAt) / 1_000
for (const line of report.trace) console.log(line)
for (const { rule, text } of report.violations) console.log(`[${rule}] ${text}`)
const kindsOfWorlds = (['beats', 'schedules', 'clients', 'sub-agents'] as const).filter((kind) => values[kind] === true)
if (report.failedSeed !== null)
  console.log(
    [
      'To see it alone: npm run simulate --',
      `--seed ${report.failedSeed}`,
      '--steps 1500',
      ...kindsOfWorlds.map((kind) => `--${kind}`),
    ].join(' '),
  )
const { conversations, entries, requests, hash } = report
console.log(
  `${report.steps} steps in ${seconds.toFixed(1)} s · ${conversations} conversations · ${entries} entries · ${requests} requests · ${hash.slice(0, 16)}`,
)
const kinds = Object.entries(report.faults)
for (const [kind, count] of kinds) console.log(`  ${kind}: ${count}`)
const faults = kinds.reduce((sum, [, count]) => sum + count, 0)
if (faults === 0) console.log('No fault was injected: such a run has failed')
console.log(JSON.stringify({ steps: report.steps, faults, violations: report.violations.length, seed }))
process.exitCode = report.violations.length > 0 || faults === 0 ? 1 : 0
