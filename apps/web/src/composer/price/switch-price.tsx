import type { ConversationContext, PriceQuery, SettingChanges } from '@holdfast/client'
import { useRef, useState } from 'react'
import { answerOf } from '../../shared/ask-server.ts'
import { say } from '../../shared/language/say.ts'
import { lossWords } from './price-words.ts'

/** A change of settings that waits for a person to have seen its price. */
export interface AskedSwitch {
  /** What is switched to, in words. */
  readonly name: string
  readonly loss: string
  /** What is pressed to make it, in words. */
  readonly act: string
  readonly apply: () => void
  readonly keep: () => void
}

/** A switch that a person wishes for. */
export interface PricedSwitch {
  /** What is switched to, in words. */
  readonly name: string
  /** What is pressed to make it, in words. */
  readonly act: string
  /** What it changes, for the price. */
  readonly question: PriceQuery
  readonly apply: () => void
}

/**
 * Makes a switch that costs nothing at once, and asks first where it would break what the cache has; the last wish
 * counts. A server that does not answer holds nobody up. [REQ5, TOOL10]
 */
export function usePricedSwitch(context: ConversationContext): {
  readonly asked: AskedSwitch | null
  readonly ask: (wish: PricedSwitch) => void
} {
  const [asked, setAsked] = useState<AskedSwitch | null>(null)
  const newest = useRef<PricedSwitch | null>(null)

  async function ask(wish: PricedSwitch): Promise<void> {
    newest.current = wish
    setAsked(null)
    const { value: priced } = await answerOf(context.readPrice(wish.question))
    if (newest.current !== wish) return
    const loss = priced ? lossWords(priced) : null
    if (loss === null) return wish.apply()
    setAsked({
      name: wish.name,
      act: wish.act,
      loss,
      keep: () => setAsked(null),
      apply() {
        setAsked(null)
        wish.apply()
      },
    })
  }

  return { asked, ask: (wish) => void ask(wish) }
}

/** A switch that changes settings. */
export function settingsSwitch(name: string, settings: SettingChanges, apply: () => void): PricedSwitch {
  return { name, act: say('common.switch'), question: { settings }, apply }
}

/** A priced switch for changes of settings. */
export function useSwitch(
  context: ConversationContext,
  change: (settings: SettingChanges) => void,
): { readonly asked: AskedSwitch | null; readonly ask: (name: string, settings: SettingChanges) => void } {
  const { asked, ask } = usePricedSwitch(context)
  return { asked, ask: (name, settings) => ask(settingsSwitch(name, settings, () => change(settings))) }
}

/** What a switch costs, before it is made. */
export function SwitchPrice({ asked }: { readonly asked: AskedSwitch }) {
  const { name, loss, act, apply, keep } = asked
  return (
    <fieldset className="switch-price" data-testid="switch-price" aria-label={say('price.price-of', { name })}>
      <p role="alert">{`${name}: ${loss}.`}</p>
      <button type="button" className="button small" onClick={apply}>
        {act}
      </button>
      <button type="button" className="button small" onClick={keep}>
        {say('common.keep')}
      </button>
    </fieldset>
  )
}
