/** `00-<trace>-<span>-<flags>`; later versions may have more behind it (W3C Trace Context). */
const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-[\x21-\x7e]*)?$/;
const LONGEST = 200;

/** Undefined if the text is none. */
export function readTraceparent(text: string): { traceId: string; spanId: string } | undefined {
  const [, version, traceId = '', spanId = '', more] = text.length <= LONGEST ? (SHAPE.exec(text) ?? []) : [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return /[^0]/.test(traceId) && /[^0]/.test(spanId) ? { traceId, spanId } : undefined;
}
