import { moveStore, type StorePlace } from '@holdfast/store/move'

/** Moves a store until it is killed: places as JSON on the command line. */
const [from, to]: readonly StorePlace[] = JSON.parse(process.argv[2] ?? '[]')
if (!from || !to) throw new Error('Name two places')
const signal = new AbortController().signal
await moveStore({ from, to, described: 'a folder that a test made', now: 1_000, signal })
process.exit(3)
