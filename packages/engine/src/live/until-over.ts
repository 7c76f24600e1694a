import type { Host } from './hosts.ts'

/** Resolves when a run is over, or nobody works on its conversation here any more. */
export async function untilOver(host: Host, runId: string): Promise<void> {
  while (host.working && host.log.overview().runState.exclusive?.runId === runId)
    await new Promise<void>((resolve) => host.waiting.add(resolve))
}

/** Has all who wait look again. */
export function tellWaiting({ waiting }: Host): void {
  for (const look of waiting) look()
  waiting.clear()
}
