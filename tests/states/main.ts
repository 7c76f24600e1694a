/** `npm run states [-- NAME...]`: every state in every wire format, stopped and killed; a name picks states, formats, cuts. */
import type { Case } from './case.ts'
import type { Cut } from './cut.ts'
import { type Judged, runTable } from './run-table.ts'
import { STATES } from './states.ts'
import { WIRE_FORMATS } from './wire-formats.ts'

const CUTS: readonly Cut[] = ['stop', 'kill']

const wanted = new Set(process.argv.slice(2))
const known = [...CUTS, ...STATES.map(({ name }) => name), ...WIRE_FORMATS.map(({ name }) => name)]
const unknown = [...wanted].filter((name) => !known.some((one) => one === name))
if (unknown.length > 0) {
  console.error(`There is no state, wire format or cut ${unknown.join(', ')}. There are: ${known.join(', ')}`)
  process.exit(2)
}

const cuts = picked(CUTS, (cut) => cut)
const states = picked(STATES, ({ name }) => name)
const formats = picked(WIRE_FORMATS, ({ name }) => name)
const cases = cuts.flatMap((cut) => states.flatMap((state) => formats.map((format): Case => ({ cut, state, format }))))

const judged = await runTable(cases, {
  atOnce: 3,
  onJudged: ({ problems }) => process.stderr.write(problems.length === 0 ? '.' : 'F'),
})
process.stderr.write('\n')
for (const cut of cuts) console.log(tableOf(cut))
const failed = judged.filter(({ problems }) => problems.length > 0)
for (const { one, problems } of failed) {
  console.log(`${titleOf(one)}:`)
  for (const problem of problems) console.log(`  ${problem}`)
}
console.log(`${judged.length - failed.length} ok, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1

function picked<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly Item[] {
  const named = items.filter((item) => wanted.has(nameOf(item)))
  return named.length > 0 ? named : items
}

function tableOf(cut: Cut): string {
  const head = [cut === 'stop' ? 'stopped in' : 'killed (-9) in', ...formats.map(({ title }) => title)]
  const rows = states.map((state) => [state.name, ...formats.map((format) => wordOf({ cut, state, format }))])
  const table = [head, head.map(() => '---'), ...rows]
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

function wordOf({ cut, state, format }: Case): string {
  const found = judged.find(({ one }) => one.cut === cut && one.state === state && one.format === format)
  return found?.problems.length === 0 ? 'ok' : 'FAILED'
}

function titleOf({ cut, state, format }: Judged['one']): string {
  return `${cut} in "${state.name}", ${format.title}`
}
