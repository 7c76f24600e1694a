import type { AlwaysRule, Client } from '@holdfast/client'
import { tell } from '../toasts/toasts.ts'
import { told } from '../told-request.ts'
import { useAnswer } from '../use-answer.ts'

const EFFECTS: Readonly<Record<AlwaysRule['effect'], string>> = {
  allow: 'Allowed',
  ask: 'Asked first',
  deny: 'Denied',
}

/** The rules that hold in all conversations, and how they are taken back. [PERM5] */
export function PermissionsPage({ client }: { readonly client: Client }) {
  const [answer, askAgain] = useAnswer(client.listAlwaysRules)

  async function revoke({ ruleId, tool }: AlwaysRule): Promise<void> {
    if (await told(client.revokeAlwaysRule(ruleId))) tell(`The rule for ${tool} does not hold any more`, null)
    askAgain()
  }

  return (
    <section aria-label="Rules">
      <p className="settings-lead">
        What is decided first counts: what can never be allowed, then denials, then questions, then what you allowed,
        then what the permission mode of a conversation says. Rules for one conversation end with it and are taken back
        in its thread.
      </p>
      <h2>Rules for all conversations</h2>
      {answer.type === 'asking' && <p className="meta">Reading the rules…</p>}
      {answer.type === 'failed' && (
        <p className="problem" role="alert">
          {`The rules could not be read: ${answer.problem} `}
          <button type="button" className="link-button" onClick={askAgain}>
            Try again
          </button>
        </p>
      )}
      {answer.type === 'here' && answer.value.length === 0 && (
        <p className="meta">None yet. “Always” on a request makes one, and shows it before.</p>
      )}
      {answer.type === 'here' && answer.value.length > 0 && (
        <table className="settings-table" data-testid="always-rules">
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col">Only for</th>
              <th scope="col">Then</th>
              <th scope="col">
                <span className="visually-hidden">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {answer.value.map((rule) => (
              <tr key={rule.ruleId} data-testid="always-rule">
                <td className="mono">{rule.tool}</td>
                <td className="mono">{rule.pattern ?? 'everything'}</td>
                <td>{EFFECTS[rule.effect]}</td>
                <td>
                  <button
                    type="button"
                    className="button"
                    aria-label={`Revoke the rule for ${rule.tool}`}
                    onClick={() => void revoke(rule)}
                  >
                    Revoke
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
