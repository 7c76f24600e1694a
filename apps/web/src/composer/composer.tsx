import type { AttachmentApi, ConversationTools, RefusedCommand, UnsentText } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { SendLane, SentPart } from '@holdfast/protocol'
import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react'
import { Glyph, Icon } from '../shared/icons.tsx'
import { onAttachedFile, onInsertedWords, onPointedAt } from '../shared/insert-words.ts'
import { isComposing } from '../shared/is-composing.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { later as opensLater } from '../shared/later.tsx'
import { problemText } from '../shared/problem-words.ts'
import { AttachButton } from './attach/attach-button.tsx'
import { attachedFilesOf } from './attach/attached-files.ts'
import { AttachmentChips, AttachStatus } from './attach/attachment-chips.tsx'
import { DropTarget } from './attach/drop-target.tsx'
import { blockWords, isPicture, sendBlock } from './attach/send-block.ts'
import { takenFromPaste } from './attach/taken-from-paste.ts'
import { useSendLater } from './attach/use-send-later.ts'
import { MakeRoom } from './context/make-room.tsx'
import type { ModelInUse } from './context/model-choice.ts'
import type { Remedies } from './context/remedies.ts'
import { AlongChips } from './mentions/along-chips.tsx'
import { MentionMenu } from './mentions/mention-menu.tsx'
import { type WrittenCommand, writtenCommand } from './mentions/offers.ts'
import { type NamedThings, useMentions } from './mentions/use-mentions.ts'
import type { QueueRow } from './pending.ts'
import type { QueueAct } from './queue/queue-act.ts'
import { QueueList } from './queue/queue-list.tsx'
import { writtenWords } from './queue/queue-order.ts'
import { canEdit, useQueueEdit } from './queue/use-queue-edit.ts'
import type { UnreadHere } from './unread-here.ts'
import { useWrittenHere } from './use-written-here.ts'
import { tellWritten } from './written-content.ts'
import { writtenDirection } from './written-direction.ts'

const SendNotes = opensLater(async () => (await import('./attach/send-notes.tsx')).SendNotes)
const UnreadWords = opensLater(async () => (await import('./unread-words.tsx')).UnreadWords)
const AskValues = opensLater(async () => (await import('./mentions/ask-values.tsx')).AskValues)

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
  /** What was kept before an upgrade and cannot be sent. */
  readonly unread: UnreadHere
  /** Takes what is sent; it stays in the field when this fails. */
  readonly onSend: (content: readonly SentPart[], lane: SendLane) => Promise<void>
  readonly attachments: AttachmentApi
  /** The model that would answer. */
  readonly model: ModelInUse
  /** The tools of the conversation, and the servers that are off in it. */
  readonly tools: ConversationTools
  readonly excludedServers: readonly string[]
  /** What the page itself does when it is sent. */
  readonly commands: readonly WrittenCommand[]
  /** The words that were sent last; empty where there are none. */
  readonly lastSent: () => string
  /** What can be named by `@`. */
  readonly named: NamedThings
  readonly onStop: (how: 'stop' | 'force') => void
  readonly onTakeBack: (commandId: string) => void
  readonly onQueueAct: (act: QueueAct) => void
  /** What makes room where the window is over its end; null where it is not. */
  readonly remedies: Remedies | null
  /** How full the model's window is. */
  readonly ruler: React.ReactNode
  /** What the next message costs, by what is written. */
  readonly price: (content: readonly SentPart[]) => React.ReactNode
  readonly children: React.ReactNode
}

/** Where a person writes. What is typed is kept per conversation: a reload brings it back, and another tab has it too. */
export function Composer(props: ComposerProps) {
  const { unsent, phase, isOnline, queue, onSend, onStop } = props
  const text = useObservable(unsent, (words) => words)
  const along = useObservable(unsent.parts, (parts) => parts)
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { write, keepCaret } = useWrittenHere({ unsent, text, field })
  const mentions = useMentions({
    tools: props.tools,
    text,
    write,
    add: unsent.add,
    excluded: props.excludedServers,
    commands: props.commands,
    named: props.named,
  })
  const [unknown, setUnknown] = useState<{ readonly name: string; readonly text: string } | null>(null)
  const { menu, asked } = mentions
  const editing = useQueueEdit({
    conversationId: props.conversationId,
    rows: props.isQueueKnown ? queue : null,
    onAct: props.onQueueAct,
  })
  const attached = attachedFilesOf(props.attachments, props.conversationId)
  const files = useObservable(attached, (known) => known)
  const unattached = useObservable(attached.refusals, (words) => words)
  const block = sendBlock({ text, files, seesPictures: props.model.row?.capabilities.images !== false })
  const isEmpty = text.trim() === '' && along.length === 0 && files.length === 0
  const roomMenu = useRef<HTMLDetailsElement>(null)
  const isOver = props.remedies !== null && phase === 'idle' && !isEmpty
  /** A paste by this chord goes into the field, however long it is. */
  const isPlainPaste = useRef(false)

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
        write(before.trim() === '' ? words : `${before.trimEnd()} ${words}`)
        field.current?.focus()
      }),
    [unsent, write],
  )

  useEffect(
    () =>
      onPointedAt((part) => {
        unsent.add(part)
        field.current?.focus()
      }),
    [unsent],
  )

  useEffect(() => onAttachedFile((file) => attached.add([file])), [attached])

  const words = text.trim() === '' ? [] : [{ type: 'text' as const, text }]
  const content: readonly SentPart[] = [...attached.parts(), ...along, ...words]

  const contentText = JSON.stringify(content)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is a new list at every render, and the same parts
  useEffect(() => tellWritten(props.conversationId, content), [props.conversationId, contentText])

  /** Does what a command says. @returns whether the text was one, or has to be asked about first. */
  function isCommand(): boolean {
    const written = along.length === 0 && attached.parts().length === 0 ? writtenCommand(text, props.commands) : null
    if (written === null || (written.type === 'known' && written.command.run === null)) return false
    if (written.type === 'unknown') {
      setUnknown({ name: written.name, text })
      return true
    }
    write('')
    written.command.run?.(written.words)
    return true
  }

  async function send(lane: SendLane): Promise<void> {
    if (isEmpty || isSending) return
    if (block === 'uploading') return later.wait(lane)
    if (block !== null) return
    if (unknown?.text !== text && isCommand()) return
    setUnknown(null)
    setSending(true)
    try {
      await onSend(content, lane)
      unsent.clear(along)
      attached.clear()
    } finally {
      setSending(false)
    }
  }

  const later = useSendLater({ text, block, send })

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (mentions.onKey(event)) return
    if (event.key === 'Escape' && later.isWaiting && !isComposing(event)) {
      event.preventDefault()
      later.takeBack()
    }
    isPlainPaste.current = event.shiftKey && event.key.toLowerCase() === 'v'
    if (event.key === 'Backspace' && !isComposing(event) && removeLast(event)) return
    if (event.key === 'ArrowUp' && text === '' && along.length === 0 && !editing.edit) editLast(event)
    if (event.key !== 'Enter' || event.shiftKey) return
    if (isComposing(event)) return
    if (matchMedia('(pointer: coarse)').matches) return
    event.preventDefault()
    if (!isOver) void send(phase === 'idle' ? 'turn' : laneOf(event))
    else if (roomMenu.current) roomMenu.current.open = true
  }

  /** At the beginning of the field there is nothing else to take away. @returns whether there was one. */
  function removeLast({ currentTarget }: KeyboardEvent<HTMLTextAreaElement>): boolean {
    if (currentTarget.selectionStart !== 0 || currentTarget.selectionEnd !== 0) return false
    const [part, file] = [along.at(-1), files.at(-1)]
    if (part) unsent.remove(part)
    else if (file) attached.remove(file.key)
    return part !== undefined || file !== undefined
  }

  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>): void {
    const taken = isPlainPaste.current ? null : takenFromPaste(event.clipboardData)
    if (taken === null) return
    event.preventDefault()
    if (taken.type === 'files') attached.add(taken.files)
    else attached.addText(taken.text)
  }

  async function insertInline(key: string, pasted: Promise<string>): Promise<void> {
    const words = await pasted
    attached.remove(key)
    bringBack(words)
  }

  function insertOf(key: string): (() => void) | null {
    const pasted = attached.textOf(key)
    return pasted && (() => void insertInline(key, pasted))
  }

  function editLast(event: KeyboardEvent): void {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
    const row = queue.findLast((one) => canEdit(one, Date.now()))
    const sent = row ? '' : props.lastSent()
    if (row) editing.begin(row)
    else if (sent !== '') write(sent)
    else return
    event.preventDefault()
  }

  function bringBack(words: string): void {
    write([text, words].filter((part) => part !== '').join('\n\n'))
    field.current?.focus()
  }

  function takeBack({ command }: RefusedCommand): void {
    if (command.name === 'send-message') {
      bringBack(writtenWords(command.content))
      for (const part of command.content)
        if (part.type !== 'text' && part.type !== 'file' && part.type !== 'image') unsent.add(part)
      attached.bringBack(command.content)
    }
    if (isWriting(command)) bringBack(writtenWords(command.content ?? []))
    props.onTakeBack(command.commandId)
    field.current?.focus()
  }

  return (
    <>
      {asked && (
        <Suspense fallback={null}>
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
        </Suspense>
      )}
      <form
        className="composer"
        aria-label={say('composer.composer')}
        data-region="composer"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isOver) void send('turn')
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
              {refused.command.name === 'send-message' || isWriting(refused.command)
                ? say('composer.back-to-the-field')
                : say('common.dismiss')}
            </button>
          </p>
        ))}
        {props.unread.commands.length > 0 && (
          <Suspense fallback={null}>
            <UnreadWords unread={props.unread} onBack={bringBack} />
          </Suspense>
        )}
        {menu && (
          <MentionMenu
            {...menu}
            isLoading={menu.state === 'waiting' || menu.state === 'loading'}
            onChoose={mentions.choose}
          />
        )}
        {unknown?.text === text && (
          <p className="refused" role="alert">
            <span>{say('composer.no-such-command', { name: unknown.name })}</span>
            <button
              type="button"
              className="link-button"
              onClick={() => void send(phase === 'idle' ? 'turn' : 'steer')}
            >
              {say('composer.send-as-message')}
            </button>
          </p>
        )}
        {mentions.problem !== null && (
          <p className="refused" role="alert">
            {mentions.problem}
          </p>
        )}
        {unattached.map((words) => (
          <p key={words} className="refused" role="alert" data-testid="not-attached">
            <span>{words}</span>
          </p>
        ))}
        {(block !== null || later.isWaiting) && (
          <Suspense fallback={null}>
            <SendNotes
              block={block}
              isWaiting={later.isWaiting}
              onRemovePictures={() => files.filter(isPicture).forEach(({ key }) => attached.remove(key))}
              onAttachText={() => {
                attached.addText(text)
                unsent.write('')
                field.current?.focus()
              }}
              onTakeBack={() => {
                later.takeBack()
                field.current?.focus()
              }}
            />
          </Suspense>
        )}
        {props.ruler}
        <AttachmentChips
          files={files}
          api={props.attachments}
          modelId={props.model.modelId}
          onRetry={attached.retry}
          onRemove={(key) => {
            attached.remove(key)
            field.current?.focus()
          }}
          insert={insertOf}
        />
        <AlongChips
          attachments={props.attachments}
          parts={along}
          things={props.named.things}
          conversationId={props.conversationId}
          onChange={(part, next) => {
            unsent.remove(part)
            unsent.add(next)
          }}
          onRemove={(part) => {
            unsent.remove(part)
            field.current?.focus()
          }}
        />
        <textarea
          ref={field}
          id="composer-input"
          data-testid="composer-input"
          aria-label={say('composer.message')}
          placeholder={say('composer.write-a-message')}
          rows={1}
          dir={writtenDirection(text)}
          enterKeyHint="enter"
          value={text}
          aria-autocomplete="list"
          aria-controls={menu && menu.offers.length > 0 ? menu.id : undefined}
          aria-activedescendant={menu && menu.offers.length > 0 ? `${menu.id}-${menu.active}` : undefined}
          onChange={(event) => {
            write(event.target.value)
            keepCaret(event.target)
            mentions.onCaret(event.target.selectionStart)
          }}
          onSelect={({ currentTarget }) => {
            keepCaret(currentTarget)
            mentions.onCaret(currentTarget.selectionStart)
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className="composer-controls">
          <AttachButton onFiles={attached.add} />
          <AttachStatus files={files} />
          <div className="composer-pickers">{props.children}</div>
          <span className="slot-stop">{phase !== 'idle' && <StopButton phase={phase} onStop={onStop} />}</span>
          <span className="slot-send">
            {isOver && props.remedies && (
              <MakeRoom remedies={props.remedies} menu={roomMenu} onSend={() => void send('turn')} />
            )}
            {!isOver && (phase === 'idle' || !isEmpty) && (
              <button
                type="submit"
                className={`button${phase === 'idle' && !isEmpty && block === null ? ' primary' : ''}`}
                data-testid="send"
                aria-disabled={isEmpty || isSending || (block !== null && block !== 'uploading') || later.isWaiting}
                aria-label={phase === 'idle' ? say('composer.send-message') : say('composer.queue-message')}
                title={isEmpty ? say('composer.write-something-first') : block === null ? undefined : blockWords(block)}
              >
                <Icon name={phase === 'idle' ? 'up' : 'enter'} />
                <span className="button-words">{sendLabel(phase, isOnline)}</span>
              </button>
            )}
          </span>
        </div>
        {props.price(block === 'too-long' ? [] : content)}
      </form>
      <DropTarget onFiles={attached.add} />
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
  'switch-auto-fix': 'composer.setting-not-changed',
  'exclude-result': 'composer.result-not-left-out',
  'edit-checkpoint': 'composer.not-changed',
  'undo-checkpoint': 'composer.not-changed',
  rewind: 'composer.not-gone-back',
  'select-path': 'composer.branch-not-selected',
  fork: 'composer.not-branched',
  reset: 'composer.not-reset',
  'change-conversation': 'composer.not-changed',
}

/** Words for a waiting message that did not wait any more, or for one that was written anew: they are given back. [UI29] */
function isWriting(
  command: RefusedCommand['command'],
): command is Extract<RefusedCommand['command'], { name: 'change-input' | 'rewind' }> {
  return (command.name === 'change-input' || command.name === 'rewind') && command.content !== undefined
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
      <span className="button-words">{label(phase, takesLong)}</span>
    </button>
  )
}

function label(phase: 'busy' | 'stopping', takesLong: boolean): string {
  if (phase === 'busy') return say('common.stop')
  return takesLong ? say('page.force-stop') : say('page.stopping-now')
}
