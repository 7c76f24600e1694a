import type { EnginePorts } from '../api/ports.ts'
import { takeBackInput } from '../commands/queue-commands.ts'
import { requestStop } from '../commands/stop-run.ts'
import type { Host, Hosts } from '../live/hosts.ts'
import { untilOver } from '../live/until-over.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { LiveLog } from '../log/live-log.ts'
import { taskOf } from './task-of.ts'

/** What it works with. */
interface StopDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  /** Works on another conversation; resolves when nothing that an earlier owner left open there is open any more. */
  readonly startWork: (host: Host) => Promise<void>
}

/**
 * A sub-agent whose caller is gone works for nobody: a task that waits is taken back, and one that has begun is stopped
 * where it runs, and closed where its own process is gone too, before its caller is. What somebody else asked in its
 * conversation goes on. [RUN4, AGENT3]
 *
 * The caller waits for its end, also where it is being closed already; one that is alive here ends in its own time. A wait
 * leads to a conversation that stands deeper, and never back: whatever logs say, none waits for itself. It ends with the
 * child's work at the latest: a child that cannot be closed keeps nobody open.
 */
export async function stopSubAgent(
  { ports, hosts, startWork }: StopDeps,
  caller: LiveLog,
  { conversationId, callerRunId }: { readonly conversationId: string; readonly callerRunId: string },
): Promise<void> {
  await hosts.use(conversationId, async (child) => {
    const { log } = child
    await log.refresh()
    const task = await taskOf(log)
    if (task === null) return
    const command = { commandId: `recovery:${callerRunId}`, actor: ENGINE, conversationId }
    const { inputId } = task
    if (await takeBackInput(ports, log, { ...command, commandId: `${command.commandId}:task`, inputId })) return
    // It may have begun meanwhile.
    const runId = (await taskOf(log))?.runId ?? null
    if (runId === null || runId !== log.overview().runState.exclusive?.runId) return
    const isAlive = child.run !== null
    await requestStop(ports, log, { ...command, runId, force: false })
    if (!child.working) void startWork(child)
    if (!isAlive && log.overview().depth > caller.overview().depth) await untilOver(child, runId)
  })
}
