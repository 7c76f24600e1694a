import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { moveToNewName } from '@holdfast/toolbox'
import { openWorkbench } from './workbench.ts'

/** A program that makes and moves files by the tools, and says in one line of JSON how that went. */
const bench = await openWorkbench()
const said = [
  await bench.say('write', { path: 'a.txt', content: 'one' }),
  await bench.say('move', { from: 'a.txt', to: 'b.txt' }),
  await bench.say('read', { path: 'b.txt' }),
]
let wonCount = 0
const codes: unknown[] = []
for (let round = 0; round < 20; round++) {
  const texts = ['one', 'other', 'third']
  const target = join(bench.root, `target-${round}`)
  const froms = texts.map((text) => bench.put(`from-${round}-${text}`, text))
  const results = await Promise.allSettled(froms.map((from) => moveToNewName(from, target)))
  wonCount += results.filter(({ status }) => status === 'fulfilled').length
  codes.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason?.code] : [])))
}
const names = readdirSync(bench.root)
console.log(
  JSON.stringify({
    said,
    wonCount,
    codes: [...new Set(codes)],
    leftCount: names.filter((name) => name.endsWith('.tmp')).length,
    fromCount: names.filter((name) => name.startsWith('from-')).length,
  }),
)
await bench.close()
