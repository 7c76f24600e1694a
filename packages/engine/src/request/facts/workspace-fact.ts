import { permissionModeOf } from '@holdfast/conversation'
import type { PermissionMode } from '@holdfast/tool'
import type { FactSource } from '../../api/fact-source.ts'
import type { EnginePorts } from '../../api/ports.ts'
import { workspaceIn } from '../../chosen/conversation-tools.ts'

const BUDGET_TOKENS = 300

/**
 * The folder that a conversation works in, and what its tools may do there: a change of the mode reaches the model
 * with its next request. Nothing is said where there is no folder. [REQ6, PERM8]
 */
export function createWorkspaceFact(ports: Pick<EnginePorts, 'workspaceOf' | 'permissions'>): FactSource {
  return {
    section: 'workspace',
    budgetTokens: BUDGET_TOKENS,
    async textNow({ state: { ownerId, settings } }) {
      const folder = workspaceIn(ports, { ownerId, settings })
      if (folder === null) return null
      const mode = permissionModeOf(settings, ports.permissions)
      return `Folder: ${folder}\nPermission mode: ${mode}: ${inWords(mode)}`
    },
  }
}

function inWords(mode: PermissionMode): string {
  switch (mode) {
    case 'plan':
      return 'reading in the folder is allowed, all else is denied; say what you would do.'
    case 'ask':
      return 'reading in the folder is allowed, the person is asked about the rest.'
    case 'accept-edits':
      return 'reading and editing in the folder are allowed, the person is asked about the rest.'
    case 'sandboxed':
      return 'reading and editing in the folder and commands in the sandbox are allowed, the person is asked about the rest.'
    case 'bypass':
      return 'whatever no rule forbids is allowed without asking.'
  }
}
