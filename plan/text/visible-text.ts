/**
 * A text in which nothing steers a terminal or turns the direction of writing: without control characters but tab and line feed, and
 * without the marks of directions.
 *
 * @param mark replaces each
 */
export function visibleText(text: string, mark = ''): string {
  return text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, mark);
}

/** A visible text for somebody who approves it: U+FFFD replaces invisible characters, so that they hide nothing. */
export function openText(text: string): string {
  return visibleText(text, '\ufffd');
}
