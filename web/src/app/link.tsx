/** Links and buttons that go somewhere: their targets are checked against the pages that there are. */

import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type AsAnchor = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'color' | 'style' | 'children'> & {
  ref?: Ref<HTMLAnchorElement>
  children?: React.ReactNode
}

function PlainAnchor(props: AnchorProps & AsAnchor) {
  return <Anchor {...props} />
}

function PlainButton(props: ButtonProps & AsAnchor) {
  return <Button component="a" {...props} />
}

export const PageLink = createLink(PlainAnchor)
export const PageButton = createLink(PlainButton)
