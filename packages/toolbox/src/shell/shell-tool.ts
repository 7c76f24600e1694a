import { defineTool, type Tool, type ToolContext, type ToolNotice, type ToolReturn } from '@holdfast/tool'
import { createOutputKeeper, type OutputKeeper, type ProcessEnd } from '@holdfast/tool/process'
import * as z from 'zod'
import { answerOf, failureAnswer, textAnswer } from '../files/file-answer.ts'
import type { StrangersReader } from '../strangers/strangers-reader.ts'
import type { CallWatch } from '../survey/folder-watch.ts'
import { BACKGROUND_LIMITS, type BackgroundProcesses } from './background.ts'
import { endInWords } from './process-tools.ts'
import { folderOf, runCommand, type ShellPorts } from './run-command.ts'
import { describeSandbox, type Sandbox, sandboxedBy } from './sandbox.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const LONGEST_TIMEOUT_MS = 600_000
/** The call's own limit comes after that of the command, its end and the looks at the folder, so that the output is told. */
const MARGIN_MS = 60_000
const OUTPUT_BYTES = 45_000
const PROGRESS_EVERY_MS = 250
/** A background process that fails at once is reported by the call that starts it. */
const FIRST_LOOK_MS = 500

const Input = z.object({
  command: z.string().min(1).max(65_536),
  folder: z.string().default('.').describe('Where it runs, relative to the workspace'),
  timeout_ms: z.int().min(1).max(LONGEST_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS).describe('Not for background'),
  background: z.boolean().default(false),
})

/** What the shell works with beside what it runs commands with. */
export interface ShellToolParts {
  readonly background: BackgroundProcesses
  /** Null where nobody watches the folder. */
  readonly watch: CallWatch | null
  /** Null where nobody asks what strangers wrote. */
  readonly strangers: Pick<StrangersReader, 'runs'> | null
}

/** Runs command lines in the workspace. */
export function createShellTool(ports: ShellPorts, { background, watch, strangers }: ShellToolParts): Tool {
  const tool = defineTool({
    name: 'shell',
    description:
      `Runs a command line by bash in the workspace, and ends everything it started when it ends. ${describeSandbox(ports.sandbox)} ` +
      'Each call begins anew: cd and variables do not stay. With background it goes on until process_stop or the end of the conversation; read its output by process_output.',
    input: Input,
    category: 'execute',
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    argumentRoles: { command: 'shell-line', folder: 'path' },
    ...sandboxedBy(ports.sandbox),
    timeoutMs: LONGEST_TIMEOUT_MS + MARGIN_MS,
    ...noticeOf(ports.sandbox),
    run: ({ command: line, folder: path, timeout_ms: timeoutMs, background: isBackground }, context) =>
      answerOf(async () => {
        const folder = await folderOf(ports.workspace, path)
        const run = async () => {
          context.signal.throwIfAborted()
          await strangers?.runs({ line, folder, definition: tool.definition }, context.report)
          return isBackground
            ? startInBackground({ line, folder }, { ports, background })
            : runToEnd({ line, folder, timeoutMs }, { ports, context })
        }
        return watch === null ? run() : watch.around(context, run)
      }),
  })
  return tool
}

/** What a person should know where nothing confines commands, or where they reach less than was asked for. [RUN13] */
function noticeOf(sandbox: Sandbox): { readonly notice?: ToolNotice } {
  switch (sandbox.type) {
    case 'bubblewrap': {
      const { network } = sandbox
      if (network.type !== 'none' || network.reason === null) return {}
      const text = `Commands have no network, though the public internet was asked for: ${network.reason}.`
      const until = 'slirp4netns works here, or the network of commands is set to host'
      return { notice: { code: 'no-network', text, until } }
    }
    case 'none':
      return {
        notice: {
          code: 'no-sandbox',
          text: describeSandbox(sandbox),
          until: 'Holdfast is started on a machine where bubblewrap works',
        },
      }
  }
}

interface Line {
  readonly line: string
  readonly folder: string
}

async function runToEnd(
  { line, folder, timeoutMs }: Line & { readonly timeoutMs: number },
  { ports, context }: { readonly ports: ShellPorts; readonly context: ToolContext },
): Promise<ToolReturn> {
  const { clock } = ports
  const limit = new AbortController()
  const cancel = clock.after(timeoutMs, () => limit.abort())
  const kept = createOutputKeeper(OUTPUT_BYTES)
  const signal = AbortSignal.any([context.signal, limit.signal])
  try {
    const { end, remarks } = await runCommand(ports, {
      line,
      folder,
      signal,
      onOutput: follow(kept, { clock, context }),
    })
    const first = [endOfCommand(end, { timeoutMs, isOverTime: limit.signal.aborted }), ...remarks].join(' ')
    const text = `${first}\n${outputInWords(kept)}`
    return end.exitCode === 0 && end.ended === 'by-itself' ? textAnswer(text) : failureAnswer(text)
  } finally {
    cancel()
  }
}

/** Keeps the output and shows its last line now and then. */
function follow(
  kept: OutputKeeper,
  { clock, context }: { readonly clock: ShellPorts['clock']; readonly context: ToolContext },
): (bytes: Uint8Array) => void {
  let shownAt = Number.NEGATIVE_INFINITY
  return (bytes) => {
    kept.add(bytes)
    const now = clock.monotonicMs()
    if (now - shownAt < PROGRESS_EVERY_MS) return
    const tail = Buffer.from(bytes.subarray(-1_000)).toString('utf8')
    const last = tail.split('\n').findLast((part) => part.trim() !== '')
    if (last === undefined) return
    shownAt = now
    context.progress(last.trim().slice(-200))
  }
}

function endOfCommand(
  end: ProcessEnd,
  { timeoutMs, isOverTime }: { readonly timeoutMs: number; readonly isOverTime: boolean },
): string {
  if (isOverTime && end.ended !== 'by-itself')
    return `The command timed out after ${timeoutMs} ms and was ended with all it had started.`
  return `The command ${endInWords(end)}.`
}

function outputInWords(kept: OutputKeeper): string {
  const { text, totalBytes } = kept.read()
  return totalBytes === 0 ? 'It printed nothing.' : `Output:\n${text}`
}

async function startInBackground(
  command: Line,
  { ports, background }: { readonly ports: ShellPorts; readonly background: BackgroundProcesses },
): Promise<ToolReturn> {
  const started = background.start(command)
  if (!started)
    return failureAnswer(
      `Not started: ${BACKGROUND_LIMITS.runningCount} background processes run already, or the conversation is closing. Stop one by process_stop.`,
    )
  const look = Promise.withResolvers<null>()
  const cancel = ports.clock.after(FIRST_LOOK_MS, () => look.resolve(null))
  const end = await Promise.race([started.ended, look.promise])
  cancel()
  const { text, nextByte } = started.log.read(0)
  const output = text === '' ? 'It has printed nothing so far.' : `Its output until byte ${nextByte}:\n${text}`
  if (end === null) return textAnswer(`${started.processId} runs in the background. ${output}`)
  const how =
    end.type === 'ended' ? [endInWords(end.end), ...end.remarks].join('. ') : `could not be run: ${end.message}`
  const answer = end.type === 'ended' && end.end.exitCode === 0 ? textAnswer : failureAnswer
  return answer(`${started.processId} is over already: it ${how}. ${output}`)
}
