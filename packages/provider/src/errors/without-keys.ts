/** What keys look like: vendors repeat them in their refusals. */
const KEYS = /\b(?:sk-|AIza|gsk_|xai-|hf_|AKIA|ABSK|Bearer\s+)[\w*.-]{6,}/g

/** The text with everything in it that looks like a key replaced. [SEC4] */
export function withoutKeys(text: string): string {
  return text.replaceAll(KEYS, '[key]')
}
