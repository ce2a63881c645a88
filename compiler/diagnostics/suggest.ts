export { didYouMean, nearest } from '../../plan/text/nearest-word';

/** `a, b or c`, each in quotes. */
export function listWords(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  const last = quoted.pop();
  return quoted.length === 0 ? (last ?? 'none') : `${quoted.join(', ')} or ${last}`;
}
