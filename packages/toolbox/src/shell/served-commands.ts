import type { Clock } from '@holdfast/conversation'
import type { ProcessRegister } from '@holdfast/tool/process'
import type { Workspace } from '../workspace/workspace.ts'
import { type BackgroundEnd, createBackgroundProcesses } from './background.ts'
import { forwardPort } from './background-ports.ts'
import type { Machine } from './machine.ts'
import { createNetworkRoom } from './network-room.ts'
import type { OutputLog } from './output-log.ts'
import type { PortForward } from './port-forward.ts'
import { folderOf } from './run-command.ts'

/** A command that a person or an agent lets run to be reached, such as a dev server. */
export interface ServedCommand {
  readonly log: OutputLog
  /** Settles when nothing of it is left; never throws. */
  readonly ended: Promise<BackgroundEnd>
  /** Null while it runs. */
  end(): BackgroundEnd | null
  /** The number of its first process, for whoever looks at what it holds open; null until there is one. */
  pid(): number | null
  /** A way to a port at which it listens. [SEC13] @throws {PortForwardError} */
  forwardPort(port: number): Promise<PortForward>
  /** Ends it with all that it started. */
  stop(): Promise<BackgroundEnd>
}

/** Commands that serve, of one place. They reach each other, and those of no other place. */
export interface ServedCommands {
  /** Runs a line in a folder of the place; null while it is closing. @throws {FileRefusal} when there is no such folder. */
  start(command: { readonly line: string; readonly folder: string }): Promise<ServedCommand | null>
  /** Ends all of them. */
  close(): Promise<void>
}

/** What they are run with. */
export interface ServedCommandsDeps {
  readonly workspace: Workspace
  readonly machine: Machine & { readonly bash: string }
  readonly clock: Clock
}

/** Confined as all commands, in the same bounds, with a network room of their own. [SEC6, SEC8, RUN14] */
export function createServedCommands({ workspace, machine, clock }: ServedCommandsDeps): ServedCommands {
  const { sandbox } = machine
  const programs = sandbox.type === 'none' || sandbox.network.type === 'host' ? null : sandbox.network.programs
  const room = programs === null ? null : createNetworkRoom(programs, clock)
  let firstPid: number | null = null
  const register: ProcessRegister = {
    note(groupId) {
      firstPid = groupId
      machine.register?.note(groupId)
    },
    forget: (groupId) => machine.register?.forget(groupId),
    endLeftOver: async () => 0,
  }
  const background = createBackgroundProcesses({ ...machine, register, workspace, room, clock }, () => {})

  return {
    async start({ line, folder }) {
      const place = await folderOf(workspace, folder)
      firstPid = null
      const process = background.start({ line, folder: place })
      if (process === null) return null
      const { processId, log, ended, end } = process
      return {
        log,
        ended,
        end,
        pid: () => (end() === null ? firstPid : null),
        forwardPort: (port) => forwardPort({ processId, port }, { background, sandbox, room, clock }),
        stop: () => background.stop(process),
      }
    },
    close: background.close,
  }
}
