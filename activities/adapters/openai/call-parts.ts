import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';

/**
 * Assembles the calls of a reply. Servers tell them apart by `index`; some leave it out, some give every call the same one, some send a
 * call in one piece. Pure.
 */
export interface CallParts {
  /** Returns how many characters were added. */
  take(delta: Json | undefined): number;
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

  function add(index: number | undefined, id: string, call: Json, piece: Json): number {
    const name = textOf(field(call, 'name'));
    const args = argumentsOf(field(call, 'arguments'));
    const part = partFor(index, id, name);
    part.id ||= id;
    part.name ||= name;
    part.args += args;
    const extra = field(piece, 'extra_content');
    if (extra !== undefined && extra !== null) part.extra = { extra_content: extra };
    return args.length + name.length + 1;
  }

  return {
    take(delta) {
      let size = 0;
      const pieces = field(delta, 'tool_calls');
      for (const piece of Array.isArray(pieces) ? pieces : []) {
        const index = field(piece, 'index');
        size += add(typeof index === 'number' ? index : undefined, textOf(field(piece, 'id')), field(piece, 'function') ?? null, piece);
      }
      const single = field(delta, 'function_call');
      return isJsonObject(single) ? size + add(FUNCTION_CALL, '', single, null) : size;
    },
    made: () => made,
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function argumentsOf(value: Json | undefined): string {
  return isJsonObject(value) ? JSON.stringify(value) : textOf(value);
}
