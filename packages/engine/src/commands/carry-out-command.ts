import type { Host } from '../live/hosts.ts'

/**
 * Carries out a command on the host of its conversation, then does what the log says now: stop, or answer what waits. The
 * engine of a process is its only maker; commands get it as an argument.
 */
export type CarryOutCommand = <Answer>(
  command: { readonly conversationId: string },
  carryOut: (host: Host) => Promise<Answer>,
) => Promise<Answer>
