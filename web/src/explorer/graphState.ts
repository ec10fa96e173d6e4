/** What the URL says about a graph that is drawn. */

import type { z } from 'zod'
import type { thing } from '../app/search'

export type ThingState = z.output<typeof thing>
export type GraphState = Pick<ThingState, 'up' | 'down' | 'flow' | 'level' | 'hide' | 'expanded' | 'hidden' | 'sel'>

/** Puts something else into the URL. What was only looked at leaves no step behind in the history. */
export type ThingChange = (change: Partial<ThingState>, how?: 'step' | 'look') => void
export type GraphChange = (change: Partial<GraphState>, how?: 'step' | 'look') => void
