import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { ROOT } from '../lib/places.mjs'
import { installedTree } from './installed-tree.mjs'
import { foreignDependencies, ownDependencies, programOf } from './manifests.mjs'
import { APART } from './rolldown.config.mjs'

/**
 * Lays out the program as it is installed: a bundle of what is ours and of others, and dependencies on the few packages that
 * cannot be in it. Nothing is built where it is installed. [PACK1]
 *
 * @returns {string} the folder
 */
export function stageProgram({ packages, bundle, staging }) {
  const program = programOf(packages)
  const folder = join(staging, 'program')
  const { name, version, description, license, type, bin, engines } = program.manifest
  cpSync(bundle, join(folder, 'dist'), { recursive: true })
  cpSync(join(program.folder, 'bin'), join(folder, 'bin'), { recursive: true })
  cpSync(join(program.folder, 'config.schema.json'), join(folder, 'config.schema.json'))
  cpSync(join(ROOT, 'apps', 'web', 'dist'), join(folder, 'web'), { recursive: true })
  const foreign = foreignDependencies([program, ...ownDependencies(packages, program)])
  const dependencies = Object.fromEntries(APART.map((apart) => [apart, versionOf(apart, foreign)]))
  const manifest = { name, version, description, license, type, bin, engines, dependencies }
  writeManifest(folder, manifest)
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap({ manifest, folder: program.folder }))
  copyPapers({ from: program.folder, to: folder })
  return folder
}

function versionOf(name, versions) {
  if (versions[name] === undefined) throw new Error(`No package of ours needs ${name}`)
  return versions[name]
}

/** Lays out a library: compiled, with its types, and without what only this repository needs. @returns {string} the folder */
export function stageLibrary({ library: { folder: from, manifest }, staging }) {
  const folder = join(staging, manifest.name.replace('/', '-'))
  copyCompiled({ from, to: folder, endings: ['.js', '.d.ts'] })
  const { name, version, description, license, type, dependencies, peerDependencies } = manifest
  writeManifest(folder, {
    name,
    version,
    description,
    license,
    type,
    engines: { node: '>=22.18' },
    exports: mapValues(manifest.exports, (entry) => ({ types: entry.types, default: entry.default })),
    dependencies,
    peerDependencies,
  })
  copyPapers({ from, to: folder })
  return folder
}

/** Lays out what `npm create holdfast` runs. @returns {string} the folder */
export function stageCreateHoldfast(staging) {
  const [from, folder] = [join(ROOT, 'create-holdfast'), join(staging, 'create-holdfast')]
  cpSync(from, folder, { recursive: true })
  copyPapers({ from, to: folder })
  return folder
}

/** Copies what has been compiled of a source that is there: what was compiled of one that is gone may lie beside it. */
function copyCompiled({ from, to, endings }) {
  for (const file of readdirSync(join(from, 'src'), { recursive: true }).sort()) {
    const stem = /^(.*?)(?<!\.d)\.tsx?$/.exec(file)?.[1]
    if (stem === undefined) continue
    for (const ending of endings) {
      const compiled = join(from, 'dist', `${stem}${ending}`)
      const target = join(to, 'dist', `${stem}${ending}`)
      mkdirSync(dirname(target), { recursive: true })
      // What would lead to sources and maps leads nowhere here.
      writeFileSync(target, readFileSync(compiled, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'))
    }
  }
  copyBuilt({ from, to })
}

/** What the build makes beside the compiler, where a package has it. */
const BUILT = ['preview-script.js']

function copyBuilt({ from, to }) {
  for (const name of BUILT)
    if (existsSync(join(from, 'dist', name))) cpSync(join(from, 'dist', name), join(to, 'dist', name))
}

function copyPapers({ from, to }) {
  cpSync(join(ROOT, 'LICENSE'), join(to, 'LICENSE'))
  const readme = join(from, 'README.md')
  if (existsSync(readme)) writeFileSync(join(to, 'README.md'), givenAway(readFileSync(readme, 'utf8')))
}

/** Where a README goes on for those who have the repository: what it names from there on is in no tarball. [PACK11] */
const REST = '\n## In the repository\n'
const INSTEAD =
  '\nThe guides, the rules and the names of all packages are in the documentation, which `npx holdfast` serves under `/docs`.\n'

function givenAway(text) {
  const [kept, rest] = text.split(REST)
  return rest === undefined ? kept : kept + INSTEAD
}

/** Who installs the program gets what it was tested with, and not what came since. */
function shrinkwrap({ manifest, folder }) {
  const { name, version } = manifest
  const installed = installedTree([{ folder, manifest }]).map(({ place, entry: { dev, devOptional, ...entry } }) => [
    place,
    entry,
  ])
  const packages = { '': manifest, ...Object.fromEntries(installed) }
  return { name, version, lockfileVersion: 3, requires: true, packages }
}

function writeManifest(folder, manifest) {
  mkdirSync(folder, { recursive: true })
  writeJson(join(folder, 'package.json'), manifest)
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

function mapValues(record, map) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
