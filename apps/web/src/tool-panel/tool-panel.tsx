import type { Client, ConversationStore, SettingChanges, ToolChoice } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import type { ConversationRule } from '@holdfast/conversation'
import type { ToolMode } from '@holdfast/protocol'
import { useCallback, useEffect, useState } from 'react'
import { useContextUse } from '../composer/context/use-context-use.ts'
import { SwitchPrice, settingsSwitch, usePricedSwitch } from '../composer/price/switch-price.tsx'
import { SuggestedRules } from '../rules/suggested-rules.tsx'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { exactTime, shortCount } from '../shared/format.ts'
import { Said } from '../shared/language/said.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'
import { errorText } from '../shared/problem-words.ts'
import { askedOfTool, toolWords } from '../shared/rule-words.ts'
import { calibratedTools, sumOf } from './calibrated-tools.ts'
import { leaveForSignIn } from './server-sign-in.ts'
import { type SourceActs, SourcePart } from './source-part.tsx'
import { MODES, sendsTheSame, tokensOf, toolGroups, withoutRoom } from './tool-groups.ts'

/** How often servers are asked for what they do while the panel is open, in milliseconds. */
const LOOK_MS = 2_000
/** Tools that may be chosen one by one. */
const MOST_CHOSEN = 2_000

/** The tools of a conversation: which the model is shown, where they come from, who decides, what they did. */
export function ToolPanel({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const version = useConversation(store, ({ overview }) => overview.head)
  const tools = client.tools(conversationId)
  const list = useObservable(tools.list, (state) => state)
  const servers = useObservable(tools.servers, (state) => state)
  const toolSwitch = usePricedSwitch(client.context(conversationId))
  const changing = useTold()
  const { problem } = changing
  const [now, setNow] = useState(() => Date.now())
  const use = useContextUse(client, store).value ?? null

  // biome-ignore lint/correctness/useExhaustiveDependencies: what happened in the conversation changes the figures
  useEffect(() => {
    tools.list.load()
  }, [tools, version])
  useEffect(() => {
    function look(): void {
      tools.servers.load()
      setNow(Date.now())
    }
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [tools])
  const counts = servers.value?.servers.map(({ toolCount, state }) => `${toolCount} ${state.type}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a server that came or went brings or takes its tools
  useEffect(() => {
    tools.list.load()
  }, [tools, counts])

  function attempt(act: () => Promise<void>): void {
    void changing.run(act)
  }

  /** What a request carries changes with it, and with that what the cache has: the price comes first. [TOOL10] */
  function choose(name: string, choice: ToolChoice): void {
    toolSwitch.ask(settingsSwitch(name, settingsOf(choice), () => attempt(() => tools.choose(choice))))
  }

  const answer = list.value
  if (!answer)
    return (
      <p className="meta inspector-part">
        {(list.problem && errorText(list.problem)) ?? say('tool-panel.the-tools-appear-in-a')}
      </p>
    )
  const { mode, excludedSources } = answer
  const rows = servers.value?.servers ?? []
  const sent = use?.breakdown.tools ?? null
  const calibrated = { mode, excludedSources, tools: [...calibratedTools(answer.tools, sent)] }
  const included = calibrated.tools.filter((tool) => tool.included)
  const keptTokens = mode === 'all-off' && sent !== null ? sumOf(sent) : 0
  const sentTokens = keptTokens > 0 ? keptTokens : tokensOf(included)
  const noRoomCount = withoutRoom(answer).length
  const acts: SourceActs = {
    restart: (server) => attempt(() => tools.restart(server)),
    signIn: (server) => attempt(async () => leaveForSignIn(await tools.beginSignIn(server))),
    switchServer: (server, on) => attempt(() => tools.switchServer(server, on)),
    accept: ({ server }) => server && attempt(() => tools.accept(server)),
    exclude(source, isOn) {
      const others = excludedSources.filter((name) => name !== source)
      const words = isOn ? say('tool-panel.source-on', { source }) : say('tool-panel.source-off', { source })
      choose(words, { mode, excludedSources: isOn ? others : [...others, source] })
    },
    include:
      mode === 'manual'
        ? (tool, isIncluded) => {
            const others = included.map(({ name }) => name).filter((name) => name !== tool.name)
            const { name } = tool
            const words = isIncluded
              ? say('tool-panel.tool-shown', { name })
              : say('tool-panel.tool-left-out', { name })
            choose(words, { mode, included: isIncluded ? [...others, name] : others })
          }
        : null,
  }
  return (
    <>
      <section className="inspector-part" data-testid="tool-panel">
        <header>
          <h3>{say('tool-panel.which-tools-the-model-is')}</h3>
          <span className="meta">
            {say('tool-panel.included-of', {
              included: included.length,
              all: answer.tools.length,
              count: sentTokens,
              tokens: `${use?.measured ? '' : '≈ '}${shortCount(sentTokens)}`,
            })}
          </span>
        </header>
        <ModeChoice
          mode={mode}
          wanted={MODES.find(({ name }) => say(name) === toolSwitch.asked?.name)?.mode ?? null}
          onChoose={(next) => {
            const first = next === 'manual' ? { included: included.map(({ name }) => name).slice(0, MOST_CHOSEN) } : {}
            if (next === mode) return
            if (sendsTheSame(mode, next)) attempt(() => tools.choose({ mode: next, ...first }))
            else choose(nameOf(next), { mode: next, ...first })
          }}
        />
        {noRoomCount > 0 && (
          <p className="meta" data-testid="no-room">
            {say('tool-panel.no-room', { count: noRoomCount })}
          </p>
        )}
        {keptTokens > 0 && (
          <p className="meta" data-testid="kept-definitions">
            {say('tool-panel.definitions-stay', { count: keptTokens, tokens: shortCount(keptTokens) })}
          </p>
        )}
        {toolSwitch.asked && <SwitchPrice asked={toolSwitch.asked} />}
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
      </section>
      <GivenRules store={store} />
      <SuggestedHere client={client} store={store} />
      {toolGroups(calibrated, rows).map((group) => (
        <SourcePart key={group.source ?? ''} group={group} acts={acts} now={now} />
      ))}
      {rows.length === 0 && (
        <p className="meta inspector-part">
          <Said of="tool-panel.no-servers" values={{}} tags={{ code: (inner) => <code>{inner}</code> }} />
        </p>
      )}
    </>
  )
}

function nameOf(mode: ToolMode): string {
  const found = MODES.find((choice) => choice.mode === mode)
  return found ? say(found.name) : mode
}

function settingsOf({ mode, included, excludedSources }: ToolChoice): SettingChanges {
  return {
    toolMode: mode,
    ...(included === undefined ? {} : { includedTools: [...included] }),
    ...(excludedSources === undefined ? {} : { excludedSources: [...excludedSources] }),
  }
}

/** The rules that a person has given in this conversation, each to be taken back. [PERM5] */
function GivenRules({ store }: { readonly store: ConversationStore }) {
  const rules = useConversation(store, ({ overview }) => overview.permissionRules)
  const outbox = useConversation(store, (state) => state.outbox)
  if (rules.length === 0) return null
  const isOnItsWay = ({ ruleId }: ConversationRule): boolean =>
    outbox.some(({ command }) => command.name === 'revoke-rule' && command.ruleId === ruleId)
  return (
    <section className="inspector-part" data-testid="given-rules">
      <header>
        <h3>{say('tool-panel.given-here')}</h3>
        <span className="meta">{say('tool-panel.given-holds')}</span>
      </header>
      <ul className="given-rules">
        {rules.map((rule) => (
          <li key={rule.ruleId} data-testid="given-rule">
            <span>
              <strong>{say(EFFECTS[rule.effect])}</strong> {subjectOf(rule)}
              <span className="meta" title={exactTime(rule.givenAt)}>
                {rangeOf(rule)}
              </span>
            </span>
            <button
              type="button"
              className="button small"
              aria-label={say('tool-panel.take-back-rule', { rule: subjectOf(rule) })}
              disabled={isOnItsWay(rule)}
              onClick={() => store.revokeRule(rule.ruleId)}
            >
              {say('tool-panel.take-back')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const EFFECTS: Readonly<Record<ConversationRule['effect'], PlainKey>> = {
  allow: 'tool-panel.given-allowed',
  ask: 'tool-panel.given-asked',
  deny: 'tool-panel.given-denied',
}

function subjectOf(rule: ConversationRule): string {
  const asked = askedOfTool(rule)
  return asked.length === 0 ? toolWords(rule) : `${toolWords(rule)} (${asked.join(', ')})`
}

function rangeOf({ effect, pattern, annotations }: ConversationRule): string {
  if (pattern !== undefined) return say('tool-panel.given-only', { pattern })
  const isHarmless = effect === 'allow' && annotations?.destructive === false
  return say(isHarmless ? 'tool-panel.given-not-destructive' : 'tool-panel.given-any-input')
}

interface ModeChoiceProps {
  readonly mode: ToolMode
  /** The mode whose price is shown; null for none. */
  readonly wanted: ToolMode | null
  readonly onChoose: (mode: ToolMode) => void
}

/** Which tools the model is shown. [TOOL10] */
function ModeChoice({ mode, wanted, onChoose }: ModeChoiceProps) {
  const chosen = MODES.find((choice) => choice.mode === mode)
  return (
    <>
      <fieldset className="mode-choice" data-testid="tool-mode" data-state={mode}>
        <legend className="visually-hidden">{say('tool-panel.which-tools-the-model-is')}</legend>
        {MODES.map(({ mode: own, name }) => (
          <label key={own} className={own === wanted ? 'wanted' : undefined}>
            <input type="radio" name="tool-mode" checked={own === mode} onChange={() => onChoose(own)} />
            {say(name)}
          </label>
        ))}
      </fieldset>
      <p className="meta">
        {chosen && (
          <>
            <strong>{say(chosen.name)}</strong> — {say(chosen.says)}
          </>
        )}
      </p>
    </>
  )
}

/** What the answers in this conversation suggest; nothing where they suggest nothing. */
function SuggestedHere({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const ruleCount = useConversation(store, ({ overview }) => overview.permissionRules.length)
  const openCount = useConversation(store, ({ overview }) => overview.pendingPermissions.length)
  const api = client.permissionRules
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer, or another rule, asks anew
  const ask = useCallback(() => api.suggest(conversationId), [api, conversationId, ruleCount, openCount])
  const [answer, askAgain] = useAsked(ask)
  if (answer.type !== 'here' || answer.value.suggestions.length === 0) return null
  return (
    <section className="inspector-part" data-testid="suggested-here">
      <header>
        <h3>{say('rules.suggested')}</h3>
      </header>
      <SuggestedRules
        api={api}
        conversationId={conversationId}
        suggestions={answer.value.suggestions}
        onDecided={askAgain}
      />
    </section>
  )
}
