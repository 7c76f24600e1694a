import { parseArgs } from 'node:util'
import { exactlyOnce } from './exactly-once.ts'

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '8' },
    schedules: { type: 'string', default: '1000' },
    people: { type: 'string', default: '1' },
    kills: { type: 'string', default: '50' },
    unchecked: { type: 'boolean', default: false },
  },
})
const counts = {
  processes: Number(values.processes),
  schedules: Number(values.schedules),
  people: Number(values.people),
  kills: Number(values.kills),
}
if (!Object.values(counts).every((count) => Number.isSafeInteger(count) && count >= 0) || counts.processes < 1) {
  console.error('All are whole numbers: npm run schedules -- --processes 8 --schedules 1000 --kills 50')
  process.exit(2)
}
const broken = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => broken.abort(new Error(`Broken off by ${name}; what it started is ended`)))
const ran = await exactlyOnce({
  ...counts,
  afterwardsMs: 20_000,
  unchecked: values.unchecked,
  report: (line) => console.error(line),
  signal: broken.signal,
})
const { lost, doubled, wrong, toldWrong, lateMs } = ran
const late = (share: number): number | null =>
  lateMs[Math.min(lateMs.length - 1, Math.floor(lateMs.length * share))] ?? null
const lateness = { p50Ms: late(0.5), p99Ms: late(0.99), mostMs: lateMs.at(-1) ?? null }
for (const words of [...lost, ...doubled, ...wrong, ...toldWrong].slice(0, 20)) console.log(words)
const figures = { lost: lost.length, doubled: doubled.length, wrong: wrong.length, toldWrong: toldWrong.length }
console.log(
  JSON.stringify({
    ...counts,
    asked: ran.asked,
    ended: ran.ended,
    ...figures,
    lastAskedMs: ran.lastAskedMs,
    late: lateness,
  }),
)
process.exitCode = Object.values(figures).every((count) => count === 0) ? 0 : 1
