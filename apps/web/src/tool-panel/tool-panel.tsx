import {
  type Client,
  type ConversationStore,
  RequestFailedError,
  type SettingChanges,
  type ToolChoice,
} from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import type { ToolMode } from '@holdfast/protocol'
import { useEffect, useState } from 'react'
import { shortCount } from '../format.ts'
import { Said } from '../language/said.tsx'
import { say } from '../language/say.ts'
import { SwitchPrice, settingsWish, usePricedSwitch } from '../price/switch-price.tsx'
import { errorText } from '../problem-words.ts'
import { GivenRules } from './given-rules.tsx'
import { ModeChoice } from './mode-choice.tsx'
import { type SourceActs, SourcePart } from './source-part.tsx'
import { SuggestedHere } from './suggested-here.tsx'
import { MODES, sendsTheSame, toolGroups } from './tool-groups.ts'

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
  const [problem, setProblem] = useState<string | null>(null)
  const [now, setNow] = useState(() => Date.now())

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

  function attempt(act: Promise<void>): void {
    setProblem(null)
    act.catch((error: unknown) => {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(errorText(error))
    })
  }

  /** What a request carries changes with it, and with that what the cache has: the price comes first. [TOOL10] */
  function choose(name: string, choice: ToolChoice): void {
    toolSwitch.ask(settingsWish(name, settingsOf(choice), () => attempt(tools.choose(choice))))
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
  const included = answer.tools.filter((tool) => tool.included)
  const acts: SourceActs = {
    restart: (server) => attempt(tools.restart(server)),
    switchServer: (server, on) => attempt(tools.switchServer(server, on)),
    accept: ({ server }) => server && attempt(tools.accept(server)),
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
              tokens: shortCount(included.reduce((sum, tool) => sum + tool.schemaTokens, 0)),
            })}
          </span>
        </header>
        <ModeChoice
          mode={mode}
          wanted={MODES.find(({ name }) => say(name) === toolSwitch.asked?.name)?.mode ?? null}
          onChoose={(next) => {
            const first = next === 'manual' ? { included: included.map(({ name }) => name).slice(0, MOST_CHOSEN) } : {}
            if (next === mode) return
            if (sendsTheSame(mode, next)) attempt(tools.choose({ mode: next, ...first }))
            else choose(nameOf(next), { mode: next, ...first })
          }}
        />
        {toolSwitch.asked && <SwitchPrice asked={toolSwitch.asked} />}
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
      </section>
      <GivenRules store={store} />
      <SuggestedHere client={client} store={store} />
      {toolGroups(answer, rows).map((group) => (
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
