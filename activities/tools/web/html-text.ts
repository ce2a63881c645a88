import { decodeHTMLStrict } from 'entities/decode';

/**
 * A web page as its reader sees it, in plain text: headings after `#`, items after `-`, links with their address. It is only for reading:
 * it does not validate a page, and its output must not be shown in a browser.
 *
 * Invariants: 1. it goes through the page once, so no page takes long; 2. it stops soon after it has enough text.
 */
export function htmlText(html: string, characters = Number.POSITIVE_INFINITY): { text: string; isWhole: boolean } {
  const page = new Page();
  let place = 0;
  while (place < html.length && page.characters <= characters) {
    const open = html.indexOf('<', place);
    page.say(html.slice(place, open === -1 ? html.length : open));
    if (open === -1) break;
    place = tagAt(html, open, page);
  }
  return { text: page.text(), isWhole: page.characters <= characters };
}

/** Elements whose content is no text of the page. */
const UNSEEN = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'select'];
const BLOCKS =
  /^(p|div|section|article|header|footer|nav|main|aside|table|ul|ol|dl|dd|dt|figure|figcaption|blockquote|form|fieldset|address|details|summary|title|hr|h[1-6]|pre|li|tr|br)$/;
const NAME = /[a-z][a-z0-9:-]*/iy;

/** Reads a tag that begins with `<`; returns the place after it. */
function tagAt(html: string, open: number, page: Page): number {
  if (html.startsWith('<!--', open)) return behind(html, '-->', open + 4);
  const isEnd = html[open + 1] === '/';
  NAME.lastIndex = open + (isEnd ? 2 : 1);
  const name = NAME.exec(html)?.[0].toLowerCase();
  if (name === undefined) {
    if (/[!?/]/.test(html[open + 1] ?? '')) return behind(html, '>', open + 1);
    page.say('<');
    return open + 1;
  }
  const end = tagEnd(html, open + name.length);
  if (!isEnd && UNSEEN.includes(name) && html[end - 2] !== '/') return behindElement(html, name, end);
  if (isEnd) page.end(name);
  else page.start(name, html.slice(open, end));
  return end;
}

function behind(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** A `>` within quotes ends no tag. */
function tagEnd(html: string, from: number): number {
  let quote = '';
  for (let place = from; place < html.length; place += 1) {
    const character = html[place] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return place + 1;
    // Anywhere but after `=` it is a stray one.
    else if ((character === '"' || character === "'") && /=\s*$/.test(html.slice(Math.max(0, place - 4), place))) quote = character;
  }
  return html.length;
}

function behindElement(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\s>/])`, 'ig');
  end.lastIndex = from;
  const found = end.exec(html);
  return found ? behind(html, '>', found.index) : html.length;
}

const ATTRIBUTE = { href: attribute('href'), alt: attribute('alt') };

function attribute(name: string): RegExp {
  return new RegExp(`\\s${name}\\s{0,9}=\\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
}

function attributeOf(tag: string, expression: RegExp): string {
  const [, ...values] = expression.exec(tag) ?? [];
  return textOfEntities(values.find((value) => value !== undefined) ?? '').trim();
}

/** Characters that say where a word may be divided are left out. */
function textOfEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text.replace(/&(?:shy|zwnj|zwj);/g, '')) : text;
}

class Page {
  /** The amount so far, with a tag counting as one: a page of only tags has an end too. */
  characters = 0;
  private readonly said: string[] = [];
  private preformatted = 0;
  /** Links are never within each other. */
  private link: { href: string; from: number } | undefined;

  say(raw: string): void {
    if (raw === '') return;
    const text = textOfEntities(raw);
    const said = this.preformatted > 0 ? text : text.replace(/[\s\u00a0]+/g, ' ');
    if (said.trim() !== '') this.characters += said.length;
    this.said.push(said);
  }

  start(name: string, tag: string): void {
    this.characters += 1;
    if (BLOCKS.test(name)) this.said.push(/^(p|h[1-6]|table|ul|ol|dl|pre|blockquote)$/.test(name) ? '\n\n' : '\n');
    const heading = /^h([1-6])$/.exec(name);
    if (heading) this.said.push(`${'#'.repeat(Number(heading[1]))} `);
    if (name === 'li') this.said.push('- ');
    if (name === 'td' || name === 'th') this.said.push(' | ');
    if (name === 'pre' || name === 'textarea') this.preformatted += 1;
    if (name === 'img') this.say(attributeOf(tag, ATTRIBUTE.alt));
    if (name === 'a') this.link = { href: attributeOf(tag, ATTRIBUTE.href), from: this.said.length };
  }

  end(name: string): void {
    this.characters += 1;
    if (name === 'pre' || name === 'textarea') this.preformatted = Math.max(0, this.preformatted - 1);
    if (name === 'a') this.endLink();
    if (BLOCKS.test(name)) this.said.push(/^(p|h[1-6]|table|ul|ol|dl|pre|blockquote)$/.test(name) ? '\n\n' : '\n');
  }

  private endLink(): void {
    const { link } = this;
    this.link = undefined;
    if (!link || !/^(https?:|\/|\.)/i.test(link.href)) return;
    const label = this.said.slice(link.from).join('').trim();
    if (label !== '' && label !== link.href) this.said.push(` (${link.href})`);
  }

  /** At most one empty line, and no blanks at the ends of lines. */
  text(): string {
    const lines = this.said.join('').split('\n');
    const kept: string[] = [];
    for (const line of lines.map((one) => one.trimEnd())) {
      const shown = /^ \S/.test(line) ? line.slice(1) : line;
      if (shown !== '' || (kept.at(-1) ?? '') !== '') kept.push(shown);
    }
    return kept.join('\n').trim();
  }
}
