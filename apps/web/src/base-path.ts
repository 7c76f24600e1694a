/** The path under which the page stands; empty where it stands at the root. The server writes it into the page. */
export const BASE_PATH = document.querySelector('meta[name="holdfast-base"]')?.getAttribute('content') ?? ''
