/** The page begins here. */

import '@mantine/core/styles.css'
import '@mantine/charts/styles.css'
import './app/page.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './app/query'
import { router } from './app/router'
import { theme, variables } from './app/theme'

/** The server puts a nonce into the page: only style elements that carry it count. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
/** What windows over the page do to its scroll bar is a style element, too; its library looks for the nonce here. */
Object.assign(globalThis, { __webpack_nonce__: nonce })

const colorSchemes = localStorageColorSchemeManager({ key: 'headwater-color-scheme' })

const place = document.getElementById('root')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={colorSchemes}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
