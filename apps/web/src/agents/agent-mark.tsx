/** What stands for an agent where there is little room: its emoji or letters, else the first letters of its name. */
export function AgentMark({ name, avatar }: { readonly name: string; readonly avatar: string | null }) {
  return (
    <span className="agent-mark" data-testid="agent-mark" title={name} aria-hidden="true">
      {avatar ?? initials(name)}
    </span>
  )
}

/** Up to two letters, of the first two words. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = words.slice(0, 2).map((word) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '')
  return letters.join('').toUpperCase()
}
