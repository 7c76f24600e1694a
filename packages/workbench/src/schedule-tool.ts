import type { AnswerContent, QuestionField } from '@holdfast/conversation'
import type { ToolsQuery } from '@holdfast/engine'
import { defineTool, type Tool, type ToolReturn } from '@holdfast/tool'
import * as z from 'zod'

/** What schedules are to the tools of agents: a person has confirmed what is made. [SCHED17] */
export interface AgentsSchedules {
  /** When a proposal would run, in words; or why it cannot be kept. */
  next(proposal: ScheduleProposal): Told
  /** Makes a schedule for a person. */
  make(ownerId: string, proposal: ScheduleProposal): Promise<Told>
  /** The schedules of a person that concern a conversation, from memory: it is asked before each request. [SCHED52] */
  about(query: {
    readonly ownerId: string
    readonly conversationId: string
    /** The schedule whose run began the conversation; null for none. */
    readonly scheduleId: string | null
  }): { readonly shown: readonly KnownSchedule[]; readonly restCount: number }
}

/** A schedule as the agent of a conversation knows it. */
export interface KnownSchedule {
  readonly name: string
  /** What it asks. */
  readonly text: string
  /** When it runs, or what sets it off, in words. */
  readonly when: string
  readonly timeZone: string
  /** Milliseconds since the Unix epoch; null where it is not on, or waits for no time. */
  readonly nextAt: number | null
  readonly standing: 'on' | 'paused' | 'paused-itself' | 'over'
  /** What it has to do with the conversation. */
  readonly ties: readonly ('answers' | 'began' | 'waits')[]
}

/** A schedule as it is proposed: `when` is a line of cron, an RRULE, or a time. */
export interface ScheduleProposal {
  readonly name: string
  readonly text: string
  readonly when: string
  readonly timeZone: string
}

/** Words for whoever asked. */
export interface Told {
  readonly isRefused: boolean
  readonly words: string
}

/** The tool whose question is a proposal: the page knows it by this name. */
export const SCHEDULE_TOOL = 'schedule_propose'

/** A person who changes the proposal into what cannot be kept is told why, so often. */
const MOST_TRIES = 5
/** The limits rest while the person is asked. */
const TIMEOUT_MS = 30_000

const text = (most: number) => z.string().trim().min(1).max(most)

const Proposal = z.object({
  name: text(80).describe('A short name'),
  ask: text(4_000).describe('What is asked each time, as a message that stands by itself'),
  when: text(500).describe(
    'Five fields of cron such as "30 2 * * MON-FRI", an RRULE such as "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9", or once: a local time such as 2026-03-29T02:30',
  ),
  time_zone: text(80).optional().describe('IANA name; absent: that of the server'),
})

/** Proposes a schedule to the person, who confirms, changes or declines it: without them nothing is made. [SCHED17] */
export function createScheduleTool(
  schedules: () => AgentsSchedules,
  { ownerId, timeZone }: Pick<ToolsQuery, 'ownerId'> & { readonly timeZone: string },
): Tool {
  return defineTool({
    name: SCHEDULE_TOOL,
    description:
      'Proposes to do something at set times while the person is away. They see it with its next runs, and confirm, change or decline it; nothing is scheduled before that. Use it when they ask for something later or again and again.',
    input: Proposal,
    category: 'other',
    annotations: { readOnly: false, destructive: false, idempotent: false },
    argumentRoles: { name: 'plain', ask: 'plain', when: 'plain', time_zone: 'plain' },
    timeoutMs: TIMEOUT_MS,
    async run({ name, ask, when, time_zone: zone }, { signal, person }) {
      let proposal: ScheduleProposal = { name, text: ask, when, timeZone: zone ?? timeZone }
      let known = schedules().next(proposal)
      if (known.isRefused) return told(known.words, true)
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const question = {
          source: 'Holdfast',
          message: known.words,
          wish: { type: 'form' as const, fields: fieldsOf(proposal) },
        }
        const answer = await person?.ask(question, { signal })
        if (answer === undefined) return told('Nobody is there to confirm it: nothing is scheduled.', true)
        if (answer.type === 'declined') return told('The person declined it: nothing is scheduled.', false)
        if (answer.type === 'cancelled') return told(`${answer.reason}: nothing is scheduled.`, true)
        proposal = answeredBy(answer.content, proposal)
        const made = await schedules().make(ownerId, proposal)
        if (!made.isRefused) return told(`The person confirmed it. ${made.words}`, false)
        known = made
      }
      return told(`${known.words} Nothing is scheduled.`, true)
    },
  })
}

function fieldsOf({ name, text: asked, when, timeZone }: ScheduleProposal): QuestionField[] {
  const field = (id: string, title: string, value: string): QuestionField => ({
    type: 'text',
    name: id,
    title,
    required: true,
    default: value,
  })
  return [
    field('name', 'Name', name),
    field('ask', 'What is asked', asked),
    field('when', 'When', when),
    field('time_zone', 'Time zone', timeZone),
  ]
}

function answeredBy(content: AnswerContent, before: ScheduleProposal): ScheduleProposal {
  const said = (id: string, usual: string): string => {
    const value = Object.hasOwn(content, id) ? content[id] : undefined
    return typeof value === 'string' ? value : usual
  }
  return {
    name: said('name', before.name),
    text: said('ask', before.text),
    when: said('when', before.when),
    timeZone: said('time_zone', before.timeZone),
  }
}

function told(words: string, isError: boolean): ToolReturn {
  return { type: 'tool-return', text: words, isError, images: [] }
}
