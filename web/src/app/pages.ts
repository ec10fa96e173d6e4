/** The pages that the header links to, and the command palette offers. */

export const PAGES = [
  { to: '/', label: 'Overview', store: true },
  { to: '/tables', label: 'Tables', store: true },
  { to: '/scripts', label: 'Scripts', store: true },
  { to: '/diagnostics', label: 'Diagnostics', store: true },
  { to: '/coverage', label: 'Coverage', store: true },
  { to: '/tags', label: 'Tags', store: true },
  { to: '/path', label: 'Path', store: true },
  { to: '/diff', label: 'Diff', store: true },
  { to: '/unused', label: 'Unused', store: true },
  { to: '/playground', label: 'Playground', store: false },
] as const
