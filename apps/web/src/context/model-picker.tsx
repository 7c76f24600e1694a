import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ModelRow } from '@holdfast/protocol'
import { shortCount } from '../format.ts'
import { modelInUse } from './model-choice.ts'

interface ModelPickerProps {
  readonly client: Client
  /** The chosen model; null for the one that answers where none is chosen. */
  readonly chosen: string | null
  readonly onChoose: (modelId: string) => void
}

/** Which model answers from the next step on. */
export function ModelPicker({ client, chosen, onChoose }: ModelPickerProps) {
  const { value, state } = useObservable(client.models, (models) => models)
  if (!value) return <span className="meta">{state === 'failed' ? 'Models could not be read' : ''}</span>
  const { modelId, row } = modelInUse(value, chosen)
  return (
    <select
      className="picker"
      data-testid="model-picker"
      aria-label="Model"
      title={row ? modelTitle(row) : undefined}
      value={modelId ?? ''}
      onChange={({ target }) => onChoose(target.value)}
    >
      {row === null && (
        <option value={modelId ?? ''} disabled>
          {modelId === null ? 'No model' : `${modelId} (not here)`}
        </option>
      )}
      {value.providers.map((provider) => (
        <optgroup
          key={provider.id}
          label={provider.problem === null ? provider.name : `${provider.name}: ${provider.problem}`}
        >
          {provider.models.map((model) => (
            <option key={model.id} value={model.id} title={modelTitle(model)}>
              {model.id === 'demo' ? 'Demo (offline script)' : model.name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

/** Its window and its price, where they are known. */
function modelTitle({ id, contextWindowTokens, price }: ModelRow): string {
  const window = contextWindowTokens === null ? 'window unknown' : `window ${shortCount(contextWindowTokens)} tokens`
  return `${id} · ${window} · ${priceWords(price)}`
}

function priceWords(price: ModelRow['price']): string {
  if (price?.reference === 'demo') return 'demo, costs nothing'
  if (price?.reference === 'local') return 'free'
  if (!price?.input || !price.output) return 'price unknown'
  return `$${price.input.usdPerMillion} in, $${price.output.usdPerMillion} out per million tokens (${price.reference})`
}
