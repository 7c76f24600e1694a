import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import { ROOT } from '../lib/places.mjs'

/**
 * What stands in the lockfile of all that these packages need of others, optional packages among it: where each is installed
 * when they are installed together, with its entry.
 *
 * @returns {{ place: string, name: string, entry: Record<string, any> }[]} sorted by their places
 * @throws {Error} where two versions would have to be in one place
 */
export function installedTree(packages) {
  const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  const found = new Set()
  const open = packages.flatMap(({ folder, manifest }) => needsOf(manifest, relative(ROOT, folder), locked))
  for (const at of open) {
    if (found.has(at)) continue
    found.add(at)
    open.push(...needsOf(locked[at], at, locked))
  }
  const tree = new Map()
  for (const at of [...found].sort()) {
    const place = at.slice(at.indexOf('node_modules/'))
    const entry = locked[at]
    if ((tree.get(place)?.entry.version ?? entry.version) !== entry.version) throw new Error(`Two versions of ${place}`)
    tree.set(place, { place, name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length), entry })
  }
  return [...tree.values()].sort((one, other) => (one.place < other.place ? -1 : 1))
}

/** Those of others that one needs, where they are; an optional one may be nowhere. */
function needsOf({ dependencies = {}, optionalDependencies = {} }, from, locked) {
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => placeOf({ name, from, locked }))
    .filter((place) => place !== null && locked[place].link !== true)
}

/** Where a package finds another one: in its own `node_modules`, else in that of the folders around it. */
function placeOf({ name, from, locked }) {
  for (let around = from; ; around = around.slice(0, Math.max(0, around.lastIndexOf('/node_modules/')))) {
    const place = `${around === '' ? '' : `${around}/`}node_modules/${name}`
    if (locked[place] !== undefined) return place
    if (around === '') return null
  }
}
