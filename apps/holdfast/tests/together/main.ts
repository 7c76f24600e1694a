import { parseArgs } from 'node:util'
import { together } from './together.ts'

const { values } = parseArgs({ options: { cuts: { type: 'string' } } })
const cuts = values.cuts === undefined ? 50 : Number(values.cuts)
if (!Number.isSafeInteger(cuts) || cuts < 1) {
  console.error('--cuts is a whole number, at least one: npm run together -- --cuts 50')
  process.exit(2)
}
const { told, read, printed, streamed } = await together(cuts)
const isSame = (words: readonly string[]): boolean => JSON.stringify(words) === JSON.stringify(told)
for (const [reader, words] of Object.entries(read))
  console.log(`${reader}: ${isSame(words) ? 'the same' : 'other'} words`)
console.log(`terminal: ${printed === told[5]?.trim() ? 'the same' : 'other'} words`)
console.log(`useChat: ${streamed === told[7] ? 'the same' : 'other'} words`)
const same = Object.values(read).every(isSame) && printed === told[5]?.trim() && streamed === told[7]
console.log(JSON.stringify({ cuts, messages: told.length, same }))
process.exitCode = same ? 0 : 1
