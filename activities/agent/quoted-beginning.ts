import { visibleText } from '../../plan/text/visible-text';

const SHOWN_CHARACTERS = 120;

/**
 * The first line of a text that is not blank, in quotes and cut, so that it stays one line of a message and controls no terminal. Undefined
 * if the text is blank.
 */
export function quotedBeginning(text: string): string | undefined {
  const line = /\S.*/.exec(text)?.[0].trimEnd();
  if (line === undefined) return undefined;
  const kept = line.length <= SHOWN_CHARACTERS ? line : `${line.slice(0, SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
  return visibleText(JSON.stringify(kept));
}
