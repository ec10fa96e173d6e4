/**
 * Typing over a selection, done by the editor and not by the browser.
 *
 * The browser would edit the page itself, and to keep the look of what is typed over, it writes styles into the page; a strict content policy
 * forbids that, rightly, and says so for every such key.
 */
import { EditorView } from '@codemirror/view'

export const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection
    const text = event.data
    if (event.inputType !== 'insertText' || event.isComposing || !text || main.empty) return false
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handler) => handler(view, main.from, main.to, text, insert))) view.dispatch(insert())
    event.preventDefault()
    return true
  },
})
