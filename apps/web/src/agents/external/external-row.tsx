import type { ExternalAgentRow, ExternalAgentTest } from '@holdfast/protocol'
import { useState } from 'react'
import { told } from '../../shared/ask-server.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { secondsText } from '../../shared/format.ts'
import { Glyph } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { tell } from '../../shared/toasts/toasts.ts'
import { commandLineOf } from './command-words.ts'
import { externalApi } from './external-here.ts'

interface ExternalRowProps {
  readonly row: ExternalAgentRow
  /** What it is called where others are listed too. */
  readonly name: string
  readonly onEdit: () => void
  readonly onChanged: () => void
}

/** One agent: whether its program is there, how to install it, what a test finds. [UI106] */
export function ExternalRow({ row, name, onEdit, onChanged }: ExternalRowProps) {
  const { id, isInstalled, install, source, problem } = row
  const [test, setTest] = useState<ExternalAgentTest | 'running' | null>(null)
  const [isSure, setSure] = useState(false)
  const hasFailed = problem !== null || (test !== null && test !== 'running' && test.type === 'fails')

  async function run(): Promise<void> {
    setTest('running')
    if (!(await told(externalApi.test(id).then(setTest)))) setTest(null)
  }

  async function remove(): Promise<void> {
    if (!(await told(externalApi.remove(id)))) return
    tell(say('external.name-is-removed', { name }), null)
    onChanged()
  }

  return (
    <li
      className="provider-row external-row"
      data-testid="external-row"
      data-state={isInstalled ? 'installed' : 'missing'}
    >
      <Glyph
        name={hasFailed ? 'failed' : test === 'running' ? 'running' : isInstalled ? 'ok' : 'pending'}
        lively={test === 'running'}
      />
      <span className="provider-name">
        <strong dir="auto">{name}</strong>
        <code className="mono external-command" dir="ltr">
          {commandLineOf(row)}
        </code>
        <span className={problem === null ? 'meta' : 'problem'}>{problem ?? stateWords(row)}</span>
      </span>
      <span className="setting-acts">
        {isInstalled && (
          <button
            type="button"
            className="button"
            aria-label={say('external.test-name', { name })}
            aria-disabled={test === 'running'}
            onClick={() => void (test === 'running' ? null : run())}
          >
            {say('external.test')}
          </button>
        )}
        {source === 'stored' && (
          <>
            <button
              type="button"
              className="link-button"
              aria-label={say('external.edit-name', { name })}
              onClick={onEdit}
            >
              {say('common.edit')}
            </button>
            {!isSure && (
              <button
                type="button"
                className="link-button"
                aria-label={say('external.remove-name', { name })}
                onClick={() => setSure(true)}
              >
                {say('external.remove-asking')}
              </button>
            )}
            {isSure && (
              <>
                <button
                  type="button"
                  className="button danger"
                  aria-label={say('external.really-remove-name', { name })}
                  onClick={() => void remove()}
                >
                  {say('common.remove')}
                </button>
                <button type="button" className="link-button" onClick={() => setSure(false)}>
                  {say('common.keep')}
                </button>
              </>
            )}
          </>
        )}
      </span>
      {!isInstalled && install !== null && problem === null && (
        <p className="external-install">
          <span className="meta">{say('external.to-install')}</span>
          <code className="mono" dir="ltr">
            {install}
          </code>
          <CopyButton text={() => install} label={say('external.copy-the-command')} />
        </p>
      )}
      <div className="external-found" role="status">
        {test === 'running' && <p className="meta">{say('external.is-started', { name })}</p>}
        {test !== null && test !== 'running' && <Found test={test} name={name} />}
      </div>
    </li>
  )
}

/** What a test found: of what works its facts, of what does not the words of the program. [AGENT47] */
function Found({ test, name }: { readonly test: ExternalAgentTest; readonly name: string }) {
  return (
    <div data-testid="external-found" data-state={test.type}>
      {test.type === 'fails' ? (
        <p className="problem" dir="auto">
          {test.text}
        </p>
      ) : (
        <>
          <p>
            {say('external.works', {
              version: test.version ?? '–',
              protocol: String(test.protocolVersion),
              time: secondsText(test.tookMs),
            })}
          </p>
          <p className="meta">{modeWords(test)}</p>
        </>
      )}
      {test.signIns.length > 0 && (
        <details open={test.type === 'fails' && test.code === 'sign-in'}>
          <summary>{say('external.ways-to-sign-in', { count: test.signIns.length })}</summary>
          <p className="meta">{say('external.sign-in-on-the-server', { name })}</p>
          <ul className="external-sign-ins">
            {test.signIns.map((words) => (
              <li key={words} dir="auto">
                {words}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function modeWords({ modes, askMode }: Extract<ExternalAgentTest, { type: 'works' }>): string {
  const held = modes.find(({ id }) => id === askMode)
  if (!held) return say('external.no-mode-that-asks')
  return say('external.held-in', { mode: held.name, modes: modes.map(({ name }) => name).join(', ') })
}

function stateWords({ isInstalled, source, protocolVersion, env }: ExternalAgentRow): string {
  const variables = Object.keys(env)
  const words = [
    say(isInstalled ? 'external.installed' : 'external.not-installed'),
    ...(source === 'file' ? [say('external.from-the-file')] : []),
    ...(source === 'stored' ? [say('external.added-here')] : []),
    ...(protocolVersion === undefined ? [] : [say('external.protocol', { version: String(protocolVersion) })]),
    ...(variables.length === 0 ? [] : [variables.join(', ')]),
  ]
  return words.join(' · ')
}
