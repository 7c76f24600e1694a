import { faultNamed, type Reply, type ReplyPart } from '@holdfast/conformance'
import type { Entry } from '@holdfast/conversation'
import {
  inAdmission,
  inBetween,
  inBlock,
  inConnecting,
  inPermission,
  inQueue,
  inRetryWait,
  inSubAgent,
  inTool,
  inToolInput,
  type Witness,
} from './evidence.ts'

/** How one knows that a turn is in a state. */
export type Reached =
  /** The log holds so many entries of a type: seen at the very moment at which they are published. */
  | { readonly type: 'entries'; readonly of: Entry['type']; readonly count: number }
  /** Some deltas of a kind of block have come, after the first two tools have run. */
  | { readonly type: 'deltas'; readonly of: 'thinking' | 'text' | 'tool-call' }
  /** Text has come in the conversation of the sub-agent. */
  | { readonly type: 'sub-agent-text' }
  /** The command says that it runs. */
  | { readonly type: 'progress' }
  /** The provider has received so many requests. */
  | { readonly type: 'requests'; readonly count: number }

/** A state in which a turn is stopped or killed. */
export interface State {
  readonly name: string
  /** What the provider answers until then, in order; after these it says that all is done. */
  readonly replies: readonly Reply[]
  readonly reached: Reached
  /** A second input waits in the queue when it is reached. */
  readonly queuesAnother: boolean
  /** The turn passes it and does not stay: what is done there is done at that very moment. */
  readonly passing: boolean
  /** What shows afterwards that it was this one. */
  readonly witness: Witness
}

/** What the provider says where nothing else is scripted. */
export const ALL_DONE = 'All is in order now.'

/** Characters enough for some seconds at the rate below. */
const LONG = 'The shelf by the window holds the small planes and a box of screws. '.repeat(20)
/** Deltas per second: slow enough that a state lasts, fast enough that it comes soon. */
const RATE = 200

const THINKING: ReplyPart = { type: 'thinking', text: 'First I look at the note, then I run the command.' }
const READ: ReplyPart = { type: 'tool-call', name: 'read_note', input: { name: 'plan' } }

function command(kind: 'quick' | 'stubborn'): ReplyPart {
  return { type: 'tool-call', name: 'run_command', input: { kind } }
}

/** A step with both tools, the one that reads and the one with effects. */
const BOTH_TOOLS: Reply = {
  parts: [THINKING, { type: 'text', text: 'I start with the note.' }, READ, command('quick')],
}

function slowly(...parts: readonly ReplyPart[]): Reply {
  return { parts, deltasPerSecond: RATE }
}

const SLOW_TEXT = slowly(THINKING, { type: 'text', text: LONG })

function state(given: Partial<State> & Pick<State, 'name' | 'replies' | 'reached' | 'witness'>): State {
  return { queuesAnother: false, passing: false, ...given }
}

/** Every state of a turn. */
export const STATES: readonly State[] = [
  state({
    name: 'admitted',
    witness: inAdmission,
    replies: [BOTH_TOOLS],
    reached: { type: 'entries', of: 'input-admitted', count: 1 },
    passing: true,
  }),
  state({
    name: 'queued',
    witness: inQueue,
    replies: [BOTH_TOOLS, SLOW_TEXT],
    reached: { type: 'deltas', of: 'text' },
    queuesAnother: true,
  }),
  state({
    name: 'connecting',
    witness: inConnecting,
    replies: [BOTH_TOOLS, { ...SLOW_TEXT, firstByteAfterMs: 120_000 }],
    reached: { type: 'requests', count: 2 },
  }),
  state({
    name: 'thinking',
    witness: inBlock('thinking'),
    replies: [BOTH_TOOLS, slowly({ type: 'thinking', text: LONG }, { type: 'text', text: LONG })],
    reached: { type: 'deltas', of: 'thinking' },
  }),
  state({
    name: 'text',
    witness: inBlock('text'),
    replies: [BOTH_TOOLS, SLOW_TEXT],
    reached: { type: 'deltas', of: 'text' },
  }),
  state({
    name: 'tool input',
    witness: inToolInput,
    replies: [
      BOTH_TOOLS,
      // A format that sends calls whole is in this state while what follows the call is still to come.
      slowly(
        ...[THINKING, { type: 'text' as const, text: 'Now the long note.' }, READ],
        { type: 'tool-call', name: 'read_note', input: { name: LONG } },
        { type: 'text', text: LONG },
      ),
    ],
    reached: { type: 'deltas', of: 'tool-call' },
  }),
  state({
    name: 'tool running',
    witness: inTool,
    replies: [{ parts: [THINKING, { type: 'text', text: 'I run it.' }, READ, command('stubborn')] }],
    reached: { type: 'progress' },
  }),
  state({
    name: 'permission pending',
    witness: inPermission,
    replies: [{ parts: [THINKING, READ, { type: 'tool-call', name: 'publish', input: { text: 'The plan' } }] }],
    reached: { type: 'entries', of: 'permission-requested', count: 1 },
  }),
  state({
    name: 'retry wait',
    witness: inRetryWait,
    replies: [
      BOTH_TOOLS,
      { ...SLOW_TEXT, fault: { fault: faultNamed('status-529-overloaded'), place: 'before-first-event' } },
    ],
    reached: { type: 'entries', of: 'step-failed', count: 1 },
  }),
  state({
    name: 'between steps',
    witness: inBetween,
    replies: [BOTH_TOOLS],
    reached: { type: 'entries', of: 'tool-call-settled', count: 2 },
    passing: true,
  }),
  state({
    name: 'sub-agent',
    witness: inSubAgent,
    replies: [
      BOTH_TOOLS,
      {
        parts: [
          THINKING,
          { type: 'tool-call', name: 'run_agent', input: { title: 'Look', task: 'Count the screws.' } },
        ],
      },
      SLOW_TEXT,
    ],
    reached: { type: 'sub-agent-text' },
  }),
]

/** The state of that name. @throws where there is none. */
export function stateNamed(name: string): State {
  const found = STATES.find((one) => one.name === name)
  if (!found) throw new RangeError(`There is no state ${name}: ${STATES.map((one) => one.name).join(', ')}`)
  return found
}
