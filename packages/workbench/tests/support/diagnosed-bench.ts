import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock, Json } from '@holdfast/conversation'
import { storeBlobSink } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { LANGUAGE_SERVER_LIMITS } from '@holdfast/language-servers'
import { createMemoryStore } from '@holdfast/store/memory'
import { DEFAULT_LIMITS, runCall } from '@holdfast/tool'
import {
  createFolderWatch,
  createSurveyor,
  createWorkspaceTools,
  findMachine,
  openWorkspace,
  usualBounds,
} from '@holdfast/toolbox'
import { expect } from 'vitest'
import { createDiagnosed } from '../../src/diagnosed-tools.ts'
import { createFolderServers } from '../../src/folder-servers.ts'

const bwrap = process.env['HOLDFAST_BWRAP'] ?? ''
/** Where the language servers of this repository are. */
const BIN = fileURLToPath(new URL('../../../../node_modules/.bin', import.meta.url))

/** A slow machine makes no server late. */
const patientClock: Clock = {
  now: systemClock.now,
  monotonicMs: systemClock.monotonicMs,
  after: (delayMs, run) => systemClock.after(delayMs === LANGUAGE_SERVER_LIMITS.waitMs ? 60_000 : delayMs, run),
}

/** The tools of an agent, whose results say what they broke. */
export interface DiagnosedBench {
  /** Runs a tool, and gives the text of its result. */
  say(name: string, input: Json): Promise<string>
  setWanted(isWanted: boolean): void
  close(): Promise<void>
}

/** The real tools and the real language servers, each in the real sandbox. */
export async function openDiagnosed(base: string, root: string): Promise<DiagnosedBench> {
  let isWanted = true
  const environment = { PATH: `${BIN}:${dirname(bwrap)}:/usr/bin:/bin`, HOME: join(base, 'home') }
  const visible = { readable: [process.execPath], links: [], hiddenFolders: [] }
  const machine = await findMachine({
    environment,
    owner: 'tests',
    register: null,
    network: 'none',
    groupNotes: null,
    visible,
    bounds: usualBounds(),
    clock: systemClock,
    signal: new AbortController().signal,
  })
  expect(machine.sandbox.type).toBe('bubblewrap')
  const { store } = createMemoryStore({ clock: systemClock })
  const surveyor = createSurveyor({ folder: base, clock: systemClock })
  const watch = createFolderWatch({ surveyor, clock: systemClock })
  const workspace = openWorkspace({ root, closed: [] })
  const servers = createFolderServers({ machine: () => machine, node: process.execPath, clock: patientClock })
  const diagnosed = createDiagnosed({ servers, workspace, isWanted: () => isWanted })
  const conversation = { conversationId: 'conversation_1', ownerId: 'user_1' }
  const blobSink = diagnosed.sink(storeBlobSink({ store, ids: systemIds, clock: systemClock }, conversation))
  const own = createWorkspaceTools({ workspace, machine, blobSink, watch }, systemClock)
  const tools = own.tools.map(diagnosed.tool)
  return {
    setWanted(wanted) {
      isWanted = wanted
    },
    async say(name, input) {
      const { outcome, content } = await runCall({
        tool: tools.find(({ definition }) => definition.name === name),
        call: { callId: systemIds.next('call'), name, input },
        signal: new AbortController().signal,
        limits: DEFAULT_LIMITS,
        clock: systemClock,
        onLate: () => {},
        onLateEffect: () => {},
      })
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      expect(outcome, text).toBe('ok')
      return text
    },
    async close() {
      await own.close()
      await servers.close()
      await watch.close()
    },
  }
}
