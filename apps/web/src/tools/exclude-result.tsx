import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { SwitchPrice, usePricedSwitch } from '../composer/price/switch-price.tsx'
import { say } from '../shared/language/say.ts'

interface ExcludeResultProps {
  readonly store: ConversationStore
  readonly context: ConversationContext
  /** The result, by its entry. */
  readonly resultSeq: number
}

/**
 * Leaves a result out of what the model is sent, or takes it back, after the price of what that breaks. While a turn
 * runs nothing before its words changes. [TOOL10]
 */
export function ExcludeResult({ store, context, resultSeq }: ExcludeResultProps) {
  const isExcluded = useConversation(store, ({ overview }) => overview.exclusions.includes(resultSeq))
  const isBusy = useConversation(store, ({ overview }) => overview.runState.exclusive !== null)
  const { asked, ask } = usePricedSwitch(context)
  const act = isExcluded ? say('tools.send-result-again') : say('tools.leave-result-out')

  function change(): void {
    if (isBusy) return
    ask({
      name: act,
      act,
      question: { exclusion: { resultSeq, isExcluded: !isExcluded } },
      apply: () => store.excludeResult(resultSeq, !isExcluded),
    })
  }

  return (
    <div className="exclude-result" data-testid="exclude-result" data-state={isExcluded ? 'excluded' : 'sent'}>
      {isExcluded && <span className="meta">{say('tools.result-is-left-out')}</span>}
      <button
        type="button"
        className="link-button"
        aria-disabled={isBusy}
        title={isBusy ? say('tools.when-the-turn-has-ended') : say('tools.what-leaving-out-does')}
        onClick={change}
      >
        {act}
      </button>
      {asked && !isBusy && <SwitchPrice asked={asked} />}
    </div>
  )
}

/** Says on the line of a call that its result is left out. */
export function ExcludedMark({ store, resultSeq }: Pick<ExcludeResultProps, 'store' | 'resultSeq'>) {
  const isExcluded = useConversation(store, ({ overview }) => overview.exclusions.includes(resultSeq))
  return isExcluded ? (
    <span className="tool-excluded" data-testid="excluded-mark">
      {say('tools.left-out')}
    </span>
  ) : null
}
