import type { ProcessRegister } from '@holdfast/tool/process'
import type { CommandBounds } from './command-bounds.ts'
import { findProgram } from './find-program.ts'
import { findSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

/** What this machine has for the tools, found once at the start. */
export interface Machine {
  /** The server's own environment; commands get the harmless part of it. [WS2, SEC4] */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly sandbox: Sandbox
  /** Whose commands they are: in the mark of each, so that a later start finds what this one left behind. [RUN14] */
  readonly owner: string
  /** Where the process groups of commands are noted; null where a kill of the server need not be thought of. [RUN14] */
  readonly register: ProcessRegister | null
  /** How much one command may take. [SEC9] */
  readonly bounds: CommandBounds
  /** Paths of programs, null for what is not there. */
  readonly bash: string | null
  readonly ripgrep: string | null
}

/** Looks for what the tools can use. */
export async function findMachine({
  environment,
  owner,
  register,
  bounds,
  ...sandbox
}: Omit<SandboxOptions, 'searchPath' | 'bounds'> &
  Pick<Machine, 'environment' | 'owner' | 'register' | 'bounds'>): Promise<Machine> {
  const searchPath = environment['PATH'] ?? ''
  const [bash, ripgrep] = [await findProgram('bash', searchPath), await findProgram('rg', searchPath)]
  const found = await findSandbox({ ...sandbox, bounds, searchPath })
  return { environment, owner, register, bounds, sandbox: found, bash, ripgrep }
}
