import { shortened } from '../text/shortened';

/** Texts of several speakers, each once: those that more speakers say come first, then the earlier ones. */

/** The limit of one text, in characters, and of a ranked list. */
const TEXT_CHARACTERS = 1000;
export const MOST_TEXTS = 50;

export interface Ranked {
  text: string;
  /** How many speakers said it. */
  times: number;
}

/** Two texts with the same key say the same: only letters and digits count, without regard to case. Opposites never share a key. */
export function sameness(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** @param said one list for each speaker; a speaker who repeats something counts once */
export function rankTexts(said: readonly (readonly string[])[]): Ranked[] {
  const known = new Map<string, Ranked>();
  for (const texts of said) {
    const counted = new Set<string>();
    for (const text of texts) {
      const key = keyOf(text);
      if (key === '' || counted.has(key)) continue;
      counted.add(key);
      const ranked = known.get(key) ?? { text: onOneLine(text), times: 0 };
      ranked.times += 1;
      known.set(key, ranked);
    }
  }
  return [...known.values()].sort((a, b) => b.times - a.times);
}

/** Text without line breaks, and no longer than `TEXT_CHARACTERS`. */
export function onOneLine(text: string, most = TEXT_CHARACTERS): string {
  return shortened(text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim(), most);
}

/** A text without letters and digits equals only itself. */
function keyOf(text: string): string {
  return sameness(text) || onOneLine(text);
}
