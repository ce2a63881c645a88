/** The heading and first paragraph of a question that is Markdown, for lists, on one line; undefined if it begins with no heading. */
export function headedQuestion(question: string): string | undefined {
  const [first = '', ...rest] = question.trim().split(/\r?\n/);
  const heading = headingIn(first);
  if (heading === undefined) return undefined;
  const from = rest.findIndex((line) => line.trim() !== '');
  const below = from === -1 ? [] : rest.slice(from);
  const end = below.findIndex((line) => line.trim() === '' || headingIn(line) !== undefined);
  const paragraph = (end === -1 ? below : below.slice(0, end)).join(' ').replace(/\s+/g, ' ').trim();
  return paragraph === '' ? heading : `${heading}: ${paragraph}`;
}

function headingIn(line: string): string | undefined {
  return /^#{1,6}[ \t]+(\S.*)$/.exec(line)?.[1]?.trim();
}
