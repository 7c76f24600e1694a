import type { ConversationTools, UnsentPart } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { answerOf } from '../../shared/ask-server.ts'
import { say } from '../../shared/language/say.ts'
import { type MentionQuery, mentionQuery, withoutQuery, withWords } from './mention-query.ts'
import type { NamedThing } from './named-thing.ts'
import {
  type AskingOffer,
  commandOffers,
  namedOffers,
  type Offer,
  promptOffers,
  resourceOffers,
  type WrittenCommand,
} from './offers.ts'
import { expanded } from './uri-template.ts'

interface MentionsDeps {
  readonly tools: ConversationTools
  readonly text: string
  readonly write: (text: string) => void
  /** Lets what was chosen go along with the message. */
  readonly add: (part: UnsentPart) => void
  /** Servers that are off in the conversation. */
  readonly excluded: readonly string[]
  /** What the page itself does when it is sent. */
  readonly commands: readonly WrittenCommand[]
  readonly named: NamedThings
}

/** What can be named by `@` beside resources of servers. */
export interface NamedThings {
  /** Agents, tools, conversations and elements of the canvas, the newest first. */
  readonly things: readonly NamedThing[]
  /** Files by words of their path. @throws {RequestFailedError} */
  readonly findFiles: (words: string) => Promise<readonly string[]>
  /** Reads what is not known yet. */
  readonly load: () => void
}

/** An offer that waits for its values. */
interface Asked {
  readonly offer: AskingOffer
  readonly problem: string | null
}

/** What `/` and `@` do in a composer: what can be chosen, what was chosen, and what is asked for in between. */
export function useMentions({ tools, text, write, add, excluded, commands, named }: MentionsDeps) {
  const menuId = useId()
  const { load: loadNamed } = named
  const offered = useObservable(tools.offers, (offers) => offers)
  const [caret, setCaret] = useState<number | null>(null)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const found = caret === null ? null : mentionQuery(text, caret)
  const query = found === null || found.from === closedAt ? null : found
  const type = query?.type ?? null
  const servers = (offered.value ?? []).filter(({ server }) => !excluded.includes(server))
  const files = useFiles(named, query?.type === 'resource' ? query.words : null)
  const offers = query === null ? [] : offersOf(query)
  // What goes on behind a command is its own affair.
  const isShown = query !== null && (offers.length > 0 || !query.words.includes(' '))
  const chosen = Math.min(active, Math.max(0, offers.length - 1))

  useEffect(() => {
    if (type !== null) tools.offers.load()
    if (type === 'resource') loadNamed()
  }, [tools, type, loadNamed])

  function offersOf({ type: wanted, words }: MentionQuery): readonly Offer[] {
    if (wanted === 'resource')
      return [...namedOffers([...files, ...named.things], words), ...resourceOffers(servers, words)]
    return [...commandOffers(commands, words), ...promptOffers(servers, words)]
  }

  /** Takes what was written to find it out of the text. */
  function takeOut(): void {
    if (query) write(withoutQuery(text, query))
    setCaret(null)
  }

  function attach(server: string, uri: string, name: string): void {
    add({ type: 'resource', server, uri, name: name.slice(0, 200) })
  }

  async function insert(offer: Offer, name: string, values: Readonly<Record<string, string>>): Promise<void> {
    const wish = { server: offer.server, prompt: name, arguments: values }
    const { value: messages, problem: refusal } = await answerOf(tools.readPrompt(wish))
    if (messages === null) {
      if (asked) setAsked({ offer: asked.offer, problem: refusal })
      else setProblem(refusal)
      return
    }
    const words = messages.map(({ role, text: said }) =>
      role === 'assistant' ? say('mentions.as-assistant', { text: said }) : said,
    )
    const rest = query ? withoutQuery(text, query) : text
    write([...words, rest].filter((part) => part.trim() !== '').join('\n\n'))
    setAsked(null)
    setCaret(null)
  }

  function choose(offer: Offer): void {
    const { choice, server, name } = offer
    setProblem(null)
    switch (choice.type) {
      case 'command':
        write(choice.text)
        setCaret(null)
        return
      case 'named':
        if (query) write(withWords(text, query, choice.text))
        add(choice.part)
        setCaret(null)
        return
      case 'resource':
        takeOut()
        attach(server, choice.uri, name)
        return
      case 'template':
        takeOut()
        setAsked({ offer: { ...offer, choice }, problem: null })
        return
      case 'prompt':
        if (choice.values.length === 0) void insert(offer, choice.name, {})
        else {
          takeOut()
          setAsked({ offer: { ...offer, choice }, problem: null })
        }
    }
  }

  function finish(values: Readonly<Record<string, string>>): void {
    if (!asked) return
    const { offer } = asked
    const { choice, server, name } = offer
    switch (choice.type) {
      case 'prompt':
        void insert(offer, choice.name, values)
        return
      case 'template':
        attach(server, expanded(choice.uriTemplate, values), `${name} ${Object.values(values).join(' ')}`.trim())
        setAsked(null)
    }
  }

  /** @returns whether the key was for the menu. */
  function onKey(event: KeyboardEvent): boolean {
    if (query === null || event.nativeEvent.isComposing) return false
    const offer = offers[chosen]
    if (!isShown) return false
    if (event.key === 'Escape') setClosedAt(query.from)
    else if (offer === undefined) return false
    // What is written to its end is meant.
    else if (event.key === 'Enter' && isWritten(offer, text)) return false
    else if (event.key === 'ArrowDown') setActive((chosen + 1) % offers.length)
    else if (event.key === 'ArrowUp') setActive((chosen + offers.length - 1) % offers.length)
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') choose(offer)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return {
    menu:
      query === null || !isShown
        ? null
        : { id: menuId, type: query.type, offers, active: chosen, state: offered.state },
    asked,
    problem,
    choose,
    finish,
    cancel: () => setAsked(null),
    onKey,
    onCaret(position: number) {
      if (position === caret) return
      setCaret(position)
      setActive(0)
      if (closedAt !== null && mentionQuery(text, position)?.from !== closedAt) setClosedAt(null)
    },
  }
}

function isWritten({ choice }: Offer, text: string): boolean {
  return choice.type === 'command' && choice.text.trim() === text.trim()
}

/** The words must rest for so long before the server looks for files, in milliseconds. */
const REST_MS = 60

const NO_FILES: readonly NamedThing[] = []

/** Files whose path holds the words; none while nobody asks. A search that fails finds nothing. */
function useFiles({ findFiles }: NamedThings, words: string | null): readonly NamedThing[] {
  const [found, setFound] = useState(NO_FILES)
  useEffect(() => {
    if (words === null) return
    let isWanted = true
    const timer = setTimeout(async () => {
      const { value } = await answerOf(findFiles(words))
      if (isWanted) setFound((value ?? []).map((name): NamedThing => ({ kind: 'file', id: name, name, about: '' })))
    }, REST_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [findFiles, words])
  return words === null ? NO_FILES : found
}
