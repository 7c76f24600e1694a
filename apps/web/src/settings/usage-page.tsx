import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { UsageAnswer, UsageGroup } from '@holdfast/protocol'
import { useCallback, useState } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { costOfTotals, costText, costTitle } from '../shared/cost-words.ts'
import { shortCount } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { usageName } from './usage-name.ts'

const GROUPS = [
  { by: 'day', name: 'usage.by-day' },
  { by: 'model', name: 'usage.by-model' },
  { by: 'payer', name: 'usage.by-who-paid' },
  { by: 'agent', name: 'usage.by-agent' },
] as const satisfies readonly { readonly by: UsageGroup; readonly name: PlainKey }[]

/** What everything has cost, by day, model, who paid, or agent. [AGENT56] */
export function UsagePage({ client }: { readonly client: Client }) {
  const [by, setBy] = useState<(typeof GROUPS)[number]['by']>('day')
  const ask = useCallback(() => client.readUsage(by), [client, by])
  const [{ value, problem }] = useAsked(ask)
  return (
    <section aria-label={say('settings.usage')}>
      <fieldset className="mode-choice">
        <legend className="visually-hidden">{say('usage.summed-by')}</legend>
        {GROUPS.map((group) => (
          <label key={group.by}>
            <input type="radio" name="usage-by" checked={group.by === by} onChange={() => setBy(group.by)} />
            {say(group.name)}
          </label>
        ))}
      </fieldset>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {value &&
        (value.rows.length === 0 ? (
          <p className="meta">{say('usage.nothing-yet')}</p>
        ) : (
          <Rows client={client} usage={value} />
        ))}
    </section>
  )
}

function Rows({ client, usage }: { readonly client: Client; readonly usage: UsageAnswer }) {
  const providers = useObservable(client.models, ({ value }) => value?.providers) ?? []
  const agents = useObservable(client.agents, ({ value }) => value?.agents) ?? []

  const rows = usage.by === 'day' ? usage.rows.toReversed() : usage.rows
  return (
    <section className="table-scroller" aria-label={say('settings.usage')}>
      <table className="settings-table figures" data-testid="usage-table">
        <thead>
          <tr>
            <th scope="col">{say(GROUPS.find(({ by }) => by === usage.by)?.name ?? 'usage.by-day')}</th>
            <th scope="col">{say('usage.requests')}</th>
            <th scope="col">{say('settings.input')}</th>
            <th scope="col">{say('settings.output')}</th>
            <th scope="col">{say('usage.cost')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, totals }) => (
            <UsageRow key={key} name={usageName({ by: usage.by, key }, { providers, agents })} totals={totals} />
          ))}
        </tbody>
        <tfoot>
          <UsageRow name={say('usage.in-all')} totals={usage.total} />
        </tfoot>
      </table>
    </section>
  )
}

function UsageRow({ name, totals }: { readonly name: string; readonly totals: UsageAnswer['total'] }) {
  const read = totals.inputTokens + totals.cacheReadTokens + totals.cacheCreation5mTokens + totals.cacheCreation1hTokens
  const cost = costOfTotals(totals, null)
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td>{shortCount(totals.requestCount)}</td>
      <td>{shortCount(read)}</td>
      <td>{shortCount(totals.outputTokens)}</td>
      <td title={costTitle(cost)}>{costText(cost)}</td>
    </tr>
  )
}
