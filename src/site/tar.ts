import { utf8 } from '../platform/crypto/hash.ts'

const BLOCK = 512

/** The two empty blocks that end an archive. */
export const END_OF_ARCHIVE = new Uint8Array(2 * BLOCK)

/**
 * Makes an entry of a tar archive (POSIX.1-1988, ustar): the header, and the content in whole blocks. Time
 * and owner are always 0, so that equal files make equal bytes.
 */
export function tarEntry(path: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  const rights = octal(0o644, 7) + octal(0, 7) + octal(0, 7)
  const before = path.padEnd(100, '\0') + rights + octal(content.length, 11) + octal(0, 11)
  const after = `0${'\0'.repeat(100)}ustar\x0000`
  // The checksum counts its own eight characters as spaces.
  const checksum = utf8(`${before}        ${after}`).reduce((sum, byte) => sum + byte, 0)
  const entry = new Uint8Array(BLOCK + Math.ceil(content.length / BLOCK) * BLOCK)
  entry.set(utf8(`${before}${octal(checksum, 6)} ${after}`))
  entry.set(content, BLOCK)
  return entry
}
