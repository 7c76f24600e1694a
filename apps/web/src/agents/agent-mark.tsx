import { useState } from 'react'
import { usePictureAddress } from './agent-pictures.tsx'

interface AgentMarkProps {
  readonly agentId: string
  readonly name: string
  /** An emoji or letters, for where there is no picture. */
  readonly avatar: string | null
}

/** What stands for an agent where there is little room: its picture, its emoji or letters, or the first letters of its name. */
export function AgentMark({ agentId, name, avatar }: AgentMarkProps) {
  const address = usePictureAddress(agentId)
  return (
    <span className="agent-mark" data-testid="agent-mark" title={name} aria-hidden="true">
      <PictureOr address={address}>{avatar ?? initials(name)}</PictureOr>
    </span>
  )
}

/** A picture; what stands in for it where there is none, or where it cannot be read. */
export function PictureOr({ address, children }: { readonly address: string | null; readonly children: string }) {
  const [unread, setUnread] = useState<string | null>(null)
  if (address === null || address === unread) return children
  return <img src={address} alt="" onError={() => setUnread(address)} />
}

/** Up to two letters, of the first two words. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = words.slice(0, 2).map((word) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '')
  return letters.join('').toUpperCase()
}
