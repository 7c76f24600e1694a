import { constants } from 'node:fs'
import { access, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Language, NpmProgram, ServerProgram } from './languages.ts'

/** A language server that can be started. */
export interface FoundServer {
  readonly server: ServerProgram
  /** The program and its arguments. */
  readonly words: readonly string[]
  /** What it has to be able to read beside the folder. */
  readonly readable: readonly string[]
}

/** Where a server is looked for. */
export interface Machine {
  /** `PATH`. */
  readonly searchPath: string
  /** Path of a Node.js that packages of npm are run by. */
  readonly node: string
}

/** Looks for a server of a language: first in the packages of the folder, then where programs are. Nothing is downloaded. [WS31] */
export async function findServer(language: Language, rootPath: string, machine: Machine): Promise<FoundServer | null> {
  for (const server of language.servers) {
    const found = (await inFolder(server, rootPath, machine)) ?? (await onPath(server, machine))
    if (found !== null) return found
  }
  return null
}

const Manifest = z.object({ name: z.string(), version: z.string() })

async function inFolder(server: ServerProgram, rootPath: string, { node }: Machine): Promise<FoundServer | null> {
  const { npm, args } = server
  if (npm === null) return null
  const folder = join(rootPath, 'node_modules', npm.name)
  if (!(await isNewEnough(folder, npm))) return null
  return { server, words: [node, join(folder, npm.file), ...args], readable: [] }
}

async function onPath(server: ServerProgram, { searchPath, node }: Machine): Promise<FoundServer | null> {
  const { program, args, npm } = server
  for (const folder of searchPath.split(':').filter((entry) => entry.startsWith('/'))) {
    const path = await programAt(join(folder, program))
    if (path === null) continue
    const packages = path.indexOf('/node_modules/')
    if (npm === null || packages < 0) {
      // Which version it is cannot be known without running it.
      if (npm === null || npm.leastMajor <= 1) return { server, words: [path, ...args], readable: [path] }
      continue
    }
    const own = `${path.slice(0, path.lastIndexOf('/node_modules/'))}/node_modules/${npm.name}`
    if (!(await isNewEnough(own, npm))) continue
    const readable = [`${path.slice(0, packages)}/node_modules`]
    return { server, words: [node, join(own, npm.file), ...args], readable }
  }
  return null
}

/** The real path of a program; null where there is none. */
async function programAt(path: string): Promise<string | null> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile() ? await realpath(path) : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

async function isNewEnough(folder: string, { name, leastMajor }: NpmProgram): Promise<boolean> {
  const manifest = Manifest.safeParse(await jsonAt(join(folder, 'package.json')))
  return manifest.success && manifest.data.name === name && Number.parseInt(manifest.data.version, 10) >= leastMajor
}

async function jsonAt(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
