import { ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject, type Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { lineText, parseLine } from '../logs/line-text';
import type { KeyRing } from '../sealing/key-ring';
import { lineOf, recordOf } from '../sealing/sealed-ledger';
import { ENVIRONMENT, linkOf, VARIABLE } from '../sealing/sealed-people';
import { placeOf } from '../sealing/sealed-step-logs';
import { resealJson, resealText } from '../sealing/sealed-text';
import { callerIn, callerText } from '../stored-caller';
import { gateLinkIn } from '../stored-gate-link';
import { PART_KINDS, type PartKind, partDigest, type StepLogPart, type StorePart } from './store-part';
import type { StoreTransfer } from './store-transfer';

/**
 * Seals with the key that seals now whatever another key of the ring has sealed. Content is sealed in any case, anything else only if it
 * was sealed. Nobody else uses the store meanwhile; one that was broken off continues when it is asked again.
 *
 * @returns how many of each kind are written, and how many lines of steps' logs are left, because they do not open: a program may have
 * printed what looks like a sealed one. Fails with `encryption.key-missing`, `store.unavailable`, `artifact.missing`.
 */
export async function resealStore(store: StoreTransfer, ring: KeyRing): Promise<Record<PartKind | 'unopened', number>> {
  const written = Object.fromEntries([...PART_KINDS, 'unopened'].map((kind) => [kind, 0])) as Record<PartKind | 'unopened', number>;
  const leave = (): void => {
    written.unopened += 1;
  };
  for await (const part of store.parts()) {
    const sealed = resealed(part, ring, leave);
    // Content is opened as it is read: the store itself sees whether it has to be written.
    if (part.kind !== 'content' && partDigest(sealed) === partDigest(part)) continue;
    await store.replace(sealed);
    written[part.kind] += 1;
  }
  await store.settle();
  return written;
}

function resealed(part: StorePart, ring: KeyRing, leave: () => void): StorePart {
  switch (part.kind) {
    case 'record':
      return { ...part, value: jsonText(resealJson(ring, parseJson(part.value), recordOf(part.run, part.name))) };
    case 'log':
      return { ...part, lines: part.lines.map((line) => jsonText(resealedLine(parseJson(line), part, ring))) };
    case 'step-log':
      return resealedStepLog(part, ring, leave);
    case 'environment': {
      const caller = callerIn(part.caller);
      const text = caller?.env[VARIABLE];
      if (text === undefined) return part;
      return { ...part, caller: callerText({ env: { [VARIABLE]: resealText(ring, text, ENVIRONMENT) } }) };
    }
    case 'link': {
      const link = gateLinkIn(part.link);
      if (link === undefined) return part;
      const question = resealText(ring, link.question, linkOf(part.key));
      return question === link.question ? part : { ...part, link: JSON.stringify({ ...link, question }) };
    }
    default:
      return part;
  }
}

/** In a log of records the value alone is sealed. */
function resealedLine(line: Json, { run, name: log }: Extract<StorePart, { kind: 'log' }>, ring: KeyRing): Json {
  if (!isJsonObject(line)) return line;
  const { name, value } = line;
  const whole = resealJson(ring, line, lineOf(run));
  if (whole !== line || typeof name !== 'string' || value === undefined) return whole;
  return { ...line, value: resealJson(ring, value, recordOf(run, `${log}\n${name}`)) };
}

/** Lines may grow: the positions after them move with them, those too that grew when this was broken off. */
function resealedStepLog(part: StepLogPart, ring: KeyRing, leave: () => void): StepLogPart {
  const place = placeOf(part.run, part.name);
  let grown = 0;
  let end = 0;
  const pieces = part.pieces.map(({ start, bytes }) => {
    const lines = bytes.toString('utf8').split('\n').slice(0, -1);
    const texts = lines.map((written) => {
      const line = parseLine(written);
      if (!line) return `${written}\n`;
      try {
        return lineText({ ...line, text: resealText(ring, line.text, place) });
      } catch (error) {
        if (!(error instanceof ThermidorFailure)) throw error;
        leave();
        return `${written}\n`;
      }
    });
    const piece = { start: Math.max(start + grown, end), bytes: Buffer.from(texts.join('')) };
    grown += piece.bytes.byteLength - bytes.byteLength;
    end = piece.start + piece.bytes.byteLength;
    return piece;
  });
  return { ...part, pieces };
}
