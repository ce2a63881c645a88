import { cutAfter } from '../text/shortened';

/** The limit of a text in the journal and in state, in characters. The store has the whole text. */
const BRIEF = 300;

export function brief(text: string): string {
  return cutAfter(text, BRIEF);
}
