import type { Actor, Entry } from '@holdfast/conversation'
import * as z from 'zod'
import type { CommandBase, Engine } from '../../../src/api/engine.ts'
import { isExpected, OWNER } from '../parts/replica.ts'
import type { ConversationWatch } from '../rules/conversation-watch.ts'
import { sorted } from '../rules/run-rules.ts'
import { hasEffect, type World } from '../world.ts'
import { asideAct } from './aside-people.ts'
import { personWish } from './canvas-people.ts'
import { callsAtClient, clientAnswer } from './client-people.ts'
import { pathAct } from './path-people.ts'

/** A command that somebody sent, and sends again when no answer comes. */
export interface SentCommand {
  readonly commandId: string
  readonly conversationId: string
  readonly label: string
  readonly send: (engine: Engine) => Promise<unknown>
  /** The entry that must be there once it was carried out; null where it may leave none. */
  readonly leaves: Entry['type'] | null
  /** What an answer to a request for permission is; null for all else. */
  readonly decision: 'allowed' | 'denied' | null
  /** Its first answer, as text; null before one. */
  answer: string | null
}

const person: Actor = { type: 'person', userId: OWNER }
const stranger: Actor = { type: 'person', userId: 'user_2' }

/** Makes up what somebody does next in one conversation; null when there is nothing that fits. */
export function nextCommand(world: World, watch: ConversationWatch): SentCommand | null {
  const { chance } = world
  const { conversationId } = watch
  const commandId = `command_${world.number()}`
  const base = { commandId, actor: person, conversationId }
  const make = (
    label: string,
    leaves: SentCommand['leaves'],
    send: (engine: Engine, base: CommandBase & { readonly conversationId: string }) => Promise<unknown>,
  ): SentCommand => ({
    commandId,
    conversationId,
    label,
    leaves,
    send: (engine) => send(engine, base),
    answer: null,
    decision: null,
  })

  const waiting = watch.queue.waiting()
  const asked = watch.permissions.waiting()
  const answered = watch.permissions.settled()
  const run = watch.state().runState.exclusive
  const inputId = waiting.length > 0 ? chance.pick(waiting) : null
  const quiet = watch.entries.length > MOST_ENTRIES || waiting.length > MOST_WAITING
  const lane = chance.pick(['turn', 'steer'] as const)
  const send = (lane: 'turn' | 'steer' | 'interrupt') => () =>
    make(`sends (${lane})`, 'input-admitted', (engine, to) =>
      engine.sendMessage({ ...to, lane, content: [{ type: 'text', text: `Message ${commandId}` }] }),
    )
  const ofInput =
    (
      label: string,
      leaves: SentCommand['leaves'],
      act: (engine: Engine, to: typeof base & { readonly inputId: string }) => Promise<unknown>,
    ) =>
    () =>
      inputId === null ? null : make(label, leaves, (engine, to) => act(engine, { ...base, ...to, inputId }))
  const settings =
    (
      changes: () => Readonly<
        Record<string, string | number | null | readonly string[] | Readonly<Record<string, number>>>
      >,
    ) =>
    () => {
      const made = changes()
      return make(`sets ${JSON.stringify(made)}`, 'settings-changed', (engine, to) =>
        engine.changeSettings({ ...to, changes: JSON.parse(JSON.stringify(made)) }),
      )
    }
  const answer = (decision: 'allow' | 'deny') => () => {
    const requestId = chance.pick(asked).requestId
    const scope = chance.weighted([
      ['call' as const, 35],
      ['conversation' as const, 8],
      ['pattern' as const, 45],
      ['category' as const, 8],
      ['always' as const, 6],
    ])
    const made = make(`answers ${decision} (${scope})`, null, (engine, to) =>
      engine.answerPermission({ ...to, requestId, decision, scope }),
    )
    return { ...made, decision: decision === 'allow' ? ('allowed' as const) : ('denied' as const) }
  }

  const choices: readonly (readonly [() => SentCommand | null, number])[] = [
    [send('turn'), quiet ? 0 : 30],
    [send('steer'), quiet ? 0 : 10],
    [send('interrupt'), quiet ? 0 : 5],
    [() => make('stops', null, (engine, to) => engine.stopRun({ ...to, runId: null, force: false })), 7],
    [
      () => make('stops by force', null, (engine, to) => engine.stopRun({ ...to, runId: null, force: true })),
      run?.stopRequestedAt == null ? 1 : 8,
    ],
    [
      () =>
        make('stops a run by name', null, (engine, to) =>
          engine.stopRun({ ...to, runId: run?.runId ?? 'run_gone', force: false }),
        ),
      2,
    ],
    [
      () => {
        const ended = watch.entries.flatMap((entry) => (entry.type === 'run-finished' ? [entry.runId] : []))
        const runId = chance.pick(ended.slice(-3))
        return make('stops a run that has ended', null, async (engine, to) => {
          const given = await engine.stopRun({ ...to, runId, force: false })
          world.look()
          if (!given.accepted)
            for (const wrong of watch.queue.goesOnAfter(runId)) world.violate('STOP13', `${commandId}: ${wrong}`)
          return given
        })
      },
      watch.entries.some(({ type }) => type === 'run-finished') ? 4 : 0,
    ],
    [
      ofInput('rewrites an input', 'input-changed', (engine, to) =>
        engine.changeInput({ ...to, content: [{ type: 'text', text: `Rewritten ${commandId}` }] }),
      ),
      4,
    ],
    [ofInput('moves an input', 'input-changed', (engine, to) => engine.changeInput({ ...to, position: 0, lane })), 2],
    [ofInput('locks an input', 'input-changed', (engine, to) => engine.changeInput({ ...to, lockedBy: 'tab_1' })), 3],
    [ofInput('unlocks an input', 'input-changed', (engine, to) => engine.changeInput({ ...to, lockedBy: null })), 3],
    [ofInput('removes an input', 'input-removed', (engine, to) => engine.removeInput(to)), 3],
    [ofInput('sends an input now', 'input-changed', (engine, to) => engine.sendInputNow(to)), 3],
    [() => make('holds the queue', null, (engine, to) => engine.holdQueue(to)), 3],
    [() => make('releases the queue', null, (engine, to) => engine.releaseQueue(to)), watch.queue.isHeld() ? 12 : 1],
    [answer('allow'), asked.length > 0 ? 60 : 0],
    [answer('deny'), asked.length > 0 ? 15 : 0],
    [
      () => {
        world.count('wrong-answer')
        const isStranger = asked.length > 0 && chance.happens(0.6)
        const { requestId } = chance.pick(isStranger ? asked : [...asked, ...answered])
        return make(isStranger ? 'answers for another' : 'answers again', null, async (engine, to) => {
          const actor = isStranger ? stranger : person
          const given = await engine.answerPermission({ ...to, actor, requestId, decision: 'allow', scope: 'call' })
          if (isStranger && given.accepted) world.violate('PERM3', `A stranger answered ${requestId}`)
          return given
        })
      },
      asked.length > 0 ? 30 : answered.length > 0 ? 4 : 0,
    ],
    [
      () => {
        const { label, leaves, send } = pathAct(chance, watch, commandId)
        return make(label, leaves, send)
      },
      quiet ? 0 : run === null ? 18 : 2,
    ],
    [
      () => {
        const wish = personWish(chance, watch.canvas)
        return make(`does ${wish.type} on the canvas`, 'canvas-changed', (engine, to) =>
          engine.changeCanvas({ ...to, wish }),
        )
      },
      quiet ? 0 : 10,
    ],
    [
      () => {
        const { label, leaves, send } = asideAct(chance, watch, commandId)
        return make(label, leaves, send)
      },
      quiet ? 0 : run === null ? 8 : 3,
    ],
    [
      () => {
        const said = clientAnswer(chance, watch, commandId)
        if (said === null) return null
        return make('answers as a client', null, async (engine, to) => {
          const given = await engine.answerCalls({ ...to, ...said })
          world.look()
          if (given.accepted !== hasEffect(watch, commandId, 'tool-call-settled'))
            world.violate(
              'TOOL18',
              `${commandId} was told ${given.accepted ? '' : 'not '}to count, and the log says otherwise`,
            )
          return given
        })
      },
      world.parts.clients ? (callsAtClient(watch).length > 0 ? 40 : 4) : 0,
    ],
    [settings(() => ({ permissionMode: chance.pick(['ask', 'ask', 'accept-edits', 'bypass', 'plan']) })), 5],
    [settings(() => ({ modelId: chance.pick(['signing', 'replaying', 'plain']) })), 3],
    [
      settings(() => ({
        toolMode: chance.pick(['cached', 'all-on', 'all-off', 'manual']),
        includedTools: ['read_file'],
      })),
      2,
    ],
    [settings(() => ({ instructions: `Be brief. ${chance.below(3)}` })), 2],
    [settings(() => ({ parameters: chance.happens(0.5) ? { thinkingBudgetTokens: 1_024 } : {} })), 3],
    [settings(() => ({ budgetUsd: chance.pick([null, null, 0.001, 0.01, 5]) })), 2],
    [
      () => {
        const rules = watch.state().permissionRules
        if (rules.length === 0) return null
        const { ruleId } = chance.pick(rules)
        return make('revokes a rule', null, (engine, to) => engine.revokeRule({ ...to, ruleId }))
      },
      4,
    ],
  ]
  return chance.weighted(choices)()
}

/** A log that is longer is no longer sent to, so that a step of the simulation stays short. */
const MOST_ENTRIES = 500
const MOST_WAITING = 4

const Stopped = z.object({ accepted: z.literal(true), runId: z.string() })

/** Where the log says something else than what a command was told. */
function contradictions(
  { entries }: ConversationWatch,
  { commandId, decision }: SentCommand,
  answer: string,
): string[] {
  const stopped = Stopped.safeParse(JSON.parse(answer)).data
  const ends = entries.some(
    (entry) => (entry.type === 'stop-requested' || entry.type === 'run-finished') && entry.runId === stopped?.runId,
  )
  const settled = entries.find((entry) => entry.type === 'permission-settled' && entry.commandId === commandId)
  const isOther = settled?.type === 'permission-settled' && decision !== null && settled.outcome !== decision
  return [
    ...(stopped && !ends ? [`was told that run ${stopped.runId} stops, and nothing says so`] : []),
    ...(isOther ? [`stands in the log as ${settled.outcome}`] : []),
  ]
}

/** Answers of these mean: what was asked does not fit any more. */
const REFUSALS: ReadonlySet<string> = new Set([
  ...['input-not-waiting', 'unknown-permission-request', 'scope-not-offered'],
  ...['run-active', 'path-refused'],
  ...['unknown-checkpoint'],
  ...['unknown-element', 'bad-element', 'already-answered', 'nothing-to-restore', 'canvas-full'],
])

/** Sends a command to an engine, and compares what comes of it with what is durable and with its first answer. */
export async function deliver(world: World, command: SentCommand, engine: Engine): Promise<void> {
  const { commandId, conversationId, label, leaves } = command
  // Of two that are under way together, one may be refused for what was so before the other was carried out.
  const wasCarriedOut = command.answer !== null || hasEffect(world.watchOf(conversationId), commandId, null)
  try {
    const answer = JSON.stringify(sorted(await command.send(engine)) ?? null)
    world.look()
    const watch = world.watchOf(conversationId)
    if (command.answer !== null && command.answer !== answer)
      world.violate('LOG4', `${commandId} (${label}) was answered ${command.answer}, and again ${answer}`)
    command.answer ??= answer
    for (const wrong of contradictions(watch, command, answer))
      world.violate('LOG8', `${commandId} (${label}) ${wrong}`)
    if (leaves !== null && !hasEffect(watch, commandId, leaves))
      world.violate('LOG8', `${commandId} (${label}) was acknowledged and left no ${leaves}`)
  } catch (error) {
    if (isExpected(error)) return
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!REFUSALS.has(code)) {
      world.violate('SEC5', `${commandId} (${label}) failed: ${error instanceof Error ? error.stack : String(error)}`)
      return
    }
    if (wasCarriedOut)
      world.violate('LOG4', `${commandId} (${label}) was carried out, and refused when it came again: ${code}`)
  }
}
