import type { Json } from '@holdfast/conversation'
import type { Tool } from '@holdfast/tool'
import { FileRefusal } from './file-refusal.ts'
import type { Workspace } from './workspace.ts'
import { segmentsOfInput } from './workspace-path.ts'

/** The same tool, which says before anybody is asked where a path leads out of the workspace by its letters alone. [PERM12, WS1] */
export function refusingOutside(tool: Tool, { rootNames }: Pick<Workspace, 'rootNames'>): Tool {
  const roles = Object.entries(tool.definition.argumentRoles ?? {})
  const names = roles.flatMap(([name, role]) => (role === 'path' ? [name] : []))
  return {
    ...tool,
    refusalOf(input) {
      for (const path of pathsIn(input, names)) {
        const refused = refusalOfPath(path, rootNames)
        if (refused !== null) return refused
      }
      return null
    },
  }
}

function pathsIn(input: Json, names: readonly string[]): readonly string[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([name, value]) =>
    names.includes(name) && typeof value === 'string' ? [value] : [],
  )
}

function refusalOfPath(path: string, rootNames: readonly string[]): string | null {
  try {
    segmentsOfInput(path, rootNames, 'plain')
    return null
  } catch (error) {
    if (error instanceof FileRefusal) return error.message
    throw error
  }
}
