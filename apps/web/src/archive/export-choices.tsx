import type { Client, ExportChoices, SecretsAnswer } from '@holdfast/client'
import { useCallback } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { type PlainKey, say } from '../shared/language/say.ts'

const CHOICES: readonly { readonly name: keyof ExportChoices; readonly words: PlainKey }[] = [
  { name: 'tools', words: 'archive.with-tools' },
  { name: 'thinking', words: 'archive.with-thinking' },
  { name: 'setAside', words: 'archive.with-branches' },
  { name: 'usage', words: 'archive.with-usage' },
  { name: 'attachments', words: 'archive.with-attachments' },
  { name: 'redact', words: 'archive.with-masks' },
]

interface ExportChoicesProps {
  readonly client: Client
  readonly conversationId: string
  readonly choices: ExportChoices
  readonly onChange: (choices: ExportChoices) => void
}

/** What goes into an export, and what is masked in it. */
export function ExportChoicesFields({ client, conversationId, choices, onChange }: ExportChoicesProps) {
  return (
    <fieldset className="export-choices" data-testid="export-choices">
      <legend className="visually-hidden">{say('archive.what-goes-into-it')}</legend>
      {CHOICES.map(({ name, words }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={choices[name] && !isLeftOut(name, choices)}
            disabled={isLeftOut(name, choices)}
            onChange={({ target }) => onChange({ ...choices, [name]: target.checked })}
          />
          <span>{say(words)}</span>
          {isLeftOut(name, choices) && <span className="meta">{say('archive.files-cannot-be-masked')}</span>}
        </label>
      ))}
      {choices.redact && <Secrets client={client} conversationId={conversationId} />}
      <p className="meta">{say('archive.json-holds-all')}</p>
    </fieldset>
  )
}

/** Whether masks keep it out, whatever was chosen: files cannot be masked. [UI51] */
function isLeftOut(name: keyof ExportChoices, { redact }: ExportChoices): boolean {
  return redact && name === 'attachments'
}

function Secrets({ client, conversationId }: Pick<ExportChoicesProps, 'client' | 'conversationId'>) {
  const ask = useCallback(() => client.countSecrets(conversationId), [client, conversationId])
  const [answer, askAgain] = useAsked(ask)
  return (
    <p className="meta" data-testid="secrets" data-state={answer.type}>
      {answer.type === 'asking' && say('archive.looking-for-secrets')}
      {answer.type === 'here' && secretWords(answer.value)}
      {answer.type === 'failed' && (
        <>
          {say('archive.secrets-not-counted', { problem: answer.problem })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </>
      )}
    </p>
  )
}

function secretWords({ keys, mailAddresses, homeFolders }: SecretsAnswer): string {
  if (keys + mailAddresses + homeFolders === 0) return say('archive.nothing-to-mask')
  const found = [
    ...(keys > 0 ? [say('archive.masked-keys', { count: keys })] : []),
    ...(mailAddresses > 0 ? [say('archive.masked-mail', { count: mailAddresses })] : []),
    ...(homeFolders > 0 ? [say('archive.masked-folders', { count: homeFolders })] : []),
  ]
  return say('archive.masked', { found: found.join(', ') })
}
