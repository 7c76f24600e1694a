import type { ToolContext } from '@holdfast/tool'
import type { FaultCase } from './fault-case.ts'
import { ownToolCase, thenable } from './own-tool.ts'

const LIMIT_MS = 60
const limited = { definition: { timeoutMs: LIMIT_MS } } as const
const silent = { definition: { silenceMs: LIMIT_MS } } as const
const timedOut = { outcome: 'timed-out', ...limited } as const
const stopped = { outcome: 'aborted', stopped: true } as const

const never = () => new Promise<never>(() => {})

function heard({ signal }: ToolContext): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

async function fail(words: string): Promise<never> {
  throw new Error(words)
}

/** What never ends, ends too late, or says too much while it runs. [TOOL3, TOOL4, STOP5] */
export const LASTING_FAULTS: readonly FaultCase[] = [
  ownToolCase('never ends', never, { ...timedOut, says: /timed out after 60 ms\. It did not end/ }),
  ownToolCase('returns when it is told to end', (_, context) => heard(context).then(() => 'half of it'), {
    ...timedOut,
    says: /timed out after 60 ms\. What it had done[\s\S]*half of it/,
  }),
  ownToolCase('throws when it is told to end', (_, context) => heard(context).then(() => fail('cut')), {
    ...timedOut,
    says: /timed out after 60 ms/,
  }),
  ownToolCase('returns 100 MB when it is told to end', (_, context) => heard(context).then(() => 'x'.repeat(1e8)), {
    ...timedOut,
    says: /characters are left out/,
  }),
  ownToolCase('returns after the end', (_, __, { afterTheEnd }) => afterTheEnd.then(() => 'too late'), {
    ...timedOut,
    says: /It did not end/,
    lateCount: 1,
  }),
  ownToolCase('throws after the end', (_, __, { afterTheEnd }) => afterTheEnd.then(() => fail('too late')), {
    ...timedOut,
    says: /It did not end/,
    lateCount: 1,
  }),
  ownToolCase('says nothing for too long', never, { outcome: 'timed-out', ...silent, says: /said nothing for 60 ms/ }),
  ownToolCase('waits for a promise that never says a word', () => thenable(() => {}), {
    ...timedOut,
    says: /timed out/,
  }),
  ownToolCase(
    'reports progress 100,000 times',
    (_, { progress }) => {
      for (let step = 0; step < 100_000; step++) progress(`step ${step}`)
      return 'all said'
    },
    { outcome: 'ok', says: /^all said$/ },
  ),
  ownToolCase(
    'reports progress of 10 MB',
    (_, { progress }) => {
      progress('p'.repeat(10_000_000))
      return 'said'
    },
    { outcome: 'ok', says: /^said$/ },
  ),
  ownToolCase(
    'reports progress after its end',
    (_, { progress }, { afterTheEnd }) => {
      void afterTheEnd.then(() => progress('still here'))
      return 'ended'
    },
    { outcome: 'ok', says: /^ended$/ },
  ),
  ownToolCase(
    'suspends twice and resumes three times',
    async (_, { suspend }) => {
      const releases = [suspend(), suspend()]
      for (const release of [...releases, ...releases.slice(1)]) release()
      return never()
    },
    { ...timedOut, says: /timed out/ },
  ),
  ownToolCase('never ends, and is stopped', never, { ...stopped, says: /was stopped while it ran\. It did not end/ }),
  ownToolCase(
    'suspends for ever, and is stopped',
    (_, { suspend }) => {
      suspend()
      return never()
    },
    { ...stopped, ...limited, says: /was stopped while it ran/ },
  ),
  ownToolCase('returns at a stop', (_, context) => heard(context).then(() => 'so far'), {
    ...stopped,
    says: /was stopped while it ran[\s\S]*so far/,
  }),
  ownToolCase('throws at a stop', (_, context) => heard(context).then(() => fail('cut')), {
    ...stopped,
    says: /was stopped while it ran/,
  }),
  ownToolCase('returns after a stop', (_, __, { afterTheEnd }) => afterTheEnd.then(() => 'too late'), {
    ...stopped,
    says: /It did not end/,
    lateCount: 1,
  }),
  ownToolCase('throws after a stop', (_, __, { afterTheEnd }) => afterTheEnd.then(() => fail('too late')), {
    ...stopped,
    says: /It did not end/,
    lateCount: 1,
  }),
]
