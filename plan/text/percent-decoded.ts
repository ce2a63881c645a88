/** The text of a part of a URL; undefined if it is no such part. */
export function percentDecoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
