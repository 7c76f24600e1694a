import type { Client, ToolUseAnswer } from '@holdfast/client'
import type { McpServerRow } from '@holdfast/protocol'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { durationText, listTime, shortCount } from '../shared/format.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'
import { stateWords } from '../tool-panel/tool-groups.ts'

/** The servers that tools come from, and what each tool did in all conversations. */
export function ToolsPage({ client }: { readonly client: Client }) {
  const [servers, askAgain] = useAsked(client.listMcpServers)
  const [tools] = useAsked(client.readToolUse)
  const acting = useTold()

  async function act(work: () => Promise<void>): Promise<void> {
    if (await acting.run(work)) askAgain()
  }

  return (
    <>
      <section aria-labelledby="settings-servers">
        <h2 id="settings-servers">{say('settings.mcp-servers')}</h2>
        {(servers.value ?? []).map((server) => (
          <ServerLine
            key={server.name}
            server={server}
            onRestart={() => void act(() => client.restartMcpServer(server.name))}
            onSwitch={(on) => void act(() => client.switchMcpServer(server.name, on))}
          />
        ))}
        {servers.value?.length === 0 && (
          <p className="meta">
            <Said of="tool-panel.no-servers" values={{}} tags={{ code: (inner) => <code>{inner}</code> }} />
          </p>
        )}
        {(acting.problem ?? servers.problem) !== null && (
          <p className="problem" role="alert">
            {acting.problem ?? servers.problem}
          </p>
        )}
      </section>
      <section aria-labelledby="settings-tools-used">
        <h2 id="settings-tools-used">{say('settings.what-tools-did')}</h2>
        {tools.value?.length === 0 && <p className="meta">{say('settings.no-tool-was-called')}</p>}
        {tools.value !== null && tools.value.length > 0 && <ToolUse tools={tools.value} />}
        <p className="meta">{say('settings.each-conversation-has-its')}</p>
      </section>
    </>
  )
}

interface ServerLineProps {
  readonly server: McpServerRow
  readonly onRestart: () => void
  readonly onSwitch: (on: boolean) => void
}

function ServerLine({ server, onRestart, onSwitch }: ServerLineProps) {
  const isOff = server.state.type === 'off'
  return (
    <div className="server-line" data-testid="server-line" data-state={server.state.type}>
      <strong dir="auto">{server.name}</strong>
      <span className="meta">
        {[stateWords(server, Date.now()), say('tools.count', { count: server.toolCount })].join(' · ')}
      </span>
      <span className="setting-acts">
        {!isOff && (
          <button type="button" className="button small" onClick={onRestart}>
            {say('tool-panel.restart')}
          </button>
        )}
        <button type="button" className="button small" onClick={() => onSwitch(isOff)}>
          {isOff ? say('tool-panel.connect') : say('tool-panel.disconnect')}
        </button>
      </span>
    </div>
  )
}

function ToolUse({ tools }: { readonly tools: ToolUseAnswer }) {
  const now = Date.now()
  return (
    <section className="table-scroller" aria-label={say('settings.what-tools-did')}>
      <table className="settings-table figures">
        <thead>
          <tr>
            <th scope="col">{say('tool-panel.tool')}</th>
            <th scope="col">{say('tool-panel.calls')}</th>
            <th scope="col">{say('tool-panel.errors')}</th>
            <th scope="col">{say('tool-panel.average')}</th>
            <th scope="col">{say('tool-panel.last')}</th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ name, callCount, errorCount, avgDurationMs, lastCalledAt }) => (
            <tr key={name}>
              <th scope="row" className="mono">
                {name}
              </th>
              <td>{shortCount(callCount)}</td>
              <td>{shortCount(errorCount)}</td>
              <td>{avgDurationMs === null ? '—' : durationText(avgDurationMs)}</td>
              <td>{lastCalledAt === null ? '—' : listTime(lastCalledAt, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
