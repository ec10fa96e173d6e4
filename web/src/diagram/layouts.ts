/** Asks the worker for layouts. A newer question ends an older one, however long that would have taken. */
import ELK, { type ElkNode } from 'elkjs/lib/elk-api'
import { type Draft, elkGraph, type Placement, placementOf } from './layout'

/** A layout that nobody waits for any more. */
export class Superseded extends Error {}

export class Layouts {
  private engine: InstanceType<typeof ELK> | null = null
  private dismiss: ((reason: Superseded) => void) | null = null

  /** The placement of a draft; rejected with `Superseded` if another is asked for before. */
  async of(draft: Draft): Promise<Placement> {
    if (this.dismiss) this.end()
    this.engine ??= new ELK({
      workerFactory: () => new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' }),
    })
    const answer = await new Promise<ElkNode>((resolve, reject) => {
      this.dismiss = reject
      this.engine?.layout(elkGraph(draft)).then(resolve, reject)
    })
    this.dismiss = null
    return placementOf(draft, answer)
  }

  /** Ends the worker, and whatever it is doing. */
  end(): void {
    this.dismiss?.(new Superseded())
    this.dismiss = null
    this.engine?.terminateWorker()
    this.engine = null
  }
}
