/** How much there is of what, in the lineage of a script. */
import type { AnalyzeAnswer, Diagram, DiagramEntity } from '../api/types'
import { RELATION_WORDS } from '../diagram'

export type SummaryRow = { readonly label: string; readonly count: number }
export type SummaryGroup = { readonly key: string; readonly title: string; readonly rows: readonly SummaryRow[] }

/** Counts by kind, the largest first: entities, columns, relations, statements, diagnostics. */
export function summaryOf({ diagram, diagnostics }: Pick<AnalyzeAnswer, 'diagram' | 'diagnostics'>): SummaryGroup[] {
  return [
    group('entities', 'Entities', diagram.entities.map(kindOf)),
    group('columns', 'Columns', columnKinds(diagram)),
    group('relations', 'Relations', diagram.relations.map(relationKind)),
    group(
      'processes',
      'Statements',
      diagram.processes.map((process) => process.type),
    ),
    group(
      'diagnostics',
      'Diagnostics',
      diagnostics.map((said) => said.severity),
    ),
  ]
}

export function totalOf({ rows }: SummaryGroup): number {
  return rows.reduce((sum, row) => sum + row.count, 0)
}

function kindOf(entity: DiagramEntity): string {
  const kind = entity.kind === 'resultset' ? 'result set' : entity.kind
  return entity.temporary ? `temporary ${kind}` : kind
}

function columnKinds(diagram: Diagram): string[] {
  return diagram.entities.flatMap((entity) =>
    entity.columns.filter((column) => !column.row_set).map(() => `of a ${kindOf(entity)}`),
  )
}

function relationKind(relation: Diagram['relations'][number]): string {
  return relation.clause === 'foreignKey' ? 'foreign key' : RELATION_WORDS[relation.type]
}

function group(key: string, title: string, labels: readonly string[]): SummaryGroup {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  const rows = [...counts].map(([label, count]) => ({ label, count }))
  return { key, title, rows: rows.sort((a, b) => b.count - a.count || a.label.localeCompare(b.label)) }
}
