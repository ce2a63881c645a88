/** What is shorter is too likely to be part of something else. */
const MASKED_FROM = 4;
/** The same of what a secret becomes when it is encoded. */
const ENCODED_FROM = 8;

/**
 * A secret as it may are in a text: whole, line by line, as JSON writes it (also within JSON within JSON), in an address, in
 * hexadecimal, and in base64 wherever it begins there. For mistakes and habits of programs: who wants to can write a secret in a
 * thousand other ways.
 */
export function secretEncodings(secret: string): string[] {
  const inJson = jsonForm(secret);
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const plain = [secret, ...lines, inJson, jsonForm(inJson)].filter(({ length }) => length >= MASKED_FROM);
  const hex = Buffer.from(secret).toString('hex');
  const encoded = [...inAddress(secret), ...inBase64(secret), hex, hex.toUpperCase()];
  return [...new Set([...plain, ...encoded.filter(({ length }) => length >= ENCODED_FROM)])];
}

function jsonForm(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAddress(secret: string): string[] {
  // Half a character of two units is written in no address.
  const encoded = encodeURIComponent(Buffer.from(secret).toString());
  const strict = encoded.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  return [encoded, strict, ...[encoded, strict].map((one) => one.replaceAll('%20', '+'))].flatMap((one) => [one, lowered(one)]);
}

/** `%2f` for `%2F`. */
function lowered(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/** Three bytes become four characters, so it looks different by the place that it begins at; those it shares with its neighbours are left. */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.byteLength) * 8) / 6));
  });
  return [bytes.toString('base64'), ...forms].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
