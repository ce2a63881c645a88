import type { ValidateFunction } from 'ajv';
import type { z } from 'zod';
import { field, isJsonObject, type Json, type JsonObject, sameJson } from '../../../plan/text/json';
import { isTooDeep } from '../../../plan/text/json-depth';
import { parseUntrustedJson } from '../../../plan/text/untrusted-json';
import { fields, json, text } from '../../../records/outside-json';
import { schemaViolation } from '../../json-schema';

/** The part of a result that an agent reads. */
export interface ResultText {
  text: string;
  failed?: true;
}

/**
 * The result of a call as text: text unchanged, structured content as JSON unless the text has it already; everything else by its kind and
 * size. Masked before it is cut, so that no half of a secret stays. Throws, in words, if the server does not keep its promises.
 */
export function resultText(
  result: JsonObject,
  promised: ValidateFunction | undefined,
  { mostCharacters, mask }: { mostCharacters: number; mask(text: string): string },
): ResultText {
  if (isTooDeep(result)) throw new Error('its result is nested too deeply');
  const { content, structuredContent } = result;
  const failed = result['isError'] === true;
  if (!Array.isArray(content) && structuredContent === undefined) throw new Error('its answer is not the result of a tool');
  if (promised && !failed) {
    const broken = structuredContent === undefined ? 'it is not there' : schemaViolation(promised, structuredContent);
    if (broken !== undefined) throw new Error(`its structured result is not what it promised: ${broken}`);
  }
  const blocks = Array.isArray(content) ? content : [];
  const parts = blocks.map(blockText);
  if (structuredContent !== undefined && !saidIn(blocks, structuredContent)) parts.push(JSON.stringify(structuredContent));
  return { text: cutResult(mask(parts.join('\n')), mostCharacters), ...(failed ? { failed } : {}) };
}

const BLOCK = fields({
  type: json,
  ...{ text, mimeType: text, data: text, name: text, uri: text },
  resource: fields({ uri: text, mimeType: text, text, blob: text }),
});

function blockText(block: Json): string {
  const {
    type: kind,
    text = '[a text block without text]',
    mimeType = 'unknown type',
    data,
    name = '',
    uri = '',
    resource,
  } = BLOCK.parse(block);
  switch (kind) {
    case 'text':
      return text;
    case 'image':
    case 'audio':
      return `[${kind} not shown: ${mimeType}, ${decodedBytes(data)} bytes]`;
    case 'resource_link':
      return `[resource: ${name} ${uri}]`;
    case 'resource':
      return embedded(resource);
    default:
      return `[a block of type ${JSON.stringify(kind ?? null).slice(0, 100)} not shown]`;
  }
}

function embedded({ uri = '', mimeType = 'unknown type', text, blob }: z.infer<typeof BLOCK>['resource']): string {
  const bytes = text === undefined ? decodedBytes(blob) : Buffer.byteLength(text);
  return `[resource not shown: ${uri}, ${mimeType}, ${bytes} bytes]`;
}

function decodedBytes(base64: string | undefined): number {
  return Buffer.byteLength(base64 ?? '', 'base64');
}

/**
 * Whether a text equals the structured content: as JSON, or literally if that is only a text. A text that is less than half as long cannot,
 * and is not compared: each comparison takes time proportional to both.
 */
function saidIn(blocks: readonly Json[], structured: Json): boolean {
  const values = isJsonObject(structured) ? Object.values(structured) : [];
  const [only] = values.length === 1 ? values : [];
  const least = JSON.stringify(structured).length / 2;
  return blocks.some((block) => {
    const text = field(block, 'type') === 'text' ? BLOCK.parse(block).text : undefined;
    if (text === undefined) return false;
    if (text === only) return true;
    const said = text.length < least ? undefined : parseUntrustedJson(text);
    return said !== undefined && sameJson(said, structured);
  });
}

export function cutResult(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n[cut: the first ${most} of ${text.length} characters; ask for less at once to see the rest]`;
}
