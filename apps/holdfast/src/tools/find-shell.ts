import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { sha256, systemClock } from '@holdfast/engine/system'
import { describeSandbox, endCommandsOf, findMachine, type Machine } from '@holdfast/toolbox'
import type { Config } from '../config.ts'

/** What this machine has for the tools of a workspace. */
export function findShell({ dataDir, environment }: Config): Promise<Machine> {
  return findMachine({
    environment,
    owner: ownerOf(dataDir),
    network: 'shared',
    // A Node.js in a home folder is not seen in the sandbox otherwise.
    readable: [dirname(dirname(process.execPath))],
    clock: systemClock,
    signal: new AbortController().signal,
  })
}

/** What confines the commands of agents, for the operator. */
export function describeShell({ bash, sandbox }: Machine): string {
  return bash === null ? 'There is no shell: bash is not installed.' : describeSandbox(sandbox)
}

/** Ends commands that outlived a server of this data folder which was killed: the folder has one owner. [RUN14] */
export async function endLeftCommands({ dataDir }: Config): Promise<void> {
  await endCommandsOf(ownerOf(dataDir), systemClock)
}

function ownerOf(dataDir: string): string {
  return sha256(realpathSync(dataDir)).slice(0, 16)
}
