/**
 * The strict provider in a process of its own, so that what it costs and when it looks depend on nobody else. Tells its
 * parent its address, and of every request when its response is over.
 *
 * Arguments: the script, `moments` or `deltas`, and a seed.
 */
import { createStrictProvider, createSystemClock, type RequestRecord } from '@holdfast/conformance'
import { requestProblems } from '../../tests/states/log-problems.ts'
import { deltaReply } from './delta-script.ts'
import { epochMs } from './epoch-clock.ts'
import { askedBy, createMomentScript } from './moment-script.ts'
import type { ProviderMessage } from './provider-messages.ts'

const [script = '', seed = '1'] = process.argv.slice(2)

function tell(message: ProviderMessage): void {
  process.send?.(message)
}

function tellOf(record: RequestRecord): void {
  const { ending, clientClosedMs, operation } = record
  tell({
    type: 'request-over',
    asked: askedBy(JSON.stringify(record.body)),
    ending: ending ?? null,
    clientClosedMs: clientClosedMs ?? null,
    operation: operation ?? null,
    problems: requestProblems([record]),
  })
}

const provider = await createStrictProvider({
  clock: { ...createSystemClock(), monotonic: epochMs },
  ...(script === 'moments' ? { onDone: tellOf } : {}),
})
provider.otherwise(script === 'moments' ? createMomentScript(Number(seed)) : deltaReply)
process.on('disconnect', () => process.exit())
tell({ type: 'ready', url: provider.urls.anthropic })
