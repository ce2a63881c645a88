/** Shorter secrets are not masked: they are too likely to be part of something else. */
export const MASKED_FROM = 4;
/** The same limit for encoded forms. */
export const ENCODED_FROM = 8;

/**
 * A secret as it may be in a text: whole, line by line, as JSON writes it (also within JSON within JSON), as shells, Python and HTML quote
 * it, in hexadecimal, and in base64 wherever it begins there; in addresses it has more forms than can be listed (`percent-encoding.ts`).
 * For mistakes and habits of programs: who wants to can write a secret in a thousand other ways.
 */
export function secretEncodings(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  const encoded = [...inBase64(secret), hex, hex.toUpperCase()];
  const plain = secretTexts(secret)
    .filter(({ length }) => length >= MASKED_FROM)
    .flatMap((text) => [text, ...quotedForms(text)]);
  return [...new Set([...plain, ...encoded.filter(({ length }) => length >= ENCODED_FROM)])];
}

/** A secret, its lines, and their JSON forms. */
export function secretTexts(secret: string): string[] {
  const inJson = jsonForm(secret);
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  return [...new Set([secret, ...lines, inJson, jsonForm(inJson)])].filter((text) => text !== '');
}

const HTML_SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** As it is within quotes: where a shell traces its commands, where Python says what a value is, in JSON that is ASCII alone, in a page. */
function quotedForms(text: string): string[] {
  const inHtml = text.replace(/[&<>"]/g, (sign) => HTML_SIGNS[sign] ?? sign);
  const inAscii = (written: (hex: string) => string) =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${written(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  return [
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    text.replaceAll("'", "\\'"),
    // `printf %q`
    text.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`,]|^[#~]/g, '\\$&'),
    ...["'", '&#39;', '&#x27;', '&apos;'].map((sign) => inHtml.replaceAll("'", sign)),
    inAscii((hex) => hex),
    inAscii((hex) => hex.toUpperCase()),
  ];
}

function jsonForm(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Three bytes become four characters, so it looks different by the place that it begins at; those it shares with its neighbours are left.
 */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.byteLength) * 8) / 6));
  });
  return [bytes.toString('base64'), ...forms].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
