/**
 * The part of TOML that a Temporal configuration file uses: tables, and keys with texts, booleans and numbers on one line.
 * Anything beyond it (lists, inline tables, texts over several lines) is kept as undefined: Thermidor reads none of it.
 */
export type TomlTable = Record<string, string | boolean | number | undefined>;
export type TomlResult = { tables: ReadonlyMap<string, TomlTable> } | { line: number; problem: string };

const HEADER = /^\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?$/;
const ENTRY = /^(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+(?:\s*\.\s*[A-Za-z0-9_-]+)*))\s*=\s*(.*)$/;

export function parseToml(text: string): TomlResult {
  const tables = new Map<string, TomlTable>();
  let current: TomlTable = {};
  tables.set('', current);
  let closes: string | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (closes !== undefined) {
      if (line.includes(closes)) closes = undefined;
      continue;
    }
    if (line === '' || line.startsWith('#') || line.startsWith('[[')) continue;
    const header = HEADER.exec(line);
    if (header?.[1] !== undefined) {
      const name = header[1]
        .split('.')
        .map((part) => part.trim().replace(/^["']|["']$/g, ''))
        .join('.');
      current = tables.get(name) ?? {};
      tables.set(name, current);
      continue;
    }
    const entry = ENTRY.exec(line);
    if (!entry) return { line: index + 1, problem: `"${line}" is neither a [table] nor key = value` };
    const value = entry[4] ?? '';
    closes = opens(value);
    current[entry[1] ?? entry[2] ?? entry[3] ?? ''] = readValue(value);
  }
  return { tables };
}

/** What ends a value that goes on over the next lines. */
function opens(value: string): string | undefined {
  for (const quotes of ['"""', "'''"]) {
    if (value.startsWith(quotes) && !value.slice(3).includes(quotes)) return quotes;
  }
  return value.startsWith('[') && !value.includes(']') ? ']' : undefined;
}

function readValue(value: string): string | boolean | number | undefined {
  const literal = /^'([^']*)'\s*(?:#.*)?$/.exec(value);
  if (literal) return literal[1];
  const basic = /^("(?:[^"\\]|\\.)*")\s*(?:#.*)?$/.exec(value);
  if (basic?.[1] !== undefined) return unquote(basic[1]);
  const bare = value.replace(/\s*#.*$/, '');
  if (bare === 'true' || bare === 'false') return bare === 'true';
  return bare !== '' && Number.isFinite(Number(bare)) ? Number(bare) : undefined;
}

/** TOML's escapes are JSON's, but for `\UXXXXXXXX` and `\e`, which no address has. */
function unquote(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
