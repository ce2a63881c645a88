import type { Template } from './expression';

/** Templates as one, with a text between them. Texts next to each other become one. */
export function joinTemplates(templates: readonly Template[], between: string): Template {
  const joined: Template = [];
  const pieces = templates.flatMap((template, at) => (at === 0 ? template : [between, ...template]));
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

/** The template without blanks around it. */
export function trimTemplate(template: Template): Template {
  return template.map((piece, at) => {
    if (typeof piece !== 'string') return piece;
    const begun = at === 0 ? piece.trimStart() : piece;
    return at === template.length - 1 ? begun.trimEnd() : begun;
  });
}
