/** The text, or as much of it as fits into so many characters with an ellipsis; no character is cut in two. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : beginningOf(text, most - 1);
}

/** The text, or its first characters, so many, before an ellipsis. */
export function cutAfter(text: string, most: number): string {
  return text.length <= most ? text : beginningOf(text, most);
}

function beginningOf(text: string, characters: number): string {
  return `${text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')}…`;
}
