import type { McpServerRow, ToolRow } from '@holdfast/protocol'
import { useState } from 'react'
import { durationText, exactTime, listTime, shortCount } from '../shared/format.ts'
import { Glyph, type GlyphName } from '../shared/icons.tsx'
import { Said } from '../shared/language/said.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'
import { stateWords, type ToolGroup, tokensOf } from './tool-groups.ts'

/** What a person does about a source. */
export interface SourceActs {
  readonly restart: (server: string) => void
  readonly signIn: (server: string) => void
  readonly switchServer: (server: string, on: boolean) => void
  readonly accept: (group: ToolGroup) => void
  readonly exclude: (source: string, isOn: boolean) => void
  /** Null where tools are not chosen one by one. */
  readonly include: ((tool: ToolRow, included: boolean) => void) | null
}

const COLUMNS = [
  'tool-panel.tool',
  'tool-panel.kind',
  'tool-panel.permission',
  'tool-panel.tokens',
  'tool-panel.calls',
  'tool-panel.errors',
  'tool-panel.average',
  'tool-panel.last',
] as const

/** As many tools as are shown at first, and at most: a server may have thousands. */
const FEW = 8
const MOST = 300

/** One source with its state, what it costs, and its tools. */
export function SourcePart({
  group,
  acts,
  now,
}: {
  readonly group: ToolGroup
  readonly acts: SourceActs
  readonly now: number
}) {
  const [showsAll, showAll] = useState(false)
  const { source, server, tools, isOn, sentTokens } = group
  const shown = tools.slice(0, showsAll ? MOST : FEW)
  const refused = server?.refused ?? []
  return (
    <section
      className="inspector-part source-part"
      data-testid="tool-source"
      data-state={server?.state.type ?? 'built-in'}
    >
      <header>
        <h3>
          {server && <Glyph name={glyphOf(group)} lively={false} />}
          {source ?? say('tool-panel.built-in')}
        </h3>
        <span className="meta">{server ? stateWords(server, now) : ''}</span>
        <span className="meta">
          {say('tool-panel.tools-and-tokens', {
            count: tools.length,
            tokenCount: sentTokens,
            tokens: shortCount(sentTokens),
          })}
        </span>
      </header>
      <SourceButtons group={group} acts={acts} />
      {server?.signIn && <p className="meta">{signInWords(server.signIn)}</p>}
      {server && <ServerChanges server={server} onAccept={() => acts.accept(group)} />}
      {shown.length > 0 && (
        <section
          className="tool-table"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard
          tabIndex={0}
          aria-label={say('tool-panel.tools-of', { source: source ?? say('tool-panel.holdfast-itself') })}
        >
          <table className="figures">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <th key={column} scope="col">
                    {say(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((tool) => (
                <ToolLine
                  key={tool.name}
                  tool={tool}
                  now={now}
                  onSwitch={acts.include && ((included) => acts.include?.(tool, included))}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {tools.length > FEW && (
        <button type="button" className="button small" onClick={() => showAll(!showsAll)}>
          {showsAll ? say('tool-panel.show-fewer') : say('tool-panel.more', { count: tools.length - FEW })}
        </button>
      )}
      {showsAll && tools.length > MOST && <p className="meta">{say('tool-panel.first-shown', { count: MOST })}</p>}
      {!isOn && <p className="meta">{say('tool-panel.off-in-this-conversation')}</p>}
      {refused.map(({ name, reason }) => (
        <p key={name} className="problem">
          {say('tool-panel.not-offered', { name, reason })}
        </p>
      ))}
    </section>
  )
}

function SourceButtons({ group, acts }: { readonly group: ToolGroup; readonly acts: SourceActs }) {
  const { source, server, tools, isOn } = group
  if (source === null) return null
  const saved = tokensOf(tools)
  const wantsSignIn = server?.state.type === 'needs-sign-in' && server.state.url !== null
  return (
    <div className="source-acts">
      {wantsSignIn && (
        <button type="button" className="button small" onClick={() => acts.signIn(source)}>
          {say('tool-panel.sign-in')}
        </button>
      )}
      <button type="button" className="button small" onClick={() => acts.exclude(source, !isOn)}>
        {isOn
          ? [say('tool-panel.turn-off-here'), ...(saved > 0 ? [`−${shortCount(saved)}`] : [])].join(', ')
          : say('tool-panel.turn-on-here')}
      </button>
      {server && server.state.type !== 'off' && (
        <button type="button" className="button small" onClick={() => acts.restart(source)}>
          {say('tool-panel.restart')}
        </button>
      )}
      {server && (
        <button
          type="button"
          className="button small"
          onClick={() => acts.switchServer(source, server.state.type === 'off')}
        >
          {server.state.type === 'off' ? say('tool-panel.connect') : say('tool-panel.disconnect')}
        </button>
      )}
    </div>
  )
}

function signInWords({ by, isShared }: NonNullable<McpServerRow['signIn']>): string {
  if (by === null) return isShared ? say('tool-panel.signed-in-for-all') : say('tool-panel.signed-in-for-admins')
  return isShared ? say('tool-panel.signed-in-by-for-all', { name: by }) : say('tool-panel.signed-in-by', { name: by })
}

function glyphOf({ server }: ToolGroup): GlyphName {
  switch (server?.state.type) {
    case 'connected':
      return 'ok'
    case 'connecting':
      return 'running'
    case 'waiting':
      return 'failed'
    case 'needs-sign-in':
      return 'waiting'
    case 'off':
    case undefined:
      return 'not-started'
  }
}

const WORDS: Readonly<Record<McpServerRow['changes'][number]['type'], PlainKey>> = {
  'tool-added': 'tool-panel.new-tool',
  'tool-changed': 'tool-panel.changed',
  'tool-removed': 'tool-panel.gone',
  'instructions-changed': 'tool-panel.instructions',
}

/** In what a server is not what was accepted. Nothing of it counts until a person accepts it. [TOOL9] */
function ServerChanges({ server, onAccept }: { readonly server: McpServerRow; readonly onAccept: () => void }) {
  const { name, changes } = server
  if (changes.length === 0) return null
  return (
    <div className="server-changes" data-testid="server-changes">
      <p>
        <Said of="tool-panel.has-changed" values={{ name }} tags={{ strong: (inner) => <strong>{inner}</strong> }} />
      </p>
      {changes.slice(0, 50).map((change) => (
        <details key={`${change.type} ${change.name ?? ''}`}>
          <summary>{[say(WORDS[change.type]), change.name].filter((word) => word !== null).join(' ')}</summary>
          {change.before !== null && <pre className="before">{JSON.stringify(change.before, null, 2)}</pre>}
          {change.after !== null && <pre className="after">{JSON.stringify(change.after, null, 2)}</pre>}
        </details>
      ))}
      {changes.length > 50 && <p className="meta">{say('tool-panel.and-more', { count: changes.length - 50 })}</p>}
      <button type="button" className="button small" onClick={onAccept}>
        {say('tool-panel.accept-what-it-offers-now')}
      </button>
    </div>
  )
}

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
function ToolLine({ tool, onSwitch, now }: ToolLineProps) {
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
