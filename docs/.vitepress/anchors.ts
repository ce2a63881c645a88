import { slugOf } from '../../compiler/language/reference';

/**
 * A page whose lists and tables of keys and codes have an anchor in each item or row, which is also a link to itself. A list of them has
 * items that begin with a name in bold code, and a colon. The anchor of a code is the code, that of a key has the heading of its list before
 * it: `agent.prompt` on the page of `agent`, `retry.max` under "Keys of `retry`". A second one of the same name has `-1` after it, as a
 * second heading has.
 */
export function withAnchors(page: string): string {
  let inCode = false;
  let heading = '';
  const seen = new Map<string, number>();
  const anchor = (id: string, text: string): string => {
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    const own = before === 0 ? id : `${id}-${before}`;
    return `<a id="${own}" href="#${own}">${text}</a>`;
  };
  let table: 'key' | 'code' | undefined;
  const lines = page.split('\n').map((line) => {
    if (/^ *```/.test(line)) inCode = !inCode;
    if (inCode) return line;
    const [, title] = /^#+ (.+)$/.exec(line) ?? [];
    if (title !== undefined) heading = slugOf(title).replace(/^keys-of-/, '');
    table = /^\| (key|code) \|/.test(line) ? (line.slice(2).split(' ', 1)[0] as 'key' | 'code') : line.startsWith('|') ? table : undefined;
    const names = table === undefined ? /^- \*\*`[^`]+`\*\*(?:, \*\*`[^`]+`\*\*)*:/ : /^\| `[^|]+? \|/;
    const prefix = table === 'code' || heading === 'every-code' ? '' : `${heading}.`;
    return line.replace(names, (cell) => cell.replaceAll(/`([^`]+)`/g, (code, name: string) => anchor(`${prefix}${name}`, code)));
  });
  return lines.join('\n');
}

/** The anchors that `withAnchors` gives to a page, in order. */
export function rowAnchorsOf(page: string): string[] {
  return [...withAnchors(page).matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
}
