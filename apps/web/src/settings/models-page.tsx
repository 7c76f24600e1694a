import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ModelRow, ProviderRow } from '@holdfast/protocol'
import { tablePrice } from '../shared/cost-words.ts'
import { shortCount } from '../shared/format.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'
import { choose, usePreference } from '../shared/preferences/preferences.ts'
import { errorText } from '../shared/problem-words.ts'
import { VoiceSection } from '../voice/voice-section.tsx'
import { ProvidersSection } from './providers-section.tsx'

/** Which models there are, what they take and cost, and which one answers in new conversations. */
export function ModelsPage({ client }: { readonly client: Client }) {
  const { value, state, problem } = useObservable(client.models, (models) => models)
  if (!value)
    return (
      <p className="meta">
        {state === 'failed'
          ? say('settings.not-read-problem', { problem: problem ? errorText(problem) : '' })
          : say('settings.reading-the-models')}
      </p>
    )
  return (
    <>
      <ProvidersSection client={client} />
      <ModelTable providers={value.providers} usualId={value.defaultModelId} />
      <VoiceSection />
    </>
  )
}

interface ModelTableProps {
  readonly providers: readonly ProviderRow[]
  /** The one that the server names. */
  readonly usualId: string | null
}

function ModelTable({ providers, usualId }: ModelTableProps) {
  const chosenId = usePreference('defaultModelId')
  const models = providers.flatMap((provider) => provider.models)
  const isAnyKnown = models.some((model) => abilities(model) !== '')
  const defaultId = models.some(({ id }) => id === chosenId) ? chosenId : usualId
  return (
    <section aria-labelledby="settings-models">
      <h2 id="settings-models">
        <Said
          of="settings.models-with-prices"
          values={{}}
          tags={{ small: (inner) => <span className="meta">{inner}</span> }}
        />
      </h2>
      <section className="table-scroller" aria-label={say('settings.models')}>
        <table className="settings-table figures">
          <thead>
            <tr>
              <th scope="col">{say('common.model')}</th>
              <th scope="col">{say('settings.window')}</th>
              <th scope="col">{say('settings.input')}</th>
              <th scope="col">{say('settings.output')}</th>
              <th scope="col">{say('settings.cache-read')}</th>
              {isAnyKnown && (
                <th scope="col" className="abilities">
                  {say('settings.can')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <tr key={model.id}>
                <th scope="row">
                  <label className="check">
                    <input
                      type="radio"
                      name="default-model"
                      checked={model.id === defaultId}
                      onChange={() => choose({ defaultModelId: model.id === usualId ? null : model.id })}
                    />
                    <span className="mono">{model.id}</span>
                    {model.id === defaultId && <span className="meta">{say('settings.default')}</span>}
                  </label>
                </th>
                <td data-testid="model-window">
                  {model.contextWindowTokens === null ? say('settings.unknown') : shortCount(model.contextWindowTokens)}
                  {model.isWindowLearnt && (
                    <span className="meta" title={say('settings.learnt-from-a-refusal')}>
                      {' '}
                      {say('settings.learnt')}
                    </span>
                  )}
                </td>
                <td>{priceOf(model, 'input')}</td>
                <td>{priceOf(model, 'output')}</td>
                <td>{priceOf(model, 'cacheRead')}</td>
                {isAnyKnown && <td className="meta abilities">{abilities(model)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="meta">{say('settings.the-default-answers-in-conversations')}</p>
    </section>
  )
}

/** A price, or the word for it; a dash where it is not known, never a zero. [COST3] */
function priceOf({ price }: ModelRow, kind: 'input' | 'output' | 'cacheRead'): string {
  if (price?.reference === 'demo') return say('inspector.demo')
  if (price?.reference === 'local') return say('inspector.free-of-charge')
  const known = price?.[kind]
  return known ? tablePrice(known.usdPerMillion) : '—'
}

function abilities({ capabilities }: ModelRow): string {
  const { tools, images, thinking } = capabilities
  return [
    tools && say('settings.can-use-tools'),
    images && say('settings.can-see'),
    thinking && say('settings.can-think'),
  ]
    .filter((word) => typeof word === 'string')
    .join(', ')
}
