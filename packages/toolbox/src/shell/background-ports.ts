import type { Clock } from '@holdfast/conversation'
import type { BackgroundProcesses } from './background.ts'
import type { NetworkRoom } from './network-room.ts'
import { openPortForward, type PortForward, PortForwardError } from './port-forward.ts'
import type { Sandbox } from './sandbox.ts'

/** A port at which a process in the background listens. */
export interface WantedPort {
  readonly processId: string
  /** From 1 to 65535. */
  readonly port: number
}

/** What ways to ports are opened with. */
export interface BackgroundPortsDeps {
  readonly background: BackgroundProcesses
  readonly sandbox: Sandbox
  readonly room: NetworkRoom | null
  readonly clock: Clock
}

/** Opens a way to a port of a process in the background, which closes when the process ends. @throws {PortForwardError} */
export async function forwardPort(
  { processId, port }: WantedPort,
  { background, sandbox, room, clock }: BackgroundPortsDeps,
): Promise<PortForward> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new RangeError(`${port} is no port`)
  const process = background.get(processId)
  if (process === null || process.end() !== null)
    throw new PortForwardError('no-such-process', { port, message: `No ${processId} runs in the background` })
  if (sandbox.type === 'bubblewrap' && sandbox.network.type !== 'host' && room === null)
    throw new PortForwardError('no-network', {
      port,
      message: 'Each command has a network of its own, without a way in: install nsenter (util-linux)',
    })
  const before = room === null ? null : await room.enter()
  const forward = openPortForward({ port, before, clock })
  let closing: Promise<void> | null = null
  async function closeAll(): Promise<void> {
    await forward.close()
    await room?.leave()
  }
  const close = (): Promise<void> => {
    closing ??= closeAll()
    return closing
  }
  void process.ended.then(close)
  return { port, connect: forward.connect, close }
}
