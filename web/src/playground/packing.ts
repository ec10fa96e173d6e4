/** Texts in the part of the URL behind `#`, which is never sent to a server: compressed where the browser can, else as they are. */

const COMPRESSED = 'z'
const PLAIN = 'p'

/** One or several texts as a fragment; texts at the end that are empty take no place. */
export async function packed(texts: readonly string[]): Promise<string> {
  const last = texts.findLastIndex((text) => text !== '')
  if (last < 0) return ''
  const canCompress = typeof CompressionStream !== 'undefined'
  const parts = texts.slice(0, last + 1).map(async (text) => {
    const bytes = new TextEncoder().encode(text)
    return base64(canCompress ? await through(bytes, new CompressionStream('deflate-raw')) : bytes)
  })
  return [canCompress ? COMPRESSED : PLAIN, ...(await Promise.all(parts))].join('.')
}

/** The texts of a fragment, with or without its `#`; null if it is none of ours. */
export async function unpacked(fragment: string): Promise<string[] | null> {
  const [how, ...parts] = fragment.replace(/^#/, '').split('.')
  if (how !== COMPRESSED && how !== PLAIN) return null
  try {
    return await Promise.all(
      parts.map(async (part) => {
        const bytes = bytesOf(part)
        const content = how === COMPRESSED ? await through(bytes, new DecompressionStream('deflate-raw')) : bytes
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
      }),
    )
  } catch {
    return null
  }
}

type Transform = { readable: ReadableStream<Uint8Array>; writable: WritableStream<BufferSource> }

/** More than this is no script that somebody shared; a small fragment can pretend to be a very long text. */
const MOST_BYTES = 8_000_000

async function through(bytes: Uint8Array<ArrayBuffer>, transform: Transform): Promise<Uint8Array<ArrayBuffer>> {
  const writer = transform.writable.getWriter()
  // What goes wrong in writing is told in reading, too.
  const written = writer
    .write(bytes)
    .then(() => writer.close())
    .catch(() => undefined)
  const reader = transform.readable.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    length += next.value.length
    if (length > MOST_BYTES) {
      await reader.cancel()
      throw new RangeError('The text is too long.')
    }
  }
  await written
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
