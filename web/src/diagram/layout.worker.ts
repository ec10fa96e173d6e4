/** ELK in a thread of its own: its file answers messages by itself. */
import 'elkjs/lib/elk-worker.min.js'
