/** HTML from text, so that what an agent or an author wrote is never taken for markup. */
export interface Html {
  readonly html: string;
}

type Part = string | Html | readonly Html[] | undefined;

/** Every text put in is escaped, for elements and for quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((text, i) => text + written(parts[i])).join('') };
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  return 'html' in part ? part.html : part.map((one) => one.html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
