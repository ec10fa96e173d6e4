/** What kinds of entities there are: their names for people, and a sign for each. */

import {
  IconAlertCircle,
  IconBolt,
  IconBulb,
  IconChartLine,
  IconColumns3,
  IconCube,
  IconEye,
  IconFile,
  IconForms,
  IconFunction,
  IconGauge,
  IconLayoutDashboard,
  IconPackage,
  IconQuote,
  IconRuler2,
  IconSchema,
  IconTable,
  IconVariable,
  type TablerIcon,
} from '@tabler/icons-react'

type Kind = { label: string; many: string; icon: TablerIcon; color: string; semantic?: true }

const KINDS: Record<string, Kind> = {
  table: { label: 'Table', many: 'Tables', icon: IconTable, color: 'water' },
  view: { label: 'View', many: 'Views', icon: IconEye, color: 'violet' },
  path: { label: 'Path', many: 'Paths', icon: IconFile, color: 'yellow' },
  stage: { label: 'Stage', many: 'Stages', icon: IconPackage, color: 'orange' },
  pseudoTable: { label: 'Unknown source', many: 'Unknown sources', icon: IconAlertCircle, color: 'red' },
  model: { label: 'Model', many: 'Models', icon: IconCube, color: 'indigo', semantic: true },
  dimension: { label: 'Dimension', many: 'Dimensions', icon: IconRuler2, color: 'lime', semantic: true },
  metric: { label: 'Metric', many: 'Metrics', icon: IconGauge, color: 'green', semantic: true },
  insight: { label: 'Insight', many: 'Insights', icon: IconBulb, color: 'pink', semantic: true },
  input: { label: 'Input', many: 'Inputs', icon: IconForms, color: 'grape', semantic: true },
  chart: { label: 'Chart', many: 'Charts', icon: IconChartLine, color: 'blue', semantic: true },
  dashboard: { label: 'Dashboard', many: 'Dashboards', icon: IconLayoutDashboard, color: 'cyan', semantic: true },
  exposure: { label: 'Exposure', many: 'Exposures', icon: IconBolt, color: 'red', semantic: true },
  resultset: { label: 'Result set', many: 'Result sets', icon: IconSchema, color: 'gray' },
  function: { label: 'Function', many: 'Functions', icon: IconFunction, color: 'gray' },
  literal: { label: 'Literal', many: 'Literals', icon: IconQuote, color: 'gray' },
  variable: { label: 'Variable', many: 'Variables', icon: IconVariable, color: 'gray' },
}

/** What is known about a kind; one that is not known is shown by its own word. */
export function kindOf(kind: string): Kind {
  return KINDS[kind] ?? { label: kind, many: kind, icon: IconTable, color: 'gray' }
}

/** Whether a kind is one of a semantic layer. */
export function isSemantic(kind: string): boolean {
  return KINDS[kind]?.semantic ?? false
}

/** The sign of a kind; a column's is its own. */
export function KindIcon({ kind, column = false, size = 16 }: { kind: string; column?: boolean; size?: number }) {
  const { icon, color, label } = kindOf(kind)
  const Icon = column ? IconColumns3 : icon
  return (
    <Icon
      size={size}
      role="img"
      aria-label={column ? `Column of a ${label.toLowerCase()}` : label}
      color={`light-dark(var(--mantine-color-${color}-8), var(--mantine-color-${color}-4))`}
      style={{ flex: 'none' }}
    />
  )
}
