import type { Clock } from '@holdfast/conversation'
import type { AgentConnection } from './connection.ts'
import type { LiveAgent } from './live-agent.ts'
import { AGENT_LIMITS } from './parts/limits.ts'
import type { Prompt } from './prompt.ts'

/** What became of a prompt that was stopped. */
export type Drained =
  /** Its session can be used further. */
  | { readonly type: 'ended' }
  /** Its program has to be replaced. */
  | { readonly type: 'lost'; readonly reason: string; readonly isSilent: boolean }

/** Asks for the end of a prompt and waits for it as long as a stop may take. [AGENT1, AGENT7] */
export async function drainPrompt(clock: Clock, prompt: Prompt, live: LiveAgent | null): Promise<Drained> {
  const wasHeard = prompt.wasHeard()
  const wasInCall = prompt.hasOpenCall()
  const until = clock.monotonicMs() + AGENT_LIMITS.drainMs
  prompt.cancelQuestions()
  if (live !== null && prompt.ended() === null) await live.connection.cancel(live.session.sessionId)
  const never = new AbortController().signal
  while (prompt.ended() === null && clock.monotonicMs() < until)
    await prompt.changes.next({ limitMs: until - clock.monotonicMs(), signal: never })
  const end = prompt.ended()
  prompt.close()
  if (end === null) return { type: 'lost', reason: 'It did not stop', isSilent: true }
  if (live === null || end.type === 'failed') return lost('It failed when it was stopped')
  // An answer that had not begun may still begin, whatever the stop was answered with: nothing would tell it from the next one. [AGENT7]
  if (!wasHeard) return lost('It was stopped before it began')
  if (wasInCall && live.losesStoppedCalls) return lost('It loses a call that was stopped')
  return (await passesFence(clock, live.connection)) ? { type: 'ended' } : lost('It answered nothing after the stop')
}

function lost(reason: string): Drained {
  return { type: 'lost', reason, isSilent: false }
}

/** What the agent had sent by then is read before it answers. [AGENT2] */
async function passesFence(clock: Clock, connection: AgentConnection): Promise<boolean> {
  const limit = Promise.withResolvers<false>()
  const cancel = clock.after(AGENT_LIMITS.graceMs, () => limit.resolve(false))
  const passed = connection.fence().then(
    () => true,
    () => false,
  )
  const answer = await Promise.race([passed, limit.promise])
  cancel()
  return answer
}
