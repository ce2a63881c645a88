/**
 * What a page says, in the characters that it, its server or its own head name; else UTF-8. Bytes that are none there are shown as `�`.
 * Undefined where it is no text.
 */
export function pageText(body: Buffer, charset: string | undefined, mediaType: string): string | undefined {
  const label =
    byteOrder(body) ?? charset ?? (mediaType.includes('html') || mediaType.includes('xml') ? ownCharset(body) : undefined) ?? 'utf-8';
  const text = decoded(body, label);
  return text.includes('\0') ? undefined : text;
}

function byteOrder(body: Buffer): string | undefined {
  const [a, b, c] = body;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined;
}

const HEAD_BYTES = 1024;

function ownCharset(body: Buffer): string | undefined {
  const head = body.subarray(0, HEAD_BYTES).toString('latin1');
  return /<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)=["']?([\w.:-]+)/i.exec(head)?.[1];
}

/** Pages name characters that nobody knows. */
function decoded(body: Buffer, label: string): string {
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
