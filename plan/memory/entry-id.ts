/** Eight hexadecimal digits that a text always has (FNV-1a, 32 bits, over its UTF-16 units). It says which, and proves nothing. */
export function shortDigest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** The id of a new entry. If two texts share one, `attempt` tells them apart. */
export function entryId(key: string, attempt = 0): string {
  return `m-${shortDigest(attempt === 0 ? key : `${key} ${attempt}`)}`;
}
