import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import type { ConversationSettings, ProviderErrorCode } from '@holdfast/conversation'
import { navigate } from '../../shared/address.ts'
import { useTold } from '../../shared/ask-server.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { wholeCount } from '../../shared/format.ts'
import { say } from '../../shared/language/say.ts'
import type { ThreadActs } from '../message/thread-acts.ts'

/** One thing that can be done about a failure. */
type NextStep = 'connect' | 'choose-model' | 'choose-window' | 'summarise' | 'without-tools' | 'install' | 'reload'

/** What can be done about each kind of failure, the likeliest first. Asking again stands below the card. */
const STEPS: Readonly<Record<ProviderErrorCode, readonly NextStep[]>> = {
  auth: ['connect', 'choose-model'],
  quota: ['choose-model', 'connect'],
  'rate-limit': ['choose-model'],
  'too-long': ['summarise', 'without-tools', 'choose-window'],
  network: ['choose-model'],
  overloaded: ['choose-model'],
  'model-missing': ['install', 'choose-model'],
  refused: ['choose-model'],
  'bad-request': ['choose-model'],
  internal: ['reload'],
}

interface NextStepsProps {
  readonly store: ConversationStore
  readonly context: ConversationContext
  readonly acts: ThreadActs
  readonly code: ProviderErrorCode
  /** Where the turn before the failed one ends; null where that is not known. */
  readonly keptSeq: number | null
}

/** What a person can do about the failure that ended the newest turn. [UI16] */
export function NextSteps({ store, context, acts, code, keptSeq }: NextStepsProps) {
  const modelId = useConversation(store, ({ overview }) => overview.settings.modelId ?? '')
  const hasTools = useConversation(store, ({ overview }) => sendsTools(overview.settings))
  const summarising = useTold()

  function withoutTools(kept: number): void {
    acts.whenFree(() => {
      store.changeSettings({ toolMode: 'manual', includedTools: [] })
      acts.retry(kept, 'retry-after-error')
    })
  }

  function stepView(step: NextStep) {
    switch (step) {
      case 'connect':
        return <StepButton key={step} name={say('answer.connect-another')} onPress={openModels} />
      case 'choose-model':
        return <StepButton key={step} name={say('answer.choose-a-model')} onPress={openModelPicker} />
      case 'choose-window':
        return <StepButton key={step} name={say('answer.choose-a-larger-window')} onPress={openModelPicker} />
      case 'summarise':
        return (
          <StepButton
            key={step}
            name={say('answer.summarise')}
            onPress={() => void summarising.run(() => context.makeCheckpoint(null))}
          />
        )
      case 'without-tools':
        return keptSeq === null || !hasTools ? null : (
          <StepButton key={step} name={say('answer.send-without-tools')} onPress={() => withoutTools(keptSeq)} />
        )
      case 'install':
        return modelId.startsWith(OLLAMA) ? (
          <CopyButton
            key={step}
            text={() => ['ollama', 'pull', modelId.slice(OLLAMA.length)].join(' ')}
            label={say('answer.copy-the-command-that-installs')}
          />
        ) : null
      case 'reload':
        return <StepButton key={step} name={say('page.reload')} onPress={() => location.reload()} />
    }
  }

  return (
    <>
      <div className="next-steps" data-testid="next-steps">
        {STEPS[code].map(stepView)}
      </div>
      {summarising.problem !== null && <p role="alert">{summarising.problem}</p>}
    </>
  )
}

/** How much would be sent beside what the model takes, where it does not fit: the figures of the meter, so that both say one thing. */
export function WindowFigures({ context }: Pick<NextStepsProps, 'context'>) {
  const use = useObservable(context.use, ({ value }) => value)
  if (!use || use.windowTokens === null || use.usedTokens + use.reservedTokens <= use.windowTokens) return null
  return (
    <p>{say('answer.about-tokens-of', { used: wholeCount(use.usedTokens), window: wholeCount(use.windowTokens) })}</p>
  )
}

const OLLAMA = 'ollama/'

/** With all tools off their definitions stay in requests; none are sent where none is chosen. [TOOL10] */
function sendsTools({ toolMode, includedTools }: ConversationSettings): boolean {
  return toolMode !== 'manual' || (includedTools ?? []).length > 0
}

function StepButton({ name, onPress }: { readonly name: string; readonly onPress: () => void }) {
  return (
    <button type="button" className="button" onClick={onPress}>
      {name}
    </button>
  )
}

function openModels(): void {
  navigate({ type: 'settings', section: 'models' }, 'push')
}

/** The composer's own list of models, with their windows and prices. */
function openModelPicker(): void {
  const picker = document.querySelector<HTMLSelectElement>('select[data-testid=model-picker]')
  picker?.focus()
  picker?.showPicker()
}
