/** The turns, rounds, iterations, branches or tries that there have been of something, by their numbers. */
export interface ExistingTurns {
  word: 'turn' | 'round' | 'iteration' | 'branch' | 'try';
  first: number;
  last: number;
}

/** Says that there is none with a number, and which there are; undefined if it is one of them. */
export function noSuchTurn(of: string, number: number, { word, first, last }: ExistingTurns): string | undefined {
  if (number >= first && number <= last) return undefined;
  const range = last < first ? 'none' : last === first ? `only ${first}` : `${first} to ${last}`;
  return `${of} has no ${word} ${number}: it has ${range}`;
}
