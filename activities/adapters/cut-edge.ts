/**
 * Ends of what a program prints are cut before anybody can mask them, and half a secret is none to who masks later. So a little more than is
 * shown is kept there, masked, and left out: what was cut in two lies in that, for secrets no longer than it.
 */
const EDGE_BYTES = 4096;

export type Mask = (text: string) => string;

/** How much more is to be kept at each cut. */
export function edgeBytes(mask: Mask | undefined): number {
  return mask ? EDGE_BYTES : 0;
}

/** The end of a longer text, without the edge at its beginning. A character has at least one byte. */
export function endOf(text: string, mask: Mask | undefined): string {
  return mask
    ? mask(text)
        .slice(EDGE_BYTES)
        .replace(/^[\udc00-\udfff]/, '')
    : text;
}

/** The beginning of a longer text, without the edge at its end. */
export function beginningOf(text: string, mask: Mask | undefined): string {
  return mask
    ? mask(text)
        .slice(0, -EDGE_BYTES)
        .replace(/[\ud800-\udbff]$/, '')
    : text;
}
