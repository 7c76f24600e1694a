/** A tally in light colours: a whole document, as a model writes it. */
export const COUNTING_PAGE = page('#fbfaf7', '#22211f')

/** A tally in dark colours. */
export const COUNTING_PAGE_DARK = page('#1d2021', '#ebe5d8')

function page(ground: string, ink: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>A tally</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 16px; justify-items: center; background: ${ground}; color: ${ink}; font: 16px system-ui, sans-serif; }
  output { font-size: 64px; font-variant-numeric: tabular-nums; }
  button { padding: 8px 20px; border: 1px solid ${ink}; border-radius: 4px; background: none; color: inherit; font: inherit; cursor: pointer; }
  p { margin: 0; opacity: 0.75; }
</style>
</head>
<body>
<output>0</output>
<div><button id="more">One more</button> <button id="again">From the beginning</button></div>
<p id="pace">Press to begin.</p>
<script>
  const shown = document.querySelector('output')
  const pace = document.querySelector('#pace')
  let count = 0
  let from = 0
  document.querySelector('#more').addEventListener('click', () => {
    if (count === 0) from = performance.now()
    count += 1
    shown.value = String(count)
    const seconds = (performance.now() - from) / 1000
    pace.textContent = seconds < 1 ? 'Go on.' : (count / seconds).toFixed(1) + ' a second'
  })
  document.querySelector('#again').addEventListener('click', () => {
    count = 0
    shown.value = '0'
    pace.textContent = 'Press to begin.'
  })
</script>
</body>
</html>
`
}
