/** The tabs of a table's or a column's page; which one is open stands in the URL. */

import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Tab } from '../app/search'
import { TABS } from '../app/search'
import type { ThingChange } from './graphState'

type ThingTabsProps = {
  tab: Tab
  onChange: ThingChange
  labels: Readonly<Record<Tab, string>>
  panels: Readonly<Record<Tab, () => ReactNode>>
}

export function ThingTabs({ tab, onChange, labels, panels }: ThingTabsProps) {
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(next) => onChange({ tab: (next ?? 'graph') as Tab, like: '', page: 1 })}
    >
      <Tabs.List className="page-tabs">
        {TABS.map((each) => (
          <Tabs.Tab key={each} value={each} data-testid={`tab-${each}`}>
            {labels[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} pt="md">
        {panels[tab]()}
      </Tabs.Panel>
    </Tabs>
  )
}
