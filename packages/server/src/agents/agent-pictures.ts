import { createHash } from 'node:crypto'
import { type Clock, pngSizeOf, type Records, RevisionConflictError } from '@holdfast/conversation'
import { AGENT_LIMITS } from '@holdfast/protocol'
import * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'

/** The pictures of agents. Each belongs to one agent; who may use the agent may see it. */
export interface AgentPictures {
  /**
   * Keeps a picture of an agent beside the one that it has.
   *
   * @returns the picture's digest.
   * @throws {RefusedError} for what is no PNG, or has more pixels than a picture of an agent may be.
   */
  keep(agentId: string, base64: string): Promise<string>
  /** The bytes of a PNG, or null. */
  read(agentId: string, digest: string): Promise<Buffer | null>
  forget(agentId: string, digest: string): Promise<void>
}

const PICTURE = { kind: 'agent-picture', schema: z.object({ base64: z.string() }) } as const

/** They stand together, as the agents do. */
const SHELF = 'installation'

/** Keeps pictures in the records of the store, so that backups have them and nothing collects them as unused uploads. */
export function createAgentPictures({
  records,
  clock,
}: {
  readonly records: Records
  readonly clock: Clock
}): AgentPictures {
  return {
    async keep(agentId, base64) {
      const bytes = Buffer.from(base64, 'base64')
      checkPicture(bytes)
      const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
      const write = { ownerId: SHELF, id: idOf(agentId, digest), revision: 0, value: { base64 }, at: clock.now() }
      try {
        await records.put(PICTURE, write)
      } catch (error) {
        // The same bytes are there.
        if (!(error instanceof RevisionConflictError)) throw error
      }
      return digest
    },
    async read(agentId, digest) {
      const found = await records.get(PICTURE, { ownerId: SHELF, id: idOf(agentId, digest) })
      return found && Buffer.from(found.value.base64, 'base64')
    },
    async forget(agentId, digest) {
      const id = idOf(agentId, digest)
      const found = await records.get(PICTURE, { ownerId: SHELF, id })
      if (found) await records.remove(PICTURE, { ownerId: SHELF, id, revision: found.revision })
    },
  }
}

function idOf(agentId: string, digest: string): string {
  return `${agentId}.${digest}`
}

/** @throws {RefusedError} */
function checkPicture(bytes: Buffer): void {
  const { pictureSidePx } = AGENT_LIMITS
  const size = pngSizeOf(bytes)
  if (size === null)
    throw new RefusedError(415, 'unsupported-media-type', 'The picture is no PNG; send one, in base64, as picture')
  if (size.widthPx > pictureSidePx || size.heightPx > pictureSidePx)
    throw new RefusedError(
      413,
      'too-large',
      `The picture has ${size.widthPx} × ${size.heightPx} pixels; one of an agent has at most ${pictureSidePx} × ${pictureSidePx}`,
    )
}
