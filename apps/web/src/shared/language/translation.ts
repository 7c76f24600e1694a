/** A text for each key of an English catalogue, no more and no less. */
export type Translation<English> = { readonly [Key in keyof English]: string }
