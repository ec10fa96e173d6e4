/** The playground's page. It keeps its state in the URL by itself: whoever mounts it gives it nothing. */
export { Playground } from './Playground'
