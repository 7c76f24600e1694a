/**
 * Child of the nursery's test: lets many objects outlive a collection before the nursery may grow and after, and says how
 * large it is each time, as one line of JSON in bytes.
 */
import { getHeapSpaceStatistics } from 'node:v8'
import { keepNurserySmall, letNurseryGrow } from '../../src/keep-nursery-small.ts'

/** Objects that are alive at a time, and how many are made. */
const ALIVE = 200_000
const MADE = 3_000_000

keepNurserySmall()
const before = nurseryAfterWork()
letNurseryGrow()
console.log(JSON.stringify({ before, after: nurseryAfterWork() }))

function nurseryAfterWork(): number {
  const alive: { readonly number: number }[] = []
  for (let number = 0; number < MADE; number++) alive[number % ALIVE] = { number }
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
