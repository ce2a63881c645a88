import { jsonText, parseJson } from '../../plan/text/json-text';
import { lineText, parseLine } from '../logs/line-text';
import type { KeyRing } from '../sealing/key-ring';
import { recordOf, sealedLine } from '../sealing/sealed-ledger';
import { placeOf } from '../sealing/sealed-step-logs';
import { sealJson, sealText } from '../sealing/sealed-text';
import type { StorePart } from './store-part';

/** A part that was never in a store, as the ports of a store with this ring would keep it. Content is sealed by the store itself. */
export function sealedPart(part: StorePart, ring: KeyRing): StorePart {
  if (ring.use === undefined) return part;
  switch (part.kind) {
    case 'record':
      return { ...part, value: jsonText(sealJson(ring, parseJson(part.value), recordOf(part.run, part.name))) };
    case 'log':
      return { ...part, lines: part.lines.map((line) => jsonText(sealedLine(ring, part.run, part.name, parseJson(line)))) };
    case 'step-log': {
      const place = placeOf(part.run, part.name);
      let start = 0;
      const pieces = part.pieces.map(({ bytes }) => {
        const lines = bytes.toString('utf8').split('\n').slice(0, -1);
        const sealed = lines.flatMap((written) => {
          const line = parseLine(written);
          return line ? [lineText({ ...line, text: sealText(ring, line.text, place) })] : [];
        });
        const piece = { start, bytes: Buffer.from(sealed.join('')) };
        start += piece.bytes.byteLength;
        return piece;
      });
      return { ...part, pieces };
    }
    default:
      return part;
  }
}
