/**
 * The elements of an XML document, one after the other, as reports of tests need them: no namespaces, no schemas. A document type is refused, and
 * with it every entity of the author's own. Reading takes time in proportion to the text.
 */
export type XmlEvent =
  | { kind: 'open'; name: string; attributes: ReadonlyMap<string, string> }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

export class XmlProblem extends Error {}

const NAME = /[^\s=/>"'<]+/y;
const SPACE = /\s*/y;

/** Throws `XmlProblem` where the text is no well-formed document. */
export function* xmlEvents(text: string): Generator<XmlEvent> {
  const open: string[] = [];
  let roots = 0;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const tag = text.indexOf('<', at);
    const end = tag < 0 ? text.length : tag;
    if (end > at) {
      const between = text.slice(at, end);
      if (open.length > 0) yield { kind: 'text', text: decode(between) };
      else if (between.trim() !== '') throw new XmlProblem(`there is text outside of the document, at character ${at}`);
    }
    if (tag < 0) break;
    if (text.startsWith('<!--', tag)) at = behind(text, '-->', tag + 4, 'a comment');
    else if (text.startsWith('<?', tag)) at = behind(text, '?>', tag + 2, 'an instruction');
    else if (text.startsWith('<![CDATA[', tag)) {
      at = behind(text, ']]>', tag + 9, 'a CDATA section');
      if (open.length > 0) yield { kind: 'text', text: text.slice(tag + 9, at - 3) };
    } else if (text.startsWith('<!', tag)) throw new XmlProblem('it has a document type, which is not read');
    else if (text.startsWith('</', tag)) {
      at = behind(text, '>', tag, 'a tag');
      const name = text.slice(tag + 2, at - 1).trim();
      const opened = open.pop();
      if (opened !== name) throw new XmlProblem(`</${name.slice(0, 40)}> closes ${opened === undefined ? 'nothing' : `<${opened}>`}`);
      yield { kind: 'close', name };
    } else {
      const element = readTag(text, tag);
      at = element.end;
      if (open.length === 0 && ++roots > 1) throw new XmlProblem('it has several documents');
      yield { kind: 'open', name: element.name, attributes: element.attributes };
      if (element.isEmpty) yield { kind: 'close', name: element.name };
      else open.push(element.name);
    }
  }
  const left = open.at(-1);
  if (left !== undefined) throw new XmlProblem(`it ends within <${left}>`);
  if (roots === 0) throw new XmlProblem('it has no element');
}

function behind(text: string, end: string, from: number, what: string): number {
  const found = text.indexOf(end, from);
  if (found < 0) throw new XmlProblem(`${what} does not end`);
  return found + end.length;
}

function readTag(text: string, tag: number): { name: string; attributes: Map<string, string>; isEmpty: boolean; end: number } {
  const name = take(NAME, text, tag + 1);
  if (name === '') throw new XmlProblem(`there is a "<" that begins no tag, at character ${tag}`);
  const attributes = new Map<string, string>();
  let at = tag + 1 + name.length;
  for (;;) {
    at += take(SPACE, text, at).length;
    if (text[at] === '>') return { name, attributes, isEmpty: false, end: at + 1 };
    if (text.startsWith('/>', at)) return { name, attributes, isEmpty: true, end: at + 2 };
    const key = take(NAME, text, at);
    at += key.length;
    at += take(SPACE, text, at).length;
    const quote = text[at] === '=' ? at + 1 + take(SPACE, text, at + 1).length : -1;
    const mark = text[quote];
    if (key === '' || (mark !== '"' && mark !== "'")) throw new XmlProblem(`<${name.slice(0, 40)}> is broken`);
    const end = text.indexOf(mark, quote + 1);
    if (end < 0) throw new XmlProblem(`<${name.slice(0, 40)}> does not end`);
    attributes.set(key, decode(text.slice(quote + 1, end)));
    at = end + 1;
  }
}

function take(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** What it does not know stays as it is: a name of a test is no place to fail at. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
