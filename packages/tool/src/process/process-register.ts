import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@holdfast/conversation'
import { endGroup } from './end-group.ts'
import { startOfProcess } from './process-start.ts'

/** The process groups that we started and that still run, kept where a kill of ours does not reach. [RUN14] */
export interface ProcessRegister {
  /** A group began; its leader has the same number. */
  note(groupId: number): void
  /** A group is over. */
  forget(groupId: number): void
  /**
   * Ends what an earlier process noted and never forgot: it was killed. A number that belongs to another process by
   * now is left alone.
   *
   * @returns how many groups were ended.
   */
  endLeftOver(): Promise<number>
}

/** What a folder's register is made of. */
export interface ProcessRegisterOptions {
  /** A folder of its own; it is made where it is missing. One process at a time uses it. */
  readonly folder: string
  readonly clock: Clock
  /** Between TERM and KILL, in milliseconds. */
  readonly graceMs: number
}

/** `number.start`: all that there is to say stands in the name, so that no file is ever half written. */
const NAME = /^([1-9][0-9]*)\.([0-9a-zA-Z]+)$/

/** Opens the register of a folder. */
export function createProcessRegister({ folder, clock, graceMs }: ProcessRegisterOptions): ProcessRegister {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const noted = new Map<number, string>()

  return {
    note(groupId) {
      const start = startOfProcess(groupId)
      // It has ended already, and nobody has to look for it.
      if (start === null) return
      const path = join(folder, `${groupId}.${start}`)
      writeFileSync(path, '', { mode: 0o600 })
      noted.set(groupId, path)
    },
    forget(groupId) {
      const path = noted.get(groupId)
      if (path === undefined) return
      noted.delete(groupId)
      rmSync(path, { force: true })
    },
    async endLeftOver() {
      const own = new Set(noted.values())
      const left = readdirSync(folder).filter((name) => !own.has(join(folder, name)))
      const ended = await Promise.all(left.map((name) => endNamed(name, { clock, graceMs })))
      for (const name of left) rmSync(join(folder, name), { force: true })
      return ended.filter((wasRunning) => wasRunning).length
    },
  }
}

/** Whether something of the group still ran. */
async function endNamed(name: string, grace: { readonly clock: Clock; readonly graceMs: number }): Promise<boolean> {
  const [, pid = '', start = ''] = NAME.exec(name) ?? []
  if (pid === '') return false
  const now = startOfProcess(Number(pid))
  // As long as anybody of a group is left its number is given to nobody: without a leader the group is still ours.
  if (now !== null && now !== start) return false
  return (await endGroup(Number(pid), grace)) !== 'gone'
}
