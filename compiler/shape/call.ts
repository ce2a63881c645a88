/** A parsed call: `retry(converge, max=3)`, `escalate(human("#errors"))`, `stop`. Offsets count within the text. */
export interface CallSyntax {
  name: string;
  /** Absent for a bare word. */
  arguments?: CallArgument[];
}

export interface CallArgument {
  key?: string;
  /** The argument as written, quotes included: it may be a call itself. */
  text: string;
  start: number;
  end: number;
}

const CALL = /^\s*([A-Za-z_][A-Za-z0-9_-]*)\s*(?:\((.*)\)\s*)?$/s;

/** Undefined if the text is no call. */
export function readCallSyntax(text: string): CallSyntax | undefined {
  const match = CALL.exec(text);
  const name = match?.[1];
  if (!match || name === undefined) return undefined;
  const inside = match[2];
  if (inside === undefined) return { name };
  const parts = splitArguments(inside, text.indexOf('(') + 1);
  return parts && { name, arguments: parts };
}

function splitArguments(inside: string, offset: number): CallArgument[] | undefined {
  if (inside.trim() === '') return [];
  const found: CallArgument[] = [];
  let depth = 0;
  let quote: string | undefined;
  let start = 0;
  for (let at = 0; at <= inside.length; at++) {
    const char = inside[at];
    if (quote !== undefined) {
      if (char === undefined) return undefined;
      if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === undefined || (char === ',' && depth === 0)) {
      if (depth !== 0) return undefined;
      found.push(argumentOf(inside.slice(start, at), offset + start));
      start = at + 1;
    }
    if (depth < 0) return undefined;
  }
  return found;
}

function argumentOf(raw: string, offset: number): CallArgument {
  const keyed = /^\s*([a-z_]+)\s*=/.exec(raw);
  const lead = keyed?.[0].length ?? 0;
  const text = raw.slice(lead).trim();
  const start = offset + lead + raw.slice(lead).indexOf(text);
  const found: CallArgument = { text, start, end: start + text.length };
  return keyed?.[1] === undefined ? found : { ...found, key: keyed[1] };
}

/** `"#errors"` and `'#errors'` without their quotes; anything else as it is. */
export function unquote(text: string): string {
  const match = /^(["'])(.*)\1$/s.exec(text);
  return match?.[2] ?? text;
}
