import type { ToolRow } from '@holdfast/protocol'
import { useState } from 'react'
import { shortCount } from '../format.ts'
import { Glyph, type GlyphName } from '../icons.tsx'
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
          {source ?? 'built-in'}
        </h3>
        <span className="meta">{server ? stateWords(server, now) : ''}</span>
        <span className="meta">{`${tools.length} tools · ${shortCount(sentTokens)} tokens`}</span>
      </header>
      <SourceButtons group={group} acts={acts} />
      {server && <ServerChanges server={server} onAccept={() => acts.accept(group)} />}
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard
        <section className="tool-table" tabIndex={0} aria-label={`Tools of ${source ?? 'Holdfast itself'}`}>
          <table className="figures">
            <thead>
              <tr>
                {['Tool', 'Kind', 'Permission', 'Tokens', 'Calls', 'Errors', 'Avg', 'Last'].map((word) => (
                  <th key={word} scope="col">
                    {word}
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
          {showsAll ? 'Show fewer' : `${tools.length - FEW} more`}
        </button>
      )}
      {showsAll && tools.length > MOST && <p className="meta">{`The first ${MOST} are shown.`}</p>}
      {!isOn && <p className="meta">Off in this conversation.</p>}
      {refused.map(({ name, reason }) => (
        <p key={name} className="problem">{`Not offered: ${name}, because ${reason}.`}</p>
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
          Sign in
        </a>
      )}
      <button type="button" className="button small" onClick={() => acts.exclude(source, !isOn)}>
        {isOn ? `Turn off here${saved > 0 ? `, −${shortCount(saved)}` : ''}` : 'Turn on here'}
      </button>
      {server && server.state.type !== 'off' && (
        <button type="button" className="button small" onClick={() => acts.restart(source)}>
          Restart
        </button>
      )}
      {server && (
        <button
          type="button"
          className="button small"
          onClick={() => acts.switchServer(source, server.state.type === 'off')}
        >
          {server.state.type === 'off' ? 'Connect' : 'Disconnect'}
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
