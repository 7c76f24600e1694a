import { COMMAND_FAULTS } from './command-faults.ts'
import type { FaultCase } from './fault-case.ts'
import { FILE_FAULTS } from './file-faults.ts'
import { LASTING_FAULTS } from './lasting-faults.ts'
import { RETURNED_FAULTS } from './returned-faults.ts'
import { SERVER_FAULTS } from './server-faults.ts'
import { THROWN_FAULTS } from './thrown-faults.ts'
import { WISHED_FAULTS } from './wished-faults.ts'

/** Every fault of tools and of MCP servers that is played; with `HOLDFAST_FULL=1` those of servers are all there. */
export const FAULT_CASES: readonly FaultCase[] = [
  ...SERVER_FAULTS,
  ...COMMAND_FAULTS,
  ...LASTING_FAULTS,
  ...FILE_FAULTS,
  ...WISHED_FAULTS,
  ...RETURNED_FAULTS,
  ...THROWN_FAULTS,
]
