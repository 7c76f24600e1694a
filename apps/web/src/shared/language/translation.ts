/** A text for each key of an English catalogue, no more and no less. */
export type Translation<English> = { readonly [Key in keyof English]: string }

/** A draft of a part: what came to the English one since it was made may be missing. */
export type DraftTranslation<English> = { readonly [Key in keyof English]?: string }
