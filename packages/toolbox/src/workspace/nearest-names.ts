import { readdir } from 'node:fs/promises'

const MOST_NAMES = 5_000
const MOST_SHOWN = 3

/** Names in a folder that somebody may have meant, the nearest first; none when nothing is near. */
export async function nearestNames(folderPath: string, wanted: string): Promise<readonly string[]> {
  const names = (await readdir(folderPath)).slice(0, MOST_NAMES)
  const plain = plainly(wanted)
  return names
    .map((name) => ({ name, distance: distanceOf(plain, plainly(name)) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(plain.length / 3)))
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_SHOWN)
    .map(({ name }) => name)
}

function plainly(name: string): string {
  return name.normalize('NFKC').toLowerCase().slice(0, 64)
}

/** Letters to change, add or leave out between two short names; the same stem with another ending counts as 1. */
function distanceOf(one: string, other: string): number {
  if (one === other) return 0
  const stem = (name: string) => name.replace(/\.[^.]*$/, '')
  if (stem(one) !== '' && stem(one) === stem(other)) return 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
