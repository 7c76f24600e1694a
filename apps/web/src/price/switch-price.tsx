import type { ConversationContext, SettingChanges } from '@holdfast/client'
import { useRef, useState } from 'react'
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

/** A switch that a person wishes for. */
export interface WishedSwitch {
  /** What is switched to, in words. */
  readonly name: string
  /** What it changes, for the price. */
  readonly settings: SettingChanges
  readonly apply: () => void
}

/**
 * Makes a switch that costs nothing at once, and asks first where it would break what the cache has; the last wish
 * counts. A server that does not answer holds nobody up. [REQ5, TOOL10]
 */
export function usePricedSwitch(context: ConversationContext): {
  readonly asked: AskedSwitch | null
  readonly ask: (wish: WishedSwitch) => void
} {
  const [asked, setAsked] = useState<AskedSwitch | null>(null)
  const newest = useRef<WishedSwitch | null>(null)

  async function ask(wish: WishedSwitch): Promise<void> {
    newest.current = wish
    setAsked(null)
    const priced = await readPrice(context, { settings: wish.settings })
    if (newest.current !== wish) return
    const loss = priced ? lossWords(priced) : null
    if (loss === null) return wish.apply()
    setAsked({
      name: wish.name,
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

/** The same for changes of settings. */
export function useSwitch(
  context: ConversationContext,
  change: (settings: SettingChanges) => void,
): { readonly asked: AskedSwitch | null; readonly ask: (name: string, settings: SettingChanges) => void } {
  const { asked, ask } = usePricedSwitch(context)
  return { asked, ask: (name, settings) => ask({ name, settings, apply: () => change(settings) }) }
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
