// Runs before the first paint, so that the page never flashes in another theme. The page itself checks what is kept.
try {
  const kept = JSON.parse(localStorage.getItem('holdfast.preferences') ?? '{}')
  const root = document.documentElement
  root.dataset.theme = String(kept.theme ?? 'system')
  root.dataset.motion = String(kept.motion ?? 'system')
  // As src/language/languages.ts has them.
  const bases = navigator.languages.map((tag) => tag.split('-')[0].toLowerCase())
  const asked = bases.find((base) => ['en', 'de', 'ja', 'ar'].includes(base)) ?? 'en'
  root.lang = String((kept.language ?? 'browser') === 'browser' ? asked : kept.language)
  const byLanguage = root.lang.startsWith('ar') ? 'rtl' : 'ltr'
  root.dir = kept.direction === 'rtl' || kept.direction === 'ltr' ? kept.direction : byLanguage
  if (Number.isInteger(kept.textSizePx)) root.style.fontSize = `${(kept.textSizePx / 16) * 100}%`
} catch {
  // What cannot be read counts as not chosen.
}
