import type { BlockStart, Json, ProviderErrorCode } from '@holdfast/conversation'
import { type ModelPart, type ModelRequest, ProviderError, type RequestUsage } from '@holdfast/provider'
import type { Chance } from './chance.ts'
import { CLIENT_TOOL, SUB_AGENT_TOOL } from './simulated-tools.ts'

/** What a simulated provider does next. */
export type ScriptedAct =
  | { readonly type: 'part'; readonly part: ModelPart; readonly delayMs: number }
  | { readonly type: 'fail'; readonly error: ProviderError }
  /** Nothing more comes; the line stays open. */
  | { readonly type: 'fall-silent' }
  /** The line is closed without an end. */
  | { readonly type: 'break-off' }

/** One answer, made up before it is played. */
export interface ModelScript {
  readonly acts: readonly ScriptedAct[]
  /** A source that goes on whatever its reader wants. */
  readonly ignoresSignal: boolean
}

/** What an answer is made with, beside chance. */
export interface ScriptSource {
  readonly chance: Chance
  readonly request: ModelRequest
  /** Whether faults are let loose. */
  readonly faults: boolean
  /** Whether a client offers a tool. */
  readonly clients: boolean
  /** Whether the conversation has a tool that gives tasks to other agents. */
  readonly subAgents: boolean
  /** Gives a call its id, whatever the provider sent. [RUN11] */
  readonly callId: (sent: string | null) => string
  /** What the provider wants back with a thinking block; undefined for a model that does not think. */
  readonly thinkingState: ((text: string) => Json) | null
}

const WORDS = ['so', 'then', 'the file', 'says', 'größer', '世界', '👩‍🚀', 'done', '"quoted"', '\n', 'x = 1;', '<b>']
const TOOLS = ['read_file', 'write_file', 'run_command', 'list_files', 'no_such_tool', 'draw'] as const
const PATHS = ['/folder/a.txt', '/folder/src/b.ts', 'c.md', '/etc/passwd', '../up.txt']
const COMMANDS = ['ls', 'npm test', 'rm -rf build', 'echo "half']
const CODES: readonly ProviderErrorCode[] = [
  'auth',
  'rate-limit',
  'quota',
  'too-long',
  'network',
  'overloaded',
  'model-missing',
  'refused',
  'bad-request',
  'internal',
]

/** Makes up an answer. */
export function makeScript(source: ScriptSource): ModelScript {
  const { chance, faults } = source
  if (faults && chance.happens(0.06)) return { acts: [failure(source)], ignoresSignal: false }
  const whole = [...usageAct(chance, 'early'), ...answerActs(source)]
  const ignoresSignal = faults && chance.happens(0.04)
  if (!faults || chance.happens(0.88)) return { acts: whole, ignoresSignal }
  const kept = whole.slice(0, chance.below(whole.length))
  return { acts: [...kept, brokenEnd(source)], ignoresSignal }
}

function brokenEnd(source: ScriptSource): ScriptedAct {
  const { chance } = source
  return chance.weighted<() => ScriptedAct>([
    [() => failure(source), 5],
    [() => ({ type: 'break-off' }), 4],
    [() => ({ type: 'fall-silent' }), 1],
  ])()
}

function failure({ chance, request }: ScriptSource): ScriptedAct {
  if (request.thinkingBudgetTokens !== null && chance.happens(0.2)) {
    const detail = 'thinking-parameters' as const
    const error = new ProviderError('bad-request', 'This model does not think like that', { status: 400, detail })
    return { type: 'fail', error }
  }
  const code = chance.pick(CODES)
  const status = code === 'network' ? null : chance.pick([400, 401, 429, 500, 529])
  const retryAfterMs = chance.happens(0.2) ? chance.pick([500, 20_000, 2_000_000]) : null
  const windowTokens = code === 'too-long' ? chance.pick([null, 3_000, 20_000]) : null
  const facts = { status, retryAfterMs, windowTokens }
  return { type: 'fail', error: new ProviderError(code, `Simulated: ${code}`, facts) }
}

interface Block {
  readonly start: BlockStart
  readonly pieces: readonly string[]
  readonly providerState: Json | undefined
}

function answerActs(source: ScriptSource): ScriptedAct[] {
  const { chance, request } = source
  const thinks = source.thinkingState !== null && request.thinkingBudgetTokens !== null
  const kind = chance.weighted([
    ['words' as const, 50],
    ['calls' as const, request.toolChoice === 'none' ? 0 : 60],
    ['nothing' as const, 2],
    ['only-thinking' as const, thinks ? 3 : 0],
  ])
  const blocks: Block[] = []
  if (kind !== 'nothing' && thinks) blocks.push(thinkingBlock(source))
  if (kind === 'words' || (kind === 'calls' && chance.happens(0.6))) blocks.push(textBlock(chance))
  if (kind === 'calls') for (let left = callCount(chance); left > 0; left--) blocks.push(callBlock(source))
  const finish = chance.weighted([
    [kind === 'calls' ? ('tool-calls' as const) : ('end' as const), 90],
    ['length' as const, 5],
    ['refused' as const, 2],
  ])
  // An answer that reaches its length may lack the end of its last block.
  const lastIsOpen = finish === 'length' && chance.happens(0.5)
  const acts = blocks.flatMap((block, index) =>
    blockActs(chance, { block, index, ends: !lastIsOpen || index < blocks.length - 1 }),
  )
  return [...acts, ...usageAct(chance, 'late'), { type: 'part', part: { type: 'finish', finish }, delayMs: 0 }]
}

function callCount(chance: Chance): number {
  return chance.weighted([
    [1, 60],
    [2, 25],
    [4, 13],
    [35, 1],
  ])
}

function thinkingBlock({ chance, thinkingState }: ScriptSource): Block {
  const pieces = pieceList(chance)
  const signed = thinkingState && !chance.happens(0.05) ? thinkingState(pieces.join('')) : undefined
  return { start: { type: 'thinking' }, pieces, providerState: signed }
}

function textBlock(chance: Chance): Block {
  const long = chance.happens(0.1) ? Array.from({ length: 12 }, () => 'long '.repeat(150)) : []
  const half = chance.happens(0.03) ? ['\ud83d', '\ude80'] : []
  return { start: { type: 'text' }, pieces: [...pieceList(chance), ...long, ...half], providerState: undefined }
}

function callBlock({ chance, callId, clients, subAgents }: ScriptSource): Block {
  const name = chance.weighted<string>([
    [TOOLS[0], 20],
    [TOOLS[1], 40],
    [TOOLS[2], 30],
    [TOOLS[3], 5],
    [TOOLS[4], 5],
    [TOOLS[5], 60],
    [CLIENT_TOOL, clients ? 90 : 0],
    [SUB_AGENT_TOOL, subAgents ? 50 : 0],
  ])
  const sent = chance.weighted([
    [null, 10],
    ['', 5],
    ['call_same', 20],
    [`call_${chance.below(1_000_000)}`, 65],
  ])
  const input = inputText(chance, name)
  const cut = Math.floor(input.length / 2)
  const pieces = [input.slice(0, cut), input.slice(cut)]
  return { start: { type: 'tool-call', callId: callId(sent), name }, pieces, providerState: undefined }
}

function inputText(chance: Chance, name: string): string {
  if (chance.happens(0.04)) return chance.pick(['{"path":"/wo', '', '[]', '{"path":7}', '"text"', '{"a":1}'])
  if (name === SUB_AGENT_TOOL) return JSON.stringify({ title: chance.pick(WORDS), task: chance.pick(COMMANDS) })
  if (name === 'run_command') return JSON.stringify({ command: chance.pick(COMMANDS) })
  return JSON.stringify({ path: chance.pick(PATHS), ...(chance.happens(0.3) ? { note: chance.pick(WORDS) } : {}) })
}

function pieceList(chance: Chance): string[] {
  return Array.from({ length: 1 + chance.below(6) }, () => chance.pick(WORDS))
}

function blockActs(
  chance: Chance,
  { block, index, ends }: { readonly block: Block; readonly index: number; readonly ends: boolean },
): ScriptedAct[] {
  const { start, pieces, providerState } = block
  const state = providerState === undefined ? {} : { providerState }
  const parts: ModelPart[] = [
    { type: 'block-started', block: index, start },
    ...pieces.map((text): ModelPart => ({ type: 'block-delta', block: index, text })),
    ...(ends ? [{ type: 'block-ended' as const, block: index, ...state }] : []),
  ]
  return parts.map((part) => ({ type: 'part', part, delayMs: chance.happens(0.15) ? chance.below(400) : 0 }))
}

function usageAct(chance: Chance, when: 'early' | 'late'): ScriptedAct[] {
  if (chance.happens(when === 'early' ? 0.4 : 0.15)) return []
  const usage: RequestUsage = {
    inputTokens: 10 + chance.below(100),
    cacheReadTokens: chance.below(50),
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    outputTokens: when === 'early' ? 1 : 1 + chance.below(80),
    thinkingTokens: 0,
  }
  return [{ type: 'part', part: { type: 'usage', usage }, delayMs: 0 }]
}
