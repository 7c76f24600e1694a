import { COMMAND_FAULTS } from './command-faults.ts'
import type { FaultCase } from './fault-case.ts'
import { FILE_FAULTS } from './file-faults.ts'
import { LASTING_FAULTS } from './lasting-faults.ts'
import { RETURNED_FAULTS } from './returned-faults.ts'
import { SERVER_FAULTS } from './server-faults.ts'
import { THROWN_FAULTS } from './thrown-faults.ts'
import { WISHED_FAULTS } from './wished-faults.ts'

/** The faults by who makes them; with `HOLDFAST_FULL=1` those of servers are all there. */
export const FAULT_KINDS: readonly { readonly kind: string; readonly cases: readonly FaultCase[] }[] = [
  { kind: 'servers', cases: SERVER_FAULTS },
  { kind: 'commands', cases: COMMAND_FAULTS },
  { kind: 'tools that last', cases: LASTING_FAULTS },
  { kind: 'files', cases: FILE_FAULTS },
  { kind: 'wishes', cases: WISHED_FAULTS },
  { kind: 'what is returned', cases: RETURNED_FAULTS },
  { kind: 'what is thrown', cases: THROWN_FAULTS },
]

/** Every fault of tools and of MCP servers that is played. */
export const FAULT_CASES: readonly FaultCase[] = FAULT_KINDS.flatMap(({ cases }) => cases)
