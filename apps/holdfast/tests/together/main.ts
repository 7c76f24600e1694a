import { parseArgs } from 'node:util'
import { together } from './together.ts'

const { values } = parseArgs({ options: { cuts: { type: 'string' } } })
const cuts = values.cuts === undefined ? 50 : Number(values.cuts)
if (!Number.isSafeInteger(cuts) || cuts < 1) {
  console.error('--cuts is a whole number, at least one: npm run together -- --cuts 50')
  process.exit(2)
}
const { told, kills, answers, read, followed, printed, streamed } = await together(cuts)
const inLog = JSON.stringify(told)
const isSame: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(Object.entries(read).map(([reader, words]) => [reader, JSON.stringify(words) === inLog])),
  ...Object.fromEntries(Object.entries(followed).map(([terminal, text]) => [terminal, text === answers])),
  thirdTerminal: printed === `${told[5]}\n`,
  useChat: streamed === told[7],
}
for (const [reader, same] of Object.entries(isSame)) console.log(`${reader}: ${same ? 'the same' : 'other'} words`)
const same = Object.values(isSame).every(Boolean)
console.log(JSON.stringify({ cuts, kills, messages: told.length, same }))
process.exitCode = same ? 0 : 1
