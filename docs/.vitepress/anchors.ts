import { DIAGNOSTICS } from '../../compiler/diagnostics/codes';
import { slugOf } from '../../compiler/language/reference';
import { FAILURES } from '../../plan/run/failure';

/**
 * A page whose lists and tables of keys and codes have an anchor for each, which is also a link to itself. The anchor of a code is the
 * code, that of a key has the heading before it: `agent.prompt` on the page of `agent`, `retry.max` under "Keys of `retry`". A second key
 * of the same name has `-1` after it, as a second heading has.
 */
export function withAnchors(page: string): string {
  let inCode = false;
  let inTable = false;
  let heading = '';
  const seen = new Map<string, number>();
  const anchored = (text: string): string =>
    text.replaceAll(/`([^`]+)`/g, (code, name: string) => {
      const id = Object.hasOwn(FAILURES, name) || Object.hasOwn(DIAGNOSTICS, name) ? name : `${heading}.${name}`;
      const before = seen.get(id) ?? 0;
      seen.set(id, before + 1);
      const own = before === 0 ? id : `${id}-${before}`;
      return `<a id="${own}" href="#${own}">${code}</a>`;
    });
  const lines = page.split('\n').map((line) => {
    if (/^ *```/.test(line)) inCode = !inCode;
    if (inCode) return line;
    const [, title] = /^#+ (.+)$/.exec(line) ?? [];
    if (title !== undefined) heading = slugOf(title).replace(/^keys-of-/, '');
    inTable = /^\| (?:key|code) \|/.test(line) || (inTable && line.startsWith('|'));
    return line.replace(inTable ? /^\| `[^|]+? \|/ : /^- \*\*`[^*]+\*\*/, anchored);
  });
  return lines.join('\n');
}

/** The anchors that `withAnchors` gives to a page, in order. */
export function rowAnchorsOf(page: string): string[] {
  return [...withAnchors(page).matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
}
