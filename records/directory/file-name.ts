import { createHash } from 'node:crypto';

const SAFE = /^[a-z0-9_.~#@+=,[\]-]$/;
const LIMIT = 180;

/**
 * A file name for any text: readable if possible, never a path, different for different texts. Capitals are encoded too, because some file
 * systems treat `A` and `a` as one name. A long text keeps its beginning and ends in its digest.
 */
export function fileName(text: string): string {
  let name = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    const hidden = name === '' && character === '.';
    name += SAFE.test(character) && !hidden ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  if (name !== '' && name.length <= LIMIT) return name;
  // `%h` cannot come from encoding, so a shortened name is never taken for a whole one.
  return `${name.slice(0, LIMIT / 2)}%h${createHash('sha256').update(text).digest('hex')}`;
}

/** The original text of a name; undefined if it was shortened. */
export function textOfName(name: string): string | undefined {
  if (/%h[0-9a-f]{64}$/.test(name)) return undefined;
  return Buffer.from(
    name.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
}
