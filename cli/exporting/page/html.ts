import type { html } from 'hono/html';
import { openText } from '../../../plan/text/visible-text';

/** Markup in which every text is escaped. Text of runs goes through `shown`, so that it hides no character either. */
export type Markup = ReturnType<typeof html>;

export function shown(text: string | undefined): string {
  return openText(text ?? '');
}

/** A relative address within the export: nothing in a name is a scheme, a query or a fragment. */
export function linkTo(path: string): string {
  return `./${path.split('/').map(encodeURIComponent).join('/')}`;
}
