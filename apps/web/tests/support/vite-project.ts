import { existsSync } from 'node:fs'
import { constants, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as z from 'zod'

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})

/**
 * Puts packages of npm, as they are installed here, and all that they need into a folder of their own: a dev server in the
 * sandbox sees nothing outside of its workspace. They are looked for from the folder of a package.
 */
export async function installInto(folder: string, names: readonly string[], from: string): Promise<void> {
  const done = new Map<string, string>()
  async function install(name: string, from: string): Promise<void> {
    const place = placeOf(name, from)
    // What is optional is not installed for every kind of machine.
    if (place === null || done.has(name)) return
    done.set(name, place)
    const target = join(folder, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await cp(place, target, { recursive: true, mode: constants.COPYFILE_FICLONE, verbatimSymlinks: true })
    const manifest = Manifest.parse(JSON.parse(await readFile(join(place, 'package.json'), 'utf8')))
    for (const next of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      await install(next, place)
  }
  for (const name of names) await install(name, from)
}

/** Where a package lies for who stands there, as Node.js looks for it. */
function placeOf(name: string, from: string): string | null {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  return paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json'))) ?? null
}

/** Writes files, in folders that are made for them. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}
