import { parseArgs } from 'node:util'
import { killLoop } from './kill-loop.ts'

/** A long run says how far it is. */
const SAID_EVERY = 50

const { values } = parseArgs({ options: { kills: { type: 'string' } } })
const kills = values.kills === undefined ? 200 : Number(values.kills)
if (!Number.isSafeInteger(kills) || kills < 1) {
  console.error('--kills is a whole number, at least one: npm run crash -- --kills 200')
  process.exit(2)
}
const { findings, slowestStartMs, ...report } = await killLoop({
  kills,
  random: Math.random,
  onKill: (count) => {
    if (count % SAID_EVERY === 0 && count < kills) console.error(`${count} of ${kills}`)
  },
})
for (const finding of findings) console.log(finding)
console.log(`slowest start after a kill: ${Math.round(slowestStartMs)} ms`)
console.log(JSON.stringify(report))
process.exitCode = report.lost + report.doubled + report.invalid > 0 ? 1 : 0
