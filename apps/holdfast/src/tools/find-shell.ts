import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandNetwork } from '@holdfast/conversation'
import { sha256, systemClock } from '@holdfast/engine/system'
import type { TerminalsDeps } from '@holdfast/terminal'
import { createProcessRegister, type ProcessRegister } from '@holdfast/tool/process'
import {
  describeSandbox,
  endCommandsOf,
  endLeftBehind,
  endLeftGroups,
  findMachine,
  MARK_VARIABLE,
  type Machine,
  markOf,
} from '@holdfast/toolbox'
import type { Config } from '../config.ts'
import { nearestReal } from '../places-apart.ts'
import { visibleNode } from './visible-node.ts'

/** By what the commands of a data folder are known later. */
export type OwnedCommands = Pick<Machine, 'owner' | 'register'>

/** What is noted of the commands of a data folder. */
export function commandsOf({ ownDir }: Pick<Config, 'ownDir'>): OwnedCommands {
  return { owner: ownerOf(ownDir), register: registerOf(ownDir) }
}

/** How a shell is to be. */
export interface WantedShell {
  /** Null for somebody who only looks and runs nothing. */
  readonly owned: OwnedCommands | null
  /** What commands are to reach. [SEC8] */
  readonly network: CommandNetwork
}

/** What this machine has for the tools of a workspace. */
export async function findShell(
  config: Pick<Config, 'environment' | 'auth' | 'commandBounds' | 'dataDir' | 'ownDir'>,
  { owned, network }: WantedShell,
): Promise<Machine> {
  const { environment, auth, commandBounds: bounds } = config
  const hiddenFolders = [nearestReal(config.dataDir)]
  const homes = environment['HOME'] === undefined ? [] : [environment['HOME']]
  const machine = await findMachine({
    environment,
    owner: owned?.owner ?? '',
    register: owned?.register ?? null,
    network,
    bounds,
    groupNotes: owned === null ? null : groupNotesOf(config),
    visible: visibleNode(process.execPath, { hidden: [...hiddenFolders, ...homes], hiddenFolders }),
    clock: systemClock,
    signal: new AbortController().signal,
  })
  // Without a sandbox a command of one account is a command of the operator, who owns what all the others wrote. [SEC6]
  return auth === 'accounts' && machine.sandbox.type === 'none' ? { ...machine, bash: null } : machine
}

/** By what the terminals of people are known later, as commands are: a later start ends what a killed server left. [WS27] */
export function terminalPortsOf(config: Config): Omit<TerminalsDeps, 'onFault'> {
  const { owner, register } = commandsOf(config)
  if (register === null) throw new Error('Commands of a data folder have a register')
  return {
    clock: systemClock,
    environment: config.environment,
    register,
    marking(terminalId) {
      const mark = markOf(owner, `terminal-${terminalId}`)
      return { variables: { [MARK_VARIABLE]: mark }, endAll: () => endLeftBehind(mark, systemClock) }
    },
  }
}

/** Whether what commands run in confines them; null before it was looked for. */
export function sandboxWorks(machine: Machine | null): boolean | null {
  return machine === null ? null : machine.bash !== null && machine.sandbox.type !== 'none'
}

/** What confines the commands of agents, for the operator. */
export function describeShell({ bash, sandbox }: Machine, { auth }: Pick<Config, 'auth'>): string {
  if (auth === 'accounts' && sandbox.type === 'none')
    return `There is no shell: with accounts commands need a sandbox, and there is none. ${sandbox.reason}.`
  return bash === null ? 'There is no shell: bash is not installed.' : describeSandbox(sandbox)
}

/** Who reads and changes the files of the workspace, for the operator. [SEC30] */
export function describeSharing({ auth }: Pick<Config, 'auth'>): string {
  return auth === 'accounts'
    ? 'Who has an account reads and changes these files.'
    : 'Who has the start-up token reads and changes these files.'
}

/**
 * Ends commands that outlived a server of this data folder which was killed: the folder has one owner. The register
 * finds their process groups, the mark what has left them, and the notes the control groups that they were in. [RUN14]
 */
export async function endLeftCommands({ ownDir }: Pick<Config, 'ownDir'>): Promise<void> {
  await registerOf(ownDir).endLeftOver()
  await endCommandsOf(ownerOf(ownDir), systemClock)
  await endLeftGroups(groupNotesOf({ ownDir }), systemClock)
}

const GRACE_MS = 1_000

function registerOf(ownDir: string): ProcessRegister {
  return createProcessRegister({ folder: join(ownDir, 'processes'), clock: systemClock, graceMs: GRACE_MS })
}

function groupNotesOf({ ownDir }: Pick<Config, 'ownDir'>): string {
  return join(ownDir, 'command-groups')
}

function ownerOf(ownDir: string): string {
  return sha256(realpathSync(ownDir)).slice(0, 16)
}
