import type { Clock } from '@holdfast/conversation'
import { createLanguageServers, type LanguageServers } from '@holdfast/language-servers'
import { type Machine, startReadingProgram } from '@holdfast/toolbox'

/** How much one language server may take. */
const BOUNDS = { processes: 64, memoryBytes: 1_610_612_736, fileSizeBytes: 1 << 20 }

/** Language servers of the folders of conversations, each in the sandbox of commands; see docs/decisions/0066. [WS32] */
export function createFolderServers({
  machine,
  node,
  clock,
}: {
  readonly machine: () => Machine | null
  readonly node: string
  readonly clock: Clock
}): LanguageServers {
  const servers = createLanguageServers({
    machine: () => ({ searchPath: machine()?.environment['PATH'] ?? '', node }),
    start(order) {
      const found = confining(machine())
      if (found === null) throw new Error('There is no sandbox')
      return startReadingProgram({ ...found, bounds: BOUNDS, clock }, order)
    },
    clock,
  })
  return {
    ...servers,
    // What it says may quote whatever it can read, and what lies in a folder is run: not without a sandbox.
    check: async (order) => (confining(machine()) === null ? [] : servers.check(order)),
  }
}

function confining(machine: Machine | null) {
  if (machine === null) return null
  const { sandbox, bash } = machine
  return sandbox.type === 'none' || bash === null ? null : { ...machine, sandbox, bash }
}
