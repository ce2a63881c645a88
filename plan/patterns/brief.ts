/** The limit of a text in the journal and in state, in characters. The store has the whole text. */
const BRIEF = 300;

export function brief(text: string): string {
  return text.length <= BRIEF ? text : `${text.slice(0, BRIEF)}…`;
}
