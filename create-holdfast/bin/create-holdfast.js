#!/usr/bin/env node
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const USAGE = `npm create holdfast FOLDER [-- --tarballs FOLDER]

Makes a project with an agent of your own in FOLDER, which must be empty or not there.
  --tarballs FOLDER   take the libraries from what \`npm run package\` made there`
const TEMPLATE = join(import.meta.dirname, '..', 'template')
const OURS = '@holdfast/'
/** What the tarballs of libraries are called. */
const LIBRARY = /^holdfast-([a-z-]+)-(\d+\.\d+\.\d+.*)\.tgz$/

/** Something is not as it must be; the words are for who typed the command. */
class Refusal extends Error {}

try {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 18))
    throw new Refusal(`Node ${process.versions.node} is too old: Holdfast needs Node 22.18 or newer`)
  const { folder, tarballs } = readArguments(process.argv.slice(2))
  if (folder === null) console.log(USAGE)
  else make(folder, tarballs)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`create-holdfast: ${error.message}`)
  process.exitCode = 1
}

/** Null for the folder where only the usage is wanted. */
function readArguments(args) {
  try {
    const options = { tarballs: { type: 'string' }, help: { type: 'boolean' } }
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.help === true) return { folder: null, tarballs: null }
    if (positionals.length !== 1) throw new Refusal(`name one folder\n\n${USAGE}`)
    return {
      folder: resolve(positionals[0]),
      tarballs: values.tarballs === undefined ? null : resolve(values.tarballs),
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`${error.message}\n\n${USAGE}`)
  }
}

function make(folder, tarballs) {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Refusal(`${folder} holds something already. Name a folder that is empty or not there`)
  const manifest = JSON.parse(readFileSync(join(TEMPLATE, 'package.json'), 'utf8'))
  const libraries = tarballs === null ? {} : librariesIn(tarballs, folder)
  const missing = Object.keys(manifest.dependencies).filter((name) => name.startsWith(OURS) && !(name in libraries))
  if (tarballs !== null && missing.length > 0)
    throw new Refusal(`${tarballs} has no tarball of ${missing.join(', ')}. \`npm run package\` makes them`)
  mkdirSync(folder, { recursive: true })
  cpSync(TEMPLATE, folder, { recursive: true })
  // npm leaves a file of this name out of what it packs.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'))
  const made = { ...manifest, name: nameOf(folder), dependencies: { ...manifest.dependencies, ...libraries } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(made, null, 2)}\n`)
  const here = relative(process.cwd(), folder) || '.'
  console.log(`An agent of your own is in ${here}. Now:\n\n  cd ${here}\n  npm install\n  npm start`)
}

/** Each library of a folder of tarballs, also those that only other libraries need: no registry is asked for them. */
function librariesIn(tarballs, folder) {
  if (!existsSync(tarballs)) throw new Refusal(`${tarballs} is not there`)
  return Object.fromEntries(
    readdirSync(tarballs)
      .sort()
      .flatMap((file) => {
        const name = LIBRARY.exec(file)?.[1]
        return name === undefined ? [] : [[`${OURS}${name}`, `file:${relative(folder, join(tarballs, file))}`]]
      }),
  )
}

/** A name that npm takes. */
function nameOf(folder) {
  return (
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'my-agent'
  )
}
