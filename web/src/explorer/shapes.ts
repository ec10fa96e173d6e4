/** Names for the shapes of answers about a store. */

import type { components } from '../api/schema'

type Shapes = components['schemas']

export type StoreThing = Shapes['StoreThing']
export type TableThing = Shapes['TableThing']
export type ColumnThing = Shapes['ColumnThing']
export type TableRow = Shapes['TableRow']
export type ColumnRow = Shapes['ColumnRow']
export type TableAnswer = Shapes['TableAnswer']
export type ColumnAnswer = Shapes['ColumnAnswer']
export type StatementThing = Shapes['StatementThing']
export type HopThing = Shapes['HopThing']
export type Spot = Shapes['Spot']
export type TagThing = Shapes['TagThing']
export type TagRow = Shapes['TagRow']
export type Match = Shapes['Match']
export type ReachedThing = Shapes['ReachedThing']
export type HitThing = Shapes['HitThing']
export type ImpactAnswer = Shapes['ImpactAnswer']
export type DifferenceThing = Shapes['DifferenceThing']
export type StoredDiagnostic = Shapes['StoredDiagnostic']
export type ScriptRow = Shapes['ScriptRow']
export type ScriptAnswer = Shapes['ScriptAnswer']
export type CoverageAnswer = Shapes['CoverageAnswer']
export type UnusedRow = Shapes['UnusedRow']
