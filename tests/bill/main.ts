/** `npm run bill [-- ACTS [FORMAT...]]`: a long conversation in each wire format, and the ledger beside the provider's own bill. */
import { WIRE_FORMATS } from '../states/wire-formats.ts'
import { billTable } from './bill-table.ts'
import { holdBilledConversation } from './hold-billed-conversation.ts'

const FULL_ACTS = 200

const [first = '', ...others] = process.argv.slice(2)
const actCount = /^\d+$/.test(first) ? Number(first) : FULL_ACTS
const wanted = /^\d+$/.test(first) || first === '' ? others : [first, ...others]
const unknown = wanted.filter((name) => !WIRE_FORMATS.some((format) => format.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no wire format ${unknown.join(', ')}. There are: ${WIRE_FORMATS.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

let failed = 0
for (const format of WIRE_FORMATS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const bill = await holdBilledConversation(format, actCount)
  console.log(billTable(bill))
  for (const problem of bill.problems) console.log(`  ${problem}`)
  if (bill.problems.length > 0) failed += 1
}
console.log(failed === 0 ? 'Every bill is equal.' : `${failed} bills differ.`)
process.exitCode = failed === 0 ? 0 : 1
