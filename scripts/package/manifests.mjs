import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../lib/places.mjs'

const PROGRAM = 'holdfast'
const OURS = '@holdfast/'

/**
 * The packages of the repository but the page: where each is, its manifest, and whether people may use it as a library.
 *
 * @returns {{ folder: string, manifest: Record<string, any>, isLibrary: boolean }[]}
 */
export function workspacePackages() {
  const folders = [
    ...readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name)),
    join(ROOT, 'apps', PROGRAM),
  ]
  return folders.sort().map((folder) => {
    const manifest = manifestOf(folder)
    return { folder, manifest, isLibrary: manifest.name !== PROGRAM }
  })
}

/** The page's package: it is given away built, with what it needs in it. */
export function pagePackage() {
  const folder = join(ROOT, 'apps', 'web')
  return { folder, manifest: manifestOf(folder) }
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The program's package. */
export function programOf(packages) {
  return packages.find(({ isLibrary }) => !isLibrary)
}

/** Every package of ours that one needs to run, itself left out, in the order of their names. */
export function ownDependencies(packages, { manifest }) {
  const byName = new Map(packages.map((each) => [each.manifest.name, each]))
  const found = new Set()
  const open = [manifest]
  for (const { dependencies = {} } of open) {
    for (const name of Object.keys(dependencies)) {
      if (!name.startsWith(OURS) || found.has(name)) continue
      found.add(name)
      open.push(byName.get(name).manifest)
    }
  }
  return [...found].sort().map((name) => byName.get(name))
}

/** What these packages need of others, one version of each. @throws {Error} where two of them need two versions. */
export function foreignDependencies(packages) {
  const found = new Map()
  for (const { manifest } of packages) {
    for (const [name, version] of Object.entries(manifest.dependencies ?? {})) {
      if (name.startsWith(OURS)) continue
      const known = found.get(name) ?? version
      if (known !== version) throw new Error(`${manifest.name} needs ${name} ${version}, another package ${known}`)
      found.set(name, version)
    }
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}
