import type { Clock } from '@holdfast/conversation'
import { defineTool, type Tool } from '@holdfast/tool'
import type { ProcessEnd } from '@holdfast/tool/process'
import * as z from 'zod'
import { failureAnswer, textAnswer } from '../files/file-answer.ts'
import type { CallWatch } from '../survey/folder-watch.ts'
import type { BackgroundEnd, BackgroundProcess, BackgroundProcesses } from './background.ts'
import { type Sandbox, sandboxedBy } from './sandbox.ts'

const ProcessOutputInput = z.object({
  process_id: z.string().optional(),
  from_byte: z.int().nonnegative().default(0).describe('Where to read on, as the last answer said'),
})

const ProcessStopInput = z.object({ process_id: z.string() })

/** What these tools work with. */
export interface ProcessToolsDeps {
  readonly background: BackgroundProcesses
  /** Null where nobody watches the folder. */
  readonly watch: Pick<CallWatch, 'catchUp'> | null
  readonly sandbox: Sandbox
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** Tools that look at background processes and stop them. */
export function createProcessTools({ background, watch, sandbox, clock }: ProcessToolsDeps): readonly Tool[] {
  const absent = (processId: string) =>
    failureAnswer(`There is no ${processId}. Known: ${namesOf(background.list()) || 'none'}.`)

  const output = defineTool({
    name: 'process_output',
    description:
      'Says how a background process does and what it printed; without process_id, lists all. The last 262,144 bytes are kept.',
    input: ProcessOutputInput,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { process_id: 'plain' },
    timeoutMs: 10_000,
    run: async ({ process_id: processId, from_byte: fromByte }, { report }) => {
      await watch?.catchUp(report)
      if (processId === undefined) {
        const all = background.list().map((process) => stateOf(process, clock.monotonicMs()))
        return textAnswer(all.length === 0 ? 'There are no background processes.' : all.join('\n'))
      }
      const process = background.get(processId)
      if (!process) return absent(processId)
      const page = process.log.read(fromByte)
      const lost = page.fromByte > fromByte ? ` Bytes ${fromByte} to ${page.fromByte} are not kept any more.` : ''
      const text = page.text === '' ? 'Nothing new.' : `Output:\n${page.text}`
      return textAnswer(
        `${stateOf(process, clock.monotonicMs())}\nFrom byte ${page.fromByte} to ${page.nextByte}.${lost} ${text}`,
      )
    },
  })

  const stop = defineTool({
    name: 'process_stop',
    description: 'Stops a background process with everything it started.',
    input: ProcessStopInput,
    category: 'execute',
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { process_id: 'plain' },
    ...sandboxedBy(sandbox),
    timeoutMs: 20_000,
    run: async ({ process_id: processId }, { report }) => {
      const process = background.get(processId)
      if (!process) return absent(processId)
      const wasOver = process.end() !== null
      await background.stop(process)
      await watch?.catchUp(report)
      return textAnswer(`${wasOver ? 'Was over already' : 'Stopped'}: ${stateOf(process, clock.monotonicMs())}`)
    },
  })
  return [output, stop]
}

/** How a process ended, to go behind a noun. */
export function endInWords(end: ProcessEnd): string {
  switch (end.ended) {
    case 'not-started':
      return `could not be started: ${end.startError ?? 'no reason given'}`
    case 'by-term':
    case 'by-kill':
      return 'was ended'
    case 'by-itself':
      if (end.signal !== null) return `was ended by ${end.signal}`
      return end.exitCode === null ? 'ended, and nobody can tell how' : `ended with exit code ${end.exitCode}`
  }
}

function stateOf({ processId, line, startedAtMs, end }: BackgroundProcess, nowMs: number): string {
  const over = end()
  const seconds = Math.round(((over?.atMs ?? nowMs) - startedAtMs) / 1_000)
  return `${processId}: ${over === null ? 'running' : howOver(over)}, ${seconds} s. Command: ${JSON.stringify(line.slice(0, 200))}`
}

/** How a process in the background ended, in words. */
export function howOver(over: BackgroundEnd): string {
  return over.type === 'ended'
    ? [endInWords(over.end), ...over.remarks].join('. ')
    : `could not be run: ${over.message}`
}

function namesOf(processes: readonly BackgroundProcess[]): string {
  return processes.map(({ processId }) => processId).join(', ')
}
