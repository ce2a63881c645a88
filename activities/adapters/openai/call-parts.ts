import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { fields, json, listOf, number, optionalFields, text } from '../../../records/outside-json';

/** A call, or a piece of one. Some servers write its arguments as an object. */
const CALL = {
  name: text,
  arguments: json.transform((args) => (isJsonObject(args) ? JSON.stringify(args) : (text.parse(args) ?? ''))),
};

/** The calls in a piece of a reply. */
export const CALLS = {
  tool_calls: listOf(fields({ index: number, id: text, function: fields(CALL), extra_content: json })),
  /** The older form. */
  function_call: optionalFields(CALL),
};

type Call = z.infer<z.ZodObject<typeof CALL>>;
type Calls = z.infer<z.ZodObject<typeof CALLS>>;

/**
 * Assembles the calls of a reply. Servers tell them apart by `index`; some leave it out, some give every call the same one, some send a
 * call in one piece. Pure.
 */
export interface CallParts {
  /** Returns how many characters were added. */
  take(calls: Calls): number;
  made(): readonly CallPart[];
}

export interface CallPart {
  id: string;
  name: string;
  /** As the model wrote them. */
  args: string;
  /** Extra fields that the service wants back with the call. */
  extra: JsonObject;
}

/** The index in the older form, which has one call a reply. */
const FUNCTION_CALL = -1;

export function openCallParts(): CallParts {
  const made: CallPart[] = [];
  const byIndex = new Map<number, CallPart>();

  function begin(index: number | undefined): CallPart {
    const part: CallPart = { id: '', name: '', args: '', extra: {} };
    made.push(part);
    if (index !== undefined) byIndex.set(index, part);
    return part;
  }

  function partFor(index: number | undefined, id: string, name: string): CallPart {
    const known = index === undefined ? made.at(-1) : byIndex.get(index);
    if (!known) return begin(index);
    const changed = id !== '' && known.id !== '' && known.id !== id;
    // Without an index, a name alone begins a call too; a repeated id does not.
    const another = index === undefined ? changed || (name !== '' && (id === '' || known.id === '')) : changed && name !== '';
    return another ? begin(index) : known;
  }

  /** Returns how many characters it added. */
  function add(index: number | undefined, id: string, { name = '', arguments: args }: Call, extra?: Json): number {
    const part = partFor(index, id, name);
    part.id ||= id;
    part.name ||= name;
    part.args += args;
    if (extra !== undefined && extra !== null) part.extra = { extra_content: extra };
    return args.length + name.length + 1;
  }

  return {
    take({ tool_calls: pieces, function_call: single }) {
      let size = 0;
      for (const { index, id = '', function: call, extra_content: extra } of pieces) size += add(index, id, call, extra);
      return single ? size + add(FUNCTION_CALL, '', single) : size;
    },
    made: () => made,
  };
}
