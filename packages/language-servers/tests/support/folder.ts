import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { createManualClock } from '@holdfast/engine/testing'
import { type ChangedFile, type Checked, checkedInWords, createLanguageServers } from '@holdfast/language-servers'
import { endGroup, launchProgram } from '@holdfast/tool/process'

/** Where the TypeScript of this repository is. */
const BIN = fileURLToPath(new URL('../../../../node_modules/.bin', import.meta.url))
const ODD = fileURLToPath(new URL('odd-server.mjs', import.meta.url))

export const STRICT = JSON.stringify({
  compilerOptions: { strict: true, module: 'esnext', moduleResolution: 'bundler', noEmit: true, types: [] },
  include: ['src'],
})

/** What is other than usual; `launched` holds back a program that was started until it resolves. */
export interface FolderOptions {
  readonly clock?: Clock
  readonly searchPath?: string
  readonly launched?: Promise<void>
}

/** A folder with files, and language servers that are started as plain programs. To be closed. */
export function openFolder({ clock, searchPath, launched }: FolderOptions = {}) {
  const rootPath = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-languages-')))
  const started: { readonly pid: number; readonly words: readonly string[] }[] = []
  const ended: number[] = []
  const servers = createLanguageServers({
    machine: () => ({ searchPath: searchPath ?? BIN, node: process.execPath }),
    async start({ words, rootPath: folder }) {
      const [program = '', ...args] = words
      const environment = { PATH: `${join(rootPath, 'bin')}:/usr/bin:/bin` }
      const running = await launchProgram({ program, args, folder, environment, hasInput: true, register: null })
      started.push({ pid: running.pid, words })
      await launched
      const end = async (): Promise<void> => {
        await endGroup(running.pid, { clock: systemClock, graceMs: 200 })
      }
      const exited = running.exited.then(({ exitCode, signalCode }) => {
        ended.push(running.pid)
        return `It ended with ${exitCode ?? signalCode}`
      })
      return { ...running, exited, end }
    },
    clock: clock ?? createManualClock(),
  })
  const textOf = (path: string) =>
    existsSync(join(rootPath, path)) ? readFileSync(join(rootPath, path), 'utf8') : null
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(rootPath, path)), { recursive: true })
    writeFileSync(join(rootPath, path), text)
  }
  /** Writes, or removes with null, and asks what is new. */
  async function change(texts: Readonly<Record<string, string | null>>): Promise<readonly Checked[]> {
    const changes = Object.entries(texts).map(([path, after]): ChangedFile => {
      const before = textOf(path)
      if (after === null) rmSync(join(rootPath, path))
      else put(path, after)
      return { path, before, after }
    })
    return servers.check({ rootPath, readable: [], changes, readText: async (path) => textOf(path) })
  }
  return {
    rootPath,
    servers,
    put,
    textOf,
    started,
    ended,
    change,
    say: async (texts: Readonly<Record<string, string | null>>) =>
      checkedInWords(await change(texts), new Set(Object.keys(texts))),
    /** Gives the folder a TypeScript of its own, which does as it is told; see odd-server.mjs. */
    odd(how: string): void {
      put('odd.txt', how)
      put('node_modules/typescript/package.json', '{"name":"typescript","version":"7.9.9","type":"module"}')
      mkdirSync(join(rootPath, 'node_modules/typescript/bin'), { recursive: true })
      copyFileSync(ODD, join(rootPath, 'node_modules/typescript/bin/tsc'))
    },
    async close(): Promise<void> {
      await servers.close()
      rmSync(rootPath, { recursive: true, force: true })
    },
  }
}
