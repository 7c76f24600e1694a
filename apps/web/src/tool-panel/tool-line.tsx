import type { ToolRow } from '@holdfast/protocol'
import { durationText, exactTime, listTime, shortCount } from '../format.ts'
import { type PlainKey, say } from '../language/say.ts'

interface ToolLineProps {
  readonly tool: ToolRow
  /** Null where tools are not chosen one by one. */
  readonly onSwitch: ((included: boolean) => void) | null
  readonly now: number
}

const EFFECTS: Readonly<Record<ToolRow['permission']['effect'], PlainKey>> = {
  allow: 'tool-panel.allow',
  ask: 'tool-panel.ask',
  deny: 'tool-panel.deny',
}

/** One tool: whether it is shown, who decides about its calls, and what it did here. [TOOL8] */
export function ToolLine({ tool, onSwitch, now }: ToolLineProps) {
  const { name, source, description, category, included, schemaTokens, permission, metrics } = tool
  const shortName = source === undefined ? name : name.replace(/^.*?__/, '')
  return (
    <tr data-testid="tool-line" data-state={included ? 'included' : 'left-out'}>
      <th scope="row" title={`${name}\n${description}`}>
        {onSwitch ? (
          <label className="check">
            <input type="checkbox" checked={included} onChange={({ target }) => onSwitch(target.checked)} />
            <code>{shortName}</code>
          </label>
        ) : (
          <code>{shortName}</code>
        )}
      </th>
      <td className="word">{category ?? say('tool-panel.other')}</td>
      <td className="word" title={`${permission.source}: ${permission.reason}`}>
        {say(EFFECTS[permission.effect])}
      </td>
      <td title={say('tool-panel.tokens-of-its-definition')}>{shortCount(schemaTokens)}</td>
      <td>{metrics?.callCount ?? 0}</td>
      <td
        className={metrics && metrics.errorCount > 0 ? 'problem' : undefined}
        title={metrics?.lastError ? say('tool-panel.last-error', { time: exactTime(metrics.lastError.at) }) : undefined}
      >
        {metrics?.errorCount ?? 0}
      </td>
      <td
        title={
          metrics?.p95DurationMs ? say('tool-panel.within', { time: durationText(metrics.p95DurationMs) }) : undefined
        }
      >
        {metrics?.avgDurationMs ? durationText(metrics.avgDurationMs) : '–'}
      </td>
      <td>{metrics?.lastCalledAt ? listTime(metrics.lastCalledAt, now) : say('tool-panel.never')}</td>
    </tr>
  )
}
