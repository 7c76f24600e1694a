import type { ExternalAgentRow } from '@holdfast/protocol'
import { type SubmitEvent, useState } from 'react'
import { useTold } from '../../shared/ask-server.ts'
import { say } from '../../shared/language/say.ts'
import { tell } from '../../shared/toasts/toasts.ts'
import { commandLineOf, readCommandLine, readVariables } from './command-words.ts'
import { externalApi } from './external-here.ts'

/** Said the same in every language. */
const COMMAND_EXAMPLE = 'my-agent --acp'
const VARIABLE_EXAMPLE = 'API_KEY='

interface ExternalFormProps {
  /** What is changed; null for a new one. */
  readonly row: ExternalAgentRow | null
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Adds an agent, or changes one that was added. Values of variables go in and are shown to nobody again. [UI106, SEC4] */
export function ExternalForm({ row, onDone, onCancel }: ExternalFormProps) {
  const [name, setName] = useState(row?.name ?? '')
  const [line, setLine] = useState(row === null ? '' : commandLineOf(row))
  const [variables, setVariables] = useState('')
  const [dropped, drop] = useState<readonly string[]>([])
  const telling = useTold()
  const program = readCommandLine(line)
  const read = readVariables(variables)
  const isReady = name.trim() !== '' && program !== null && read.type === 'read'
  const kept = Object.entries(row?.env ?? {}).filter(([variable]) => !dropped.includes(variable))

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!isReady || telling.isBusy) return
    const fields = { name: name.trim(), command: program.command, args: [...program.args] }
    const isSaved = await telling.run(() =>
      row === null
        ? externalApi.add({ ...fields, env: read.env })
        : externalApi.change(row.id, {
            ...fields,
            revision: row.revision ?? 1,
            env: { ...Object.fromEntries(dropped.map((variable) => [variable, null])), ...read.env },
          }),
    )
    if (!isSaved) return
    tell(say('external.name-is-saved', { name: fields.name }), null)
    onDone()
  }

  return (
    <form
      className="agent-form"
      data-testid="external-form"
      aria-label={say(row === null ? 'external.add-an-agent' : 'external.edit-an-agent')}
      onSubmit={(event) => void save(event)}
    >
      <label>
        {say('external.name')}
        <input type="text" dir="auto" maxLength={80} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label>
        {say('external.command')}
        <input
          type="text"
          dir="ltr"
          className="mono"
          autoComplete="off"
          spellCheck={false}
          placeholder={COMMAND_EXAMPLE}
          aria-describedby="external-command-note"
          aria-invalid={line.trim() !== '' && program === null}
          value={line}
          onChange={({ target }) => setLine(target.value)}
        />
      </label>
      <p className="meta" id="external-command-note">
        {line.trim() !== '' && program === null ? say('external.a-quote-is-open') : say('external.command-note')}
      </p>
      {kept.length > 0 && (
        <ul className="external-variables" aria-label={say('external.variables')}>
          {kept.map(([variable, ending]) => (
            <li key={variable}>
              <code className="mono">{variable}</code>
              <span className="meta">{ending === null ? '•••' : `•••${ending}`}</span>
              <button
                type="button"
                className="link-button"
                aria-label={say('external.remove-name', { name: variable })}
                onClick={() => drop([...dropped, variable])}
              >
                {say('common.remove')}
              </button>
            </li>
          ))}
        </ul>
      )}
      <label>
        {say(row === null ? 'external.variables' : 'external.more-variables')}
        <textarea
          dir="ltr"
          className="mono"
          rows={2}
          autoComplete="off"
          spellCheck={false}
          placeholder={VARIABLE_EXAMPLE}
          aria-describedby="external-variables-note"
          aria-invalid={read.type === 'bad-line'}
          value={variables}
          onChange={({ target }) => setVariables(target.value)}
        />
      </label>
      <p className={read.type === 'bad-line' ? 'problem' : 'meta'} id="external-variables-note">
        {read.type === 'bad-line'
          ? say('external.bad-line', { line: String(read.line) })
          : say('external.variables-note')}
      </p>
      <p className="meta">{say('external.runs-with-all-rights')}</p>
      {telling.problem !== null && (
        <p className="problem" role="alert">
          {telling.problem}
        </p>
      )}
      <div className="setting-acts">
        <button
          type="submit"
          className={`button${isReady ? ' primary' : ''}`}
          aria-disabled={!isReady || telling.isBusy}
        >
          {say('common.save')}
        </button>
        <button type="button" className="link-button" onClick={onCancel}>
          {say('common.cancel')}
        </button>
      </div>
    </form>
  )
}
