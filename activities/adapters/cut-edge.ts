import type { Mask } from '../../plan/text/masker';

/**
 * Ends of what a program prints are cut before anybody can mask them, and what masks later does not recognise half a secret. So a little
 * more than is shown is kept there, masked, and left out: what was cut in two lies in that. It is as long as the longest way to write a
 * secret, in characters.
 */
const UNKNOWN_EDGE = 4096;
/** A longer secret is no longer one that is printed by mistake. */
const MOST_EDGE = 1024 * 1024;
/** The most bytes of a unit of UTF-16, also in UTF-8. */
const MOST_BYTES = 3;

function edgeOf({ longest = UNKNOWN_EDGE }: Mask): number {
  return Math.min(longest, MOST_EDGE);
}

/** How much more is to be kept at each cut. */
export function edgeBytes(mask: Mask | undefined): number {
  return mask ? MOST_BYTES * edgeOf(mask) : 0;
}

/** At most `most` characters of the end of a longer text, without the edge at its beginning. */
export function endOf(text: string, mask: Mask | undefined, most: number): string {
  if (!mask) return text;
  const kept = mask(text).slice(edgeOf(mask));
  return kept.slice(Math.max(0, kept.length - most)).replace(/^[\udc00-\udfff]/, '');
}

/** At most `most` characters of the beginning of a longer text, without the edge at its end. */
export function beginningOf(text: string, mask: Mask | undefined, most: number): string {
  if (!mask) return text;
  const masked = mask(text);
  return masked.slice(0, Math.min(most, Math.max(0, masked.length - edgeOf(mask)))).replace(/[\ud800-\udbff]$/, '');
}
