/** What several have said, each thing once: what more of them say comes first, then what was said first. */

/** Of one text, in characters, and of a ranked list. */
export const TEXT_CHARACTERS = 1000;
export const MOST_TEXTS = 50;

export interface Ranked {
  text: string;
  /** How many have said it. */
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

/** @param said a list a speaker; who says the same thing twice has said it once */
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

/** Without line breaks, and no longer than `TEXT_CHARACTERS`. */
export function onOneLine(text: string, most = TEXT_CHARACTERS): string {
  const line = text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** What has neither letters nor digits is the same only as itself. */
function keyOf(text: string): string {
  return sameness(text) || onOneLine(text);
}
