import type { Entry } from '@holdfast/conversation'
import type { ConversationCommand } from '../api/command-base.ts'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import type { AskedRun, Host, Hosts } from '../live/hosts.ts'
import { carriedOutBefore, commandKey } from './carry-out.ts'

/** What runs are asked for with. */
export interface AskForRunDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  readonly wake: (host: Host) => void
}

/**
 * Puts what a person asked for at its place and waits until its run is in the log. A checkpoint needs the conversation at rest. The
 * same command again is answered with the run that it began. [LOG4]
 *
 * @throws {UnknownConversationError | RunActiveError}
 */
export async function askForRun(
  { ports, hosts, wake }: AskForRunDeps,
  command: ConversationCommand,
  { type, focus }: Pick<AskedRun, 'type' | 'focus'>,
): Promise<{ readonly runId: string }> {
  const { conversationId } = command
  const asked = [type, focus]
  return hosts.use(conversationId, async (host) => {
    // Its first entry may be durable, and on its way to this process.
    if (host.log.overview().head === 0) await host.log.refresh()
    if (host.log.overview().head === 0) throw new UnknownConversationError(conversationId)
    const before = (await carriedOutBefore(ports, host.log, { command, asked }))?.flatMap(begunRun)[0]
    if (before !== undefined) return { runId: before }
    const key = commandKey(ports, { command, asked })
    if (host.askedRun?.command.commandId === key.commandId) return { runId: await host.askedRun.begun.promise }
    const { exclusive, side } = host.log.overview().runState
    const runs = type === 'checkpoint' ? exclusive : side[0]
    if (runs || host.askedRun) throw new RunActiveError(conversationId, runs?.runId ?? null)
    const runId = ports.ids.next('run')
    const begun = Promise.withResolvers<string>()
    host.askedRun = { type, runId, focus, command: key, begun }
    wake(host)
    return { runId: await begun.promise }
  })
}

/** The run that a command began, by what it left. */
function begunRun(entry: Entry): string[] {
  return entry.type === 'run-started' ? [entry.runId] : []
}
