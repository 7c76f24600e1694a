/** A model as its server lists it; null where the server does not say. */
export interface ListedModel {
  readonly modelId: string
  /** For people; the id where the server has no other. */
  readonly name: string
  readonly contextWindowTokens: number | null
  readonly maxOutputTokens: number | null
  /** Whom the server names as its owner: some tell by it what kind of server they are. */
  readonly ownedBy: string | null
}
