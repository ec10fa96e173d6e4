/** The names beside a plot's bars: as long as there is room for, and of longer ones the end, which tells them apart. */

export const AXIS_WIDTH = 150
const LONGEST = 22

export function tick(name: string): string {
  return name.length > LONGEST ? `…${name.slice(1 - LONGEST)}` : name
}
