import { kindOf } from './kinds'

/** The icon of a kind of entity; it says nothing by itself, the word has to stand beside it or in a label. */
export function KindIcon({ kind, size = 16 }: { kind: string; size?: number }) {
  return (
    <svg className="hw-icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={kindOf(kind).icon}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
