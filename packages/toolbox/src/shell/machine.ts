import { findProgram } from './find-program.ts'
import { findSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

/** What this machine has for the tools, found once at the start. */
export interface Machine {
  /** The server's own environment; commands get the harmless part of it. [WS2, SEC4] */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly sandbox: Sandbox
  /** Paths of programs, null for what is not there. */
  readonly bash: string | null
  readonly ripgrep: string | null
}

/** Looks for what the tools can use. */
export async function findMachine({
  environment,
  ...sandbox
}: Omit<SandboxOptions, 'searchPath'> & { readonly environment: Machine['environment'] }): Promise<Machine> {
  const searchPath = environment['PATH'] ?? ''
  const [bash, ripgrep] = [await findProgram('bash', searchPath), await findProgram('rg', searchPath)]
  return { environment, sandbox: await findSandbox({ ...sandbox, searchPath }), bash, ripgrep }
}
