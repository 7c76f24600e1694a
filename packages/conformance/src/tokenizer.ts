/** Counts the tokens of a text. It must give the same figure for the same text, always. */
export interface Tokenizer {
  count(text: string): number
}

const BYTES_PER_TOKEN = 4

/** Tokens that one message costs beside its blocks. */
export const TOKENS_PER_MESSAGE = 4

/** Tokens of an image, whatever its size. */
export const TOKENS_PER_IMAGE = 1_500

/** Four bytes of UTF-8 are one token, rounded up per block. */
export const byteTokenizer: Tokenizer = {
  count: (text) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN),
}
