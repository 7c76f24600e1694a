import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { API_PATH } from '@holdfast/protocol'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'

/** Knows for all below it which agents have a picture, and reads those that are shown. */
export function AgentPictures({ client, children }: { readonly client: Client; readonly children: ReactNode }) {
  const rows = useObservable(client.agents, ({ value }) => value?.agents)
  const read = useMemo(() => readOnce(client.readPicture), [client])
  const pictures = useMemo<Pictures>(
    () => ({
      targets: new Map(
        (rows ?? []).flatMap(({ id, picture }): (readonly [string, string])[] =>
          picture === null ? [] : [[id, targetOf(id, picture)]],
        ),
      ),
      read,
    }),
    [rows, read],
  )
  return <PicturesOfAgents value={pictures}>{children}</PicturesOfAgents>
}

/** An agent's picture as it is now, as an address that can be shown; null where letters stand for it, or until it is read. */
export function usePictureAddress(agentId: string): string | null {
  const { targets, read } = useContext(PicturesOfAgents)
  const target = targets.get(agentId) ?? null
  const [known, setKnown] = useState<{ readonly target: string; readonly address: string | null } | null>(null)
  useEffect(() => {
    if (target === null) return
    let isCurrent = true
    void read(target).then((address) => {
      if (isCurrent) setKnown({ target, address })
    })
    return () => {
      isCurrent = false
    }
  }, [target, read])
  return known !== null && known.target === target ? known.address : null
}

interface Pictures {
  /** Where the pictures of the agents are, by the agent's id; an agent without one is not in it. */
  readonly targets: ReadonlyMap<string, string>
  /** Null for one that cannot be read. */
  readonly read: (target: string) => Promise<string | null>
}

/** Another picture has another address, so that it is asked for once. */
function targetOf(agentId: string, picture: string): string {
  return `${API_PATH}/agents/${encodeURIComponent(agentId)}/picture?version=${encodeURIComponent(picture)}`
}

/** A picture element sends no key, so that the page reads the picture. Each is read once; one that failed is read again. [SEC19] */
function readOnce(readPicture: Client['readPicture']): Pictures['read'] {
  const known = new Map<string, Promise<string | null>>()
  return (target) => {
    const reading = known.get(target) ?? find(target)
    known.set(target, reading)
    return reading
  }

  async function find(target: string): Promise<string | null> {
    const { type, value } = await answerOf(readPicture(target))
    if (type === 'failed') known.delete(target)
    return value
  }
}

const PicturesOfAgents = createContext<Pictures>({ targets: new Map(), read: () => Promise.resolve(null) })
