/** Something that has a name in this conversation. */
export interface NamedThing {
  /** An element is one of the canvas. */
  readonly kind: 'file' | 'agent' | 'tool' | 'conversation' | 'element'
  /** The path of a file, the name of a tool. */
  readonly id: string
  readonly name: string
  readonly about: string
}
