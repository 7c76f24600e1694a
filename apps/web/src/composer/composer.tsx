import type { ConversationTools, RefusedCommand, UnsentText } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { SendLane, SentPart } from '@holdfast/protocol'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { Glyph, Icon } from '../shared/icons.tsx'
import { onInsertedWords } from '../shared/insert-words.ts'
import { isComposing } from '../shared/is-composing.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { problemText } from '../shared/problem-words.ts'
import { AskValues } from './mentions/ask-values.tsx'
import { MentionMenu } from './mentions/mention-menu.tsx'
import type { WrittenCommand } from './mentions/offers.ts'
import { ResourceChips } from './mentions/resource-chips.tsx'
import { useMentions } from './mentions/use-mentions.ts'
import { type QueueRow, textOf } from './pending.ts'
import type { QueueAct } from './queue/queue-act.ts'
import { QueueList } from './queue/queue-list.tsx'
import { writtenWords } from './queue/queue-order.ts'
import { canEdit, useQueueEdit } from './queue/use-queue-edit.ts'

/** What the composer needs to know of the turn. */
export type ComposerPhase = 'idle' | 'busy' | 'stopping'

interface ComposerProps {
  /** What is being written, where it is kept. */
  readonly unsent: UnsentText
  readonly phase: ComposerPhase
  readonly isOnline: boolean
  readonly conversationId: string
  readonly queue: readonly QueueRow[]
  /** Whether all of the queue is read. */
  readonly isQueueKnown: boolean
  readonly isQueueHeld: boolean
  readonly refused: readonly RefusedCommand[]
  /** Takes what is sent; it stays in the field when this fails. */
  readonly onSend: (content: readonly SentPart[], lane: SendLane) => Promise<void>
  /** The tools of the conversation, and the servers that are off in it. */
  readonly tools: ConversationTools
  readonly excludedServers: readonly string[]
  /** What the page itself does when it is sent. */
  readonly commands: readonly WrittenCommand[]
  readonly onStop: (how: 'stop' | 'force') => void
  readonly onTakeBack: (commandId: string) => void
  readonly onQueueAct: (act: QueueAct) => void
  /** How full the model's window is. */
  readonly ruler: React.ReactNode
  /** What the next message costs, by what is written. */
  readonly price: (text: string) => React.ReactNode
  readonly children: React.ReactNode
}

/** Where a person writes. What is typed is kept per conversation: a reload brings it back, and another tab has it too. */
export function Composer(props: ComposerProps) {
  const { unsent, phase, isOnline, queue, onSend, onStop } = props
  const text = useObservable(unsent, (words) => words)
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const mentions = useMentions({
    tools: props.tools,
    text,
    write: unsent.write,
    excluded: props.excludedServers,
    commands: props.commands,
  })
  const { menu, asked, resources } = mentions
  const editing = useQueueEdit({
    conversationId: props.conversationId,
    rows: props.isQueueKnown ? queue : null,
    onAct: props.onQueueAct,
  })
  const isEmpty = text.trim() === '' && resources.length === 0

  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [])

  useEffect(() => {
    function onReturn(): void {
      if (document.visibilityState === 'visible') unsent.refresh()
    }
    unsent.refresh()
    addEventListener('focus', onReturn)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      removeEventListener('focus', onReturn)
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [unsent])

  useEffect(
    () =>
      onInsertedWords((words) => {
        const before = unsent.getSnapshot()
        unsent.write(before.trim() === '' ? words : `${before.trimEnd()} ${words}`)
        field.current?.focus()
      }),
    [unsent],
  )

  async function send(lane: SendLane): Promise<void> {
    if (isEmpty || isSending) return
    setSending(true)
    try {
      const words = text.trim() === '' ? [] : [{ type: 'text' as const, text }]
      await onSend([...words, ...resources], lane)
      unsent.write('')
      mentions.sent()
    } finally {
      setSending(false)
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (mentions.onKey(event)) return
    if (event.key === 'ArrowUp' && text === '' && resources.length === 0 && !editing.edit) editLast(event)
    if (event.key !== 'Enter' || event.shiftKey) return
    if (isComposing(event)) return
    if (matchMedia('(pointer: coarse)').matches) return
    event.preventDefault()
    void send(phase === 'idle' ? 'turn' : laneOf(event))
  }

  function editLast(event: KeyboardEvent): void {
    const row = queue.findLast((one) => canEdit(one, Date.now()))
    if (!row || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    editing.begin(row)
  }

  function bringBack(words: string): void {
    unsent.write([text, words].filter((part) => part !== '').join('\n\n'))
    field.current?.focus()
  }

  function takeBack({ command }: RefusedCommand): void {
    if (command.name === 'send-message') {
      const words = command.content.filter(({ type }) => type !== 'resource')
      bringBack(textOf(words))
      mentions.bringBack(command.content)
    }
    if (isRewrite(command)) bringBack(writtenWords(command.content ?? []))
    props.onTakeBack(command.commandId)
    field.current?.focus()
  }

  return (
    <>
      {asked && (
        <AskValues
          key={asked.offer.id}
          offer={asked.offer}
          values={asked.offer.choice.values}
          problem={asked.problem}
          tools={props.tools}
          onDone={(values) => {
            mentions.finish(values)
            field.current?.focus()
          }}
          onCancel={() => {
            mentions.cancel()
            field.current?.focus()
          }}
        />
      )}
      <form
        className="composer"
        aria-label={say('composer.composer')}
        data-region="composer"
        onSubmit={(event) => {
          event.preventDefault()
          void send('turn')
        }}
      >
        <QueueList
          rows={queue}
          isKnown={props.isQueueKnown}
          isHeld={props.isQueueHeld}
          editing={editing}
          onAct={props.onQueueAct}
          onBack={bringBack}
          onLeft={() => {
            if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
          }}
        />
        {props.refused.map((refused) => (
          <p key={refused.command.commandId} className="refused" role="alert">
            <span>{refusalText(refused)}</span>
            <button type="button" className="link-button" onClick={() => takeBack(refused)}>
              {refused.command.name === 'send-message' || isRewrite(refused.command)
                ? say('composer.back-to-the-field')
                : say('common.dismiss')}
            </button>
          </p>
        ))}
        {props.ruler}
        {menu && (
          <MentionMenu
            {...menu}
            isLoading={menu.state === 'waiting' || menu.state === 'loading'}
            onChoose={mentions.choose}
          />
        )}
        {mentions.problem !== null && (
          <p className="refused" role="alert">
            {mentions.problem}
          </p>
        )}
        <ResourceChips resources={resources} onRemove={mentions.remove} />
        <textarea
          ref={field}
          id="composer-input"
          data-testid="composer-input"
          aria-label={say('composer.message')}
          placeholder={say('composer.write-a-message')}
          rows={1}
          dir="auto"
          enterKeyHint="enter"
          value={text}
          aria-autocomplete="list"
          aria-controls={menu && menu.offers.length > 0 ? menu.id : undefined}
          aria-activedescendant={menu && menu.offers.length > 0 ? `${menu.id}-${menu.active}` : undefined}
          onChange={(event) => {
            unsent.write(event.target.value)
            mentions.onCaret(event.target.selectionStart)
          }}
          onSelect={(event) => mentions.onCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        <div className="composer-controls">
          {props.children}
          <span className="slot-stop">{phase !== 'idle' && <StopButton phase={phase} onStop={onStop} />}</span>
          <span className="slot-send">
            {(phase === 'idle' || !isEmpty) && (
              <button
                type="submit"
                className={`button${phase === 'idle' && !isEmpty ? ' primary' : ''}`}
                data-testid="send"
                aria-disabled={isEmpty || isSending}
                aria-label={phase === 'idle' ? say('composer.send-message') : say('composer.queue-message')}
                title={isEmpty ? say('composer.write-something-first') : undefined}
              >
                <Icon name={phase === 'idle' ? 'up' : 'enter'} />
                {sendLabel(phase, isOnline)}
              </button>
            )}
          </span>
        </div>
        {props.price(text)}
      </form>
    </>
  )
}

/** Beside a running turn: Enter queues, with Ctrl or Command it goes next, with Alt it joins the turn. */
function laneOf(event: KeyboardEvent): SendLane {
  if (event.metaKey || event.ctrlKey) return 'interrupt'
  return event.altKey ? 'steer' : 'turn'
}

function sendLabel(phase: ComposerPhase, isOnline: boolean): string {
  if (phase !== 'idle') return say('composer.queue')
  return isOnline ? say('common.send') : say('composer.send-when-connected')
}

const REFUSALS: Readonly<Record<RefusedCommand['command']['name'], PlainKey>> = {
  'send-message': 'composer.not-sent',
  'stop-run': 'composer.not-stopped',
  'answer-permission': 'composer.not-answered',
  'answer-question': 'composer.not-answered',
  'change-input': 'composer.not-changed',
  'remove-input': 'composer.not-removed',
  'send-input-now': 'composer.not-sent',
  'hold-queue': 'composer.queue-not-paused',
  'release-queue': 'composer.queue-not-resumed',
  'change-settings': 'composer.setting-not-changed',
  'change-canvas': 'composer.not-changed',
  'revoke-rule': 'composer.rule-not-taken-back',
  'add-rule': 'composer.not-changed',
  'pin-message': 'composer.pin-not-changed',
  'exclude-result': 'composer.result-not-left-out',
  'edit-checkpoint': 'composer.not-changed',
  'undo-checkpoint': 'composer.not-changed',
  rewind: 'composer.not-gone-back',
  'select-path': 'composer.branch-not-selected',
  fork: 'composer.not-branched',
  reset: 'composer.not-reset',
  'change-conversation': 'composer.not-changed',
}

/** Words for a waiting message that did not wait any more: they are given back. */
function isRewrite(
  command: RefusedCommand['command'],
): command is Extract<RefusedCommand['command'], { name: 'change-input' }> {
  return command.name === 'change-input' && command.content !== undefined
}

function refusalText({ command, problem }: RefusedCommand): string {
  return [say(REFUSALS[command.name]), problemText(problem)].join(': ')
}

/** A pointer that was already coming down on this place meant something else, for this long. In milliseconds. */
const GUARD_MS = 400

/** A stop that takes longer than this can be forced, in milliseconds. [STOP10] */
const FORCE_MS = 1_500

interface StopButtonProps {
  readonly phase: 'busy' | 'stopping'
  readonly onStop: (how: 'stop' | 'force') => void
}

/** Stops what runs. A double click on Send does not stop; the keyboard stops at once. */
function StopButton({ phase, onStop }: StopButtonProps) {
  const shownAt = useRef(Number.POSITIVE_INFINITY)
  const [takesLong, setTakesLong] = useState(false)
  useEffect(() => {
    shownAt.current = performance.now()
  }, [])
  useEffect(() => {
    if (phase === 'busy') return
    const timer = setTimeout(() => setTakesLong(true), FORCE_MS)
    return () => {
      clearTimeout(timer)
      setTakesLong(false)
    }
  }, [phase])

  function onClick(event: MouseEvent): void {
    const byPointer = event.detail > 0
    if (byPointer && performance.now() - shownAt.current < GUARD_MS) return
    if (phase === 'busy') onStop('stop')
    else if (takesLong) onStop('force')
  }

  return (
    <button
      type="button"
      className="button stop"
      data-testid="stop"
      aria-disabled={phase === 'stopping' && !takesLong}
      onClick={onClick}
    >
      <Glyph name="stopped" lively={false} />
      {label(phase, takesLong)}
    </button>
  )
}

function label(phase: 'busy' | 'stopping', takesLong: boolean): string {
  if (phase === 'busy') return say('common.stop')
  return takesLong ? say('page.force-stop') : say('page.stopping-now')
}
