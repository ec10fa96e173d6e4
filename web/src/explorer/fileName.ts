/** What a file is called that somebody is given. */

/** A name that any system takes for a file's. */
export function fileName(name: string, ending: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)
  return `${plain || 'lineage'}.${ending}`
}
