import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { API_PATH } from '@holdfast/protocol'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { BASE_PATH } from '../shared/address.ts'

/** Knows for all below it which agents have a picture, and where. */
export function AgentPictures({ client, children }: { readonly client: Client; readonly children: ReactNode }) {
  const rows = useObservable(client.agents, ({ value }) => value?.agents)
  const addresses = useMemo(
    () =>
      new Map(
        (rows ?? []).flatMap(({ id, picture }): (readonly [string, string])[] =>
          picture === null ? [] : [[id, addressOf(id, picture)]],
        ),
      ),
    [rows],
  )
  return <PictureAddresses value={addresses}>{children}</PictureAddresses>
}

/** Where an agent's picture is, as it is now; null where letters stand for it. */
export function usePictureAddress(agentId: string): string | null {
  return useContext(PictureAddresses).get(agentId) ?? null
}

/** Another picture has another address, so that a browser asks once for each. */
function addressOf(agentId: string, picture: string): string {
  return `${BASE_PATH}${API_PATH}/agents/${encodeURIComponent(agentId)}/picture?version=${encodeURIComponent(picture)}`
}

/** Where the pictures of the agents are, by the agent's id; an agent without one is not in it. */
const PictureAddresses = createContext<ReadonlyMap<string, string>>(new Map())
