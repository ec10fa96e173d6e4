// Sets light or dark before anything is drawn, so that the page does not flash. A file of its own: no script stands in the page itself.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('headwater-color-scheme') ?? 'auto'
  } catch {
    // Without storage the system's choice is taken.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
