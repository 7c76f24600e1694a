import type { ConversationContext, SettingChanges } from '@holdfast/client'
import { useState } from 'react'
import { say } from '../language/say.ts'
import { lossWords } from './price-words.ts'
import { readPrice } from './use-price.ts'

/** A change of settings that waits for a person to have seen its price. */
export interface AskedSwitch {
  /** What is switched to, in words. */
  readonly name: string
  readonly loss: string
  readonly apply: () => void
  readonly keep: () => void
}

/**
 * Makes changes of settings that cost nothing at once, and asks first where they would break what the cache has. A
 * server that does not answer holds nobody up.
 */
export function useSwitch(
  context: ConversationContext,
  change: (settings: SettingChanges) => void,
): { readonly asked: AskedSwitch | null; readonly ask: (name: string, settings: SettingChanges) => void } {
  const [asked, setAsked] = useState<AskedSwitch | null>(null)

  async function ask(name: string, settings: SettingChanges): Promise<void> {
    setAsked(null)
    const priced = await readPrice(context, { settings })
    const loss = priced ? lossWords(priced) : null
    if (loss === null) return change(settings)
    setAsked({
      name,
      loss,
      keep: () => setAsked(null),
      apply() {
        setAsked(null)
        change(settings)
      },
    })
  }

  return { asked, ask: (name, settings) => void ask(name, settings) }
}

/** What a switch costs, before it is made. */
export function SwitchPrice({ asked }: { readonly asked: AskedSwitch }) {
  const { name, loss, apply, keep } = asked
  return (
    <fieldset className="switch-price" data-testid="switch-price" aria-label={say('price.price-of', { name })}>
      <p role="alert">{`${name}: ${loss}.`}</p>
      <button type="button" className="button small" onClick={apply}>
        {say('common.switch')}
      </button>
      <button type="button" className="button small" onClick={keep}>
        {say('common.keep')}
      </button>
    </fieldset>
  )
}
