/** The table level as the model has it: entity → statement → entity, with a node for each statement. */
import type { Diagram, DiagramEntity, DiagramProcess, DiagramRelation } from './types'

export const PROCESS = 'process'

/** The same diagram with relations between entities led through their statements; those without a statement stay. */
export function throughProcesses(diagram: Diagram): Diagram {
  const processes = new Map(diagram.processes.map((process) => [process.id, process]))
  const used = new Map<string, DiagramEntity>()
  const relations = new Map<string, DiagramRelation>()
  for (const relation of diagram.relations) {
    const process = relation.process === null ? undefined : processes.get(relation.process)
    if (!process || relation.type === 'join') {
      relations.set(relation.id, { ...relation, source: null, target: null })
      continue
    }
    const node = entityOf(process)
    used.set(node.id, node)
    for (const [source, target] of [
      [relation.source_entity, node.id],
      [node.id, relation.target_entity],
    ] as const) {
      const id = `${relation.type} ${source} ${target}`
      if (!relations.has(id)) {
        const ends = { source_entity: source, target_entity: target, source: null, target: null }
        relations.set(id, { ...relation, ...ends, id })
      }
    }
  }
  const entities = diagram.entities.map((entity) => ({ ...entity, columns: [] }))
  return { ...diagram, entities: [...entities, ...used.values()], relations: [...relations.values()] }
}

function entityOf(process: DiagramProcess): DiagramEntity {
  return {
    id: `${PROCESS} ${process.id}`,
    kind: PROCESS,
    type: process.procedure || PROCESS,
    name: process.type,
    temporary: false,
    places: process.place ? [process.place] : [],
    columns: [],
    hidden_columns: 0,
  }
}
