import type { FileChange, ReviewedFile, ReviewMarks } from '@holdfast/tool'
import {
  type DecidedChanges,
  decideChanges,
  netChanges,
  type ReadBlob,
  type RestorePorts,
  readChanges,
  type Workspace,
} from '@holdfast/toolbox'

/** Nobody has decided anything. */
const NO_MARKS: ReviewMarks = { kept: new Set(), rejected: new Set() }

/** What changes did, as a person reviews it. */
export function review(
  workspace: Workspace,
  changes: readonly FileChange[],
  { readBlob, signal }: { readonly readBlob: ReadBlob; readonly signal: AbortSignal },
): Promise<readonly ReviewedFile[]> {
  return readChanges(workspace, netChanges(changes), { readBlob, marks: NO_MARKS, signal })
}

/** Rejects every change as a whole, as one who looks at them does. */
export async function rejectAll(
  workspace: Workspace,
  changes: readonly FileChange[],
  ports: RestorePorts,
): Promise<DecidedChanges> {
  const net = netChanges(changes)
  const { signal } = new AbortController()
  const files = await readChanges(workspace, net, { readBlob: ports.readBlob, marks: NO_MARKS, signal })
  const decisions = files.map(({ path, id }) => ({ path, seen: id, keep: false }))
  return decideChanges(workspace, { changes: net, decisions }, { ...ports, marks: NO_MARKS, onPlanned: async () => {} })
}
