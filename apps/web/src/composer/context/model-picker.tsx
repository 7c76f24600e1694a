import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ModelRow } from '@holdfast/protocol'
import { rateText } from '../../shared/cost-words.ts'
import { shortCount } from '../../shared/format.ts'
import { say } from '../../shared/language/say.ts'
import { Picker } from '../../shared/picker.tsx'
import { DEMO_MODEL_ID, modelInUse } from './model-choice.ts'

interface ModelPickerProps {
  readonly client: Client
  /** The chosen model; null for the one that answers where none is chosen. */
  readonly chosen: string | null
  readonly onChoose: (modelId: string) => void
}

/** Which model answers from the next step on. */
export function ModelPicker({ client, chosen, onChoose }: ModelPickerProps) {
  const { value, state } = useObservable(client.models, (models) => models)
  if (!value) return <span className="meta">{state === 'failed' ? say('context.models-could-not-be-read') : ''}</span>
  const { modelId, row } = modelInUse(value, chosen)
  const absent = modelId === null ? say('context.no-model') : say('context.not-here', { model: modelId })
  return (
    <Picker
      testId="model-picker"
      state={row === null ? 'absent' : 'here'}
      name={say('common.model')}
      words={row ? shortNameOf(row) : absent}
      isName
      title={row ? modelTitle(row) : undefined}
      value={modelId ?? ''}
      onChoose={onChoose}
    >
      {row === null && (
        <option value={modelId ?? ''} disabled>
          {absent}
        </option>
      )}
      {value.providers.map((provider) => (
        <optgroup
          key={provider.id}
          label={provider.problem === null ? provider.name : `${provider.name}: ${provider.problem}`}
        >
          {provider.models.map((model) => (
            <option key={model.id} value={model.id} title={modelTitle(model)}>
              {nameOf(model)}
            </option>
          ))}
        </optgroup>
      ))}
    </Picker>
  )
}

function nameOf({ id, name }: ModelRow): string {
  return id === DEMO_MODEL_ID ? say('context.demo-offline-script') : name
}

function shortNameOf({ id, name }: ModelRow): string {
  return id === DEMO_MODEL_ID ? say('context.demo') : name
}

/** Its window and its price, where they are known. */
function modelTitle({ id, contextWindowTokens, price }: ModelRow): string {
  const window =
    contextWindowTokens === null
      ? say('context.window-unknown')
      : say('context.window-of', { tokens: shortCount(contextWindowTokens) })
  return [id, window, priceWords(price)].join(' · ')
}

function priceWords(price: ModelRow['price']): string {
  if (price?.reference === 'demo') return say('context.demo-costs-nothing')
  if (price?.reference === 'local') return say('inspector.free-of-charge')
  if (!price?.input || !price.output) return say('context.price-unknown')
  return say('context.price', {
    input: rateText(price.input.usdPerMillion),
    output: rateText(price.output.usdPerMillion),
    reference: price.reference,
  })
}
