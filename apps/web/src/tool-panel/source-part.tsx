import type { ToolRow } from '@holdfast/protocol'
import { useState } from 'react'
import { shortCount } from '../format.ts'
import { Glyph, type GlyphName } from '../icons.tsx'
import { say } from '../language/say.ts'
import { ServerChanges } from './server-changes.tsx'
import { stateWords, type ToolGroup, tokensOf } from './tool-groups.ts'
import { ToolLine } from './tool-line.tsx'

/** What a person does about a source. */
export interface SourceActs {
  readonly restart: (server: string) => void
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
  'tool-panel.avg',
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
          {say('tool-panel.tools-and-tokens', { count: tools.length, tokens: shortCount(sentTokens) })}
        </span>
      </header>
      <SourceButtons group={group} acts={acts} />
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
  const signIn = server?.state.type === 'needs-sign-in' ? server.state.url : null
  return (
    <div className="source-acts">
      {signIn !== null && (
        <a className="button small" href={signIn} target="_blank" rel="noopener noreferrer">
          {say('tool-panel.sign-in')}
        </a>
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
