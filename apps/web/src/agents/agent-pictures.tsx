import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { API_PATH } from '@holdfast/protocol'
import { type ReactNode, useMemo } from 'react'
import { BASE_PATH } from '../base-path.ts'
import { PictureAddresses } from './picture-address.ts'

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

/** Another picture has another address, so that a browser asks once for each. */
function addressOf(agentId: string, picture: string): string {
  return `${BASE_PATH}${API_PATH}/agents/${encodeURIComponent(agentId)}/picture?version=${encodeURIComponent(picture)}`
}
