/** Names for the shapes that the page uses, so that nobody spells out where the generated file keeps them. */
import type { components } from './schema'

type Shapes = components['schemas']

export type Diagram = Shapes['Diagram']
export type DiagramEntity = Shapes['DiagramEntity']
export type DiagramColumn = Shapes['DiagramColumn']
export type DiagramRelation = Shapes['DiagramRelation']
export type DiagramProcess = Shapes['DiagramProcess']
export type Place = Shapes['Place']
export type Position = Shapes['Position']
export type AnalyzeRequest = Shapes['AnalyzeRequest']
export type AnalyzeAnswer = Shapes['AnalyzeAnswer']
export type Said = Shapes['Said']
export type About = Shapes['About']
export type Problem = Shapes['Problem']
