import { join } from 'node:path'
import type { Clock, Json, ToolOutcome } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { createMcpServer, type McpServer, type PinStore, SERVER_LIMITS } from '@holdfast/mcp'
import type { PinnedServer } from '@holdfast/mcp/settings'
import { toolsOf } from '@holdfast/tool'
import type { ProcessRegister } from '@holdfast/tool/process'
import { until } from '../states/until.ts'
import type { CasePlace, FaultCase, OpenedTools } from './fault-case.ts'

interface ServerFault {
  /** What the hostile server is told to do. */
  readonly fault: string
  readonly outcome: ToolOutcome
  /** What the model reads of it. */
  readonly says: RegExp
  /** Whether it is played in the quick count too. */
  readonly quick?: true
  readonly timeoutMs?: number
}

/** Faults of a server that answers: it is called once, has one result, and can be called again, restarted or not. */
const IN_A_CALL: readonly ServerFault[] = [
  { fault: 'none', outcome: 'ok', says: /^work done$/ },
  { fault: 'dies-in-call', outcome: 'error', says: /ended while the call ran/, quick: true },
  { fault: 'killed-in-call', outcome: 'error', says: /ended while the call ran/ },
  { fault: 'closes-output', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'hangs', outcome: 'timed-out', says: /timed out after 300 ms/, timeoutMs: 300, quick: true },
  { fault: 'only-wrong-id', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'wrong-id', outcome: 'ok', says: /^right$/, quick: true },
  { fault: 'answers-twice', outcome: 'ok', says: /^first$/ },
  { fault: 'answers-both', outcome: 'ok', says: /^fine$/ },
  { fault: 'error', outcome: 'error', says: /refused the call: .*wrong arguments/ },
  { fault: 'error-of-nothing', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'is-error', outcome: 'error', says: /^it did not work$/ },
  { fault: 'no-content', outcome: 'ok', says: /./ },
  { fault: 'result-nonsense', outcome: 'error', says: /failed|refused/ },
  { fault: 'block-nonsense', outcome: 'error', says: /failed|refused/ },
  { fault: 'result-null', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'empty', outcome: 'ok', says: /The tool returned nothing/ },
  { fault: 'structured-only', outcome: 'ok', says: /^\{"n":7\}$/ },
  { fault: 'large', outcome: 'ok', says: /x{1000}/, quick: true },
  { fault: 'too-large', outcome: 'error', says: /ended while the call ran/, quick: true },
  { fault: 'endless-line', outcome: 'error', says: /ended while the call ran/ },
  { fault: 'many-blocks', outcome: 'ok', says: /^a\n\na/ },
  { fault: 'large-picture', outcome: 'ok', says: /too large or one too many/ },
  { fault: 'many-pictures', outcome: 'ok', says: /one too many/ },
  { fault: 'picture-nonsense', outcome: 'ok', says: /a picture of type text\/html/ },
  { fault: 'sound', outcome: 'ok', says: /\[sound of type audio\/wav/ },
  { fault: 'resources', outcome: 'ok', says: /inside\n\n.*file:\/\/\/b, not text.*\n\n.*resource c: file/ },
  { fault: 'controls', outcome: 'ok', says: /bell/ },
  { fault: 'invalid-bytes', outcome: 'ok', says: /^after$/ },
  { fault: 'prints-in-call', outcome: 'ok', says: /^after$/ },
  { fault: 'half-lines', outcome: 'ok', says: /^whole$/ },
  { fault: 'floods-progress', outcome: 'ok', says: /^done$/, timeoutMs: 60_000 },
  { fault: 'floods-unknown', outcome: 'ok', says: /^done$/, quick: true },
  { fault: 'floods-log', outcome: 'ok', says: /^done$/ },
  { fault: 'floods-list-changed', outcome: 'ok', says: /^done$/ },
  { fault: 'floods-requests', outcome: 'ok', says: /^done$/ },
  { fault: 'floods-stderr', outcome: 'ok', says: /^work done$/ },
  { fault: 'progress-nonsense', outcome: 'ok', says: /^done$/ },
  { fault: 'prints-at-start', outcome: 'ok', says: /^work done$/ },
  { fault: 'leaves-children', outcome: 'ok', says: /^work done$/ },
  { fault: 'ignores-term', outcome: 'timed-out', says: /timed out/, timeoutMs: 300, quick: true },
  { fault: 'keeps-running', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'dies-when-asked', outcome: 'ok', says: /^work done$/ },
  { fault: 'wants-roots', outcome: 'ok', says: /-32601/ },
  { fault: 'samples', outcome: 'ok', says: /-32601/, quick: true },
  { fault: 'asks', outcome: 'ok', says: /"cancel"/ },
  { fault: 'asks-by-address', outcome: 'ok', says: /"decline"|-32602|cancel/ },
  { fault: 'wrong-definition', outcome: 'ok', says: /^work done$/ },
  { fault: 'wrong-schema', outcome: 'ok', says: /^work done$/ },
  { fault: 'two-of-a-name', outcome: 'ok', says: /^work done$/ },
  { fault: 'long-description', outcome: 'ok', says: /^work done$/ },
  { fault: 'large-schema', outcome: 'ok', says: /^work done$/ },
  { fault: 'same-page', outcome: 'ok', says: /^work done$/ },
]

/** Faults of a server that never gets to answer: a call of a tool that was accepted before says so, and is bounded. */
const SILENT: readonly ServerFault[] = [
  { fault: 'never-answers', outcome: 'error', says: /not connected/, quick: true },
  { fault: 'never-lists', outcome: 'error', says: /not connected/, quick: true },
]

/** Faults of a server that fails at once: the call says why. */
const FAILING: readonly ServerFault[] = [
  { fault: 'dies-at-start', outcome: 'error', says: /not connected/, quick: true },
  { fault: 'dies-listing', outcome: 'error', says: /not connected/ },
  { fault: 'refuses', outcome: 'error', says: /not connected.*not today/ },
  { fault: 'wrong-version', outcome: 'error', says: /not connected.*1999-01-01/ },
  { fault: 'initialize-nonsense', outcome: 'error', says: /not connected/ },
  { fault: 'list-error', outcome: 'error', says: /not connected.*no list today/ },
  { fault: 'list-nonsense', outcome: 'error', says: /not connected/ },
]

/** A server that is there, without the tool that was accepted before. */
const WITHOUT_TOOLS: readonly ServerFault[] = [
  { fault: 'no-tools', outcome: 'error', says: /no longer has the tool work/ },
]

const HOSTILE_SERVER = join(import.meta.dirname, '../../packages/mcp/tests/support/hostile-server.mjs')
const SERVER = 'probe'
const TOOL = `${SERVER}__work`

/** Time limits end in a hundredth of their time: for servers that will not answer in any. */
const hastyClock: Clock = { ...systemClock, after: (delayMs, run) => systemClock.after(delayMs / 100, run) }

const isFull = process.env['HOLDFAST_FULL'] === '1'

/** What MCP servers over pipes do: each costs its own call, and the server is there again for the next one. [TOOL9] */
export const SERVER_FAULTS: readonly FaultCase[] = [
  ...IN_A_CALL.filter(isPlayed).map((fault) => toCase(fault, { name: 'in a call', open: openAnswering })),
  ...SILENT.filter(isPlayed).map((fault) => toCase(fault, { name: 'before a call', open: openSilent })),
  ...FAILING.filter(isPlayed).map((fault) => toCase(fault, { name: 'before a call', open: openFailing })),
  ...WITHOUT_TOOLS.filter(isPlayed).map((fault) => toCase(fault, { name: 'before a call', open: openWithoutTools })),
]

function isPlayed({ quick }: ServerFault): boolean {
  return isFull || quick === true
}

function toCase(
  fault: ServerFault,
  when: { readonly name: string; readonly open: (fault: ServerFault, place: CasePlace) => Promise<OpenedTools> },
): FaultCase {
  const { outcome, says } = fault
  return {
    name: `server: ${fault.fault} ${when.name}`,
    open: (place) => when.open(fault, place),
    calls: [{ tool: TOOL, inputText: '{}', outcome, says, begins: true }],
  }
}

/** A server that comes up, and is there again after the call. */
async function openAnswering({ fault, timeoutMs }: ServerFault): Promise<OpenedTools> {
  const server = openServer({ fault, timeoutMs: timeoutMs ?? 120_000, clock: systemClock, pins: memoryPins(null) })
  const untilReady = async () => {
    await until(`the server is connected after ${fault}`, () =>
      server.mcp.status().state.type === 'connected' ? true : null,
    )
  }
  await untilReady()
  return { ...server, untilReady }
}

/** What was accepted of the server on an earlier day. */
const knownPins = () =>
  memoryPins({
    tools: [{ name: 'work', description: 'Does work', parameters: { type: 'object' } }],
    instructions: null,
  })

/** A server that never comes up. */
async function openSilent({ fault }: ServerFault): Promise<OpenedTools> {
  const server = openServer({ fault, timeoutMs: 20_000, clock: hastyClock, pins: knownPins() })
  await until('the known tool is offered', () => (server.mcp.definitions().length === 1 ? true : null))
  return server
}

/** A server that has failed once and is not tried again; from then on nobody waits long for it. */
async function openFailing({ fault }: ServerFault): Promise<OpenedTools> {
  let hasFailed = false
  const clock: Clock = {
    ...systemClock,
    after(delayMs, run) {
      if (delayMs === SERVER_LIMITS.firstPauseMs) return () => {}
      return systemClock.after(hasFailed && delayMs === SERVER_LIMITS.waitForServerMs ? delayMs / 100 : delayMs, run)
    },
  }
  const server = openServer({ fault, timeoutMs: 20_000, clock, pins: knownPins() })
  await until(`the server fails by ${fault}`, () => (server.mcp.status().state.type === 'waiting' ? true : null))
  hasFailed = true
  return server
}

async function openWithoutTools({ fault }: ServerFault): Promise<OpenedTools> {
  const server = openServer({ fault, timeoutMs: 20_000, clock: systemClock, pins: knownPins() })
  await until('the server is connected', () => (server.mcp.status().state.type === 'connected' ? true : null))
  return server
}

interface Opening {
  readonly fault: string
  readonly timeoutMs: number
  readonly clock: Clock
  readonly pins: PinStore
}

function openServer({ fault, timeoutMs, clock, pins }: Opening): OpenedTools & { readonly mcp: McpServer } {
  const groups = new Set<number>()
  const register: ProcessRegister = {
    note: (groupId) => groups.add(groupId),
    forget: (groupId) => groups.delete(groupId),
    endLeftOver: async () => 0,
  }
  const args = [HOSTILE_SERVER, fault]
  const reach = { type: 'stdio', command: process.execPath, args, environment: {}, folder: null } as const
  const mcp = createMcpServer(
    { name: SERVER, reach, timeoutMs, silenceMs: 120_000, on: true },
    {
      clock,
      environment: process.env,
      register,
      fetch,
      isPublicHost: async () => true,
      version: '0.0.0',
      pins,
      signIns: { read: async () => null, write: async () => {} },
      redirectUrl: () => 'http://127.0.0.1:9/api/v1/mcp-sign-in',
      onChange() {},
    },
  )
  const source = {
    name: SERVER,
    list: () => mcp.definitions(),
    run: (call: { readonly name: string; readonly input: Json }, context: Parameters<McpServer['call']>[1]) =>
      mcp.call(call, context),
  }
  return {
    mcp,
    tools: () => toolsOf(source),
    async close() {
      const lines = mcp.logs().length
      await mcp.close()
      if (groups.size > 0) throw new Error(`The process groups ${[...groups].join(', ')} are not over`)
      if (lines > 500) throw new Error(`The server's log has ${lines} lines`)
    },
  }
}

function memoryPins(first: PinnedServer | null): PinStore {
  let kept = first
  return {
    read: async () => kept,
    async write(_, pinned) {
      kept = structuredClone(pinned)
    },
  }
}
