// Runs before the first paint, so that the page never flashes in another theme. The page itself checks what is kept.
try {
  const kept = JSON.parse(localStorage.getItem('holdfast.preferences') ?? '{}')
  const root = document.documentElement
  root.dataset.theme = String(kept.theme ?? 'system')
  root.dataset.motion = String(kept.motion ?? 'system')
  root.dir = kept.direction === 'rtl' ? 'rtl' : 'ltr'
  if (Number.isInteger(kept.textSizePx)) root.style.fontSize = `${(kept.textSizePx / 16) * 100}%`
} catch {
  // What cannot be read counts as not chosen.
}
