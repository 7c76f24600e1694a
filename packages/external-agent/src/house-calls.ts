import { isDeepStrictEqual } from 'node:util'
import type { Clock, Json } from '@holdfast/conversation'

/** What a call of a house tool came to, as the agent is told it. */
export interface HouseAnswer {
  readonly text: string
  readonly isError: boolean
}

/** A call of a house tool that an agent waits for. [AGENT42] */
export interface HouseCall {
  readonly name: string
  readonly input: Json
  /** The call of the log that it is; null while it is none. */
  openCallId: string | null
  /** Whether the agent waits for it no more, or not much longer. */
  isGivenUp: boolean
  /** Takes back what a person is asked about it; null while nobody is. */
  withdraw: (() => void) | null
}

/** What an agent tells of a call of its own, as far as it says whose tool that is. */
export interface ToldCall {
  readonly toolCallId: string
  readonly title: string
  readonly kind: string
  readonly rawInput: Json
}

/** The house tool that an agent says it calls. */
export interface HouseMark {
  readonly name: string
  readonly input: Json
  /** Whether nothing that a model writes can look like it: a question about it needs no person. */
  readonly isSure: boolean
}

/** Finds the house tool in what an agent tells of a call; null for a tool of its own. */
export type FindHouse = (call: ToldCall) => HouseMark | null

/** What is known of how an agent calls house tools. */
export interface HouseHabits {
  readonly find: FindHouse
  /** After so long it gives a call up, whatever it is told meanwhile; null for never. In milliseconds. */
  readonly limitMs: number | null
}

/** Calls of house tools in one prompt. */
export interface HouseCalls {
  /** Calls that are in no step yet, taken from here. */
  takeWaiting(): readonly HouseCall[]
  hasWaiting(): boolean
  /** Resolves with what the call came to. What is given up before it is in a step is forgotten. */
  call(made: { readonly name: string; readonly input: Json; readonly signal: AbortSignal }): Promise<HouseAnswer>
  answer(callId: string, answer: HouseAnswer): void
  /** The agent waits for none any more, and may not have said so: what a person is asked about them is taken back. */
  giveUp(): void
  /** Answers all that is open with an error. */
  end(text: string): void
  /** Whether a call was made that what an agent tells of stands for; each stands for one. */
  takeTold(name: string, input: Json): boolean
}

interface OpenCall extends HouseCall {
  settle(answer: HouseAnswer): void
  giveUp(): void
}

/** Makes those of a prompt that has called nothing yet. */
export function createHouseCalls({
  clock,
  limitMs,
  changed,
}: Pick<HouseHabits, 'limitMs'> & {
  readonly clock: Pick<Clock, 'after'>
  readonly changed: () => void
}): HouseCalls {
  const open = new Set<OpenCall>()
  const untold: HouseCall[] = []
  let waiting: HouseCall[] = []
  let ended: string | null = null

  return {
    hasWaiting: () => waiting.length > 0,
    takeWaiting() {
      const taken = waiting
      waiting = []
      return taken
    },
    async call({ name, input, signal }) {
      if (ended !== null) return { text: ended, isError: true }
      const settled = Promise.withResolvers<HouseAnswer>()
      const made = { name, input, openCallId: null, isGivenUp: false, withdraw: null }
      /** What a person is asked about settles by that, and the agent is told so while it still waits. */
      const withdraw = (): void => {
        call.isGivenUp = true
        waiting = waiting.filter((one) => one !== call)
        call.withdraw?.()
        if (call.openCallId === null) settled.resolve({ text: LATE, isError: true })
      }
      const giveUp = (): void => {
        withdraw()
        settled.resolve({ text: LATE, isError: true })
      }
      const call: OpenCall = { ...made, settle: settled.resolve, giveUp }
      const cancelLimit = limitMs === null ? null : clock.after(limitMs, withdraw)
      signal.addEventListener('abort', giveUp, { once: true })
      if (signal.aborted) giveUp()
      else {
        open.add(call)
        untold.push(call)
        waiting.push(call)
        changed()
      }
      try {
        return await settled.promise
      } finally {
        cancelLimit?.()
        open.delete(call)
        signal.removeEventListener('abort', giveUp)
      }
    },
    answer(callId, answer) {
      for (const call of open) if (call.openCallId === callId) call.settle(answer)
    },
    giveUp() {
      for (const call of open) call.giveUp()
    },
    end(text) {
      ended ??= text
      waiting = []
      for (const call of open) call.settle({ text, isError: true })
    },
    takeTold(name, input) {
      const isEmpty = typeof input !== 'object' || input === null || Object.keys(input).length === 0
      const at = untold.findIndex((call) => call.name === name && (isEmpty || isDeepStrictEqual(call.input, input)))
      if (at < 0) return false
      untold.splice(at, 1)
      return true
    },
  }
}

const LATE = 'Nobody answered in time: this call did not run.'
