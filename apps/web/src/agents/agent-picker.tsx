import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { DEFAULT_AGENT, EXTERNAL_AGENT } from '@holdfast/conversation'
import type { AgentRow } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { Picker } from '../shared/picker.tsx'

interface AgentPickerProps {
  readonly client: Client
  /** Null for the one that sets nothing. */
  readonly chosenId: string | null
  /** What the chosen one is called where it is not in the list any more. */
  readonly chosenName: string | null
  readonly onChoose: (agent: Pick<AgentRow, 'id' | 'name'>) => void
}

/** Who answers from the next step on. Where there is nobody to choose, there is no picker. */
export function AgentPicker({ client, chosenId, chosenName, onChoose }: AgentPickerProps) {
  const rows = useObservable(client.agents, ({ value }) => value?.agents) ?? []
  const value = chosenId ?? DEFAULT_AGENT.agentId
  const chosen = rows.find(({ id }) => id === value)
  if (rows.length < 2 && chosenId === null) return null
  return (
    <Picker
      testId="agent-picker"
      state={value}
      name={say('agents.agent')}
      words={chosen ? nameOf(chosen) : (chosenName ?? value)}
      isName
      title={chosen?.description}
      value={value}
      onChoose={(id) => {
        const row = rows.find((one) => one.id === id)
        if (row) onChoose(row)
      }}
    >
      {!chosen && (
        <option value={value} disabled>
          {chosenName ?? value}
        </option>
      )}
      {rows.filter((row) => !isProgram(row)).map(optionOf)}
      {rows.some(isProgram) && (
        <optgroup label={say('agents.external-agents')}>{rows.filter(isProgram).map(optionOf)}</optgroup>
      )}
    </Picker>
  )
}

function isProgram({ id }: AgentRow): boolean {
  return id.startsWith(EXTERNAL_AGENT)
}

function optionOf(row: AgentRow) {
  return (
    <option key={row.id} value={row.id} title={row.description}>
      {nameOf(row)}
    </option>
  )
}

function nameOf({ avatar, name }: AgentRow): string {
  return avatar === null ? name : `${avatar} ${name}`
}
