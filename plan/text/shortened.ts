/** The text, or as much of it as fits into so many characters with an ellipsis; no character is cut in two. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most - 1)}…`;
}

/** The text, or its first characters, so many, before an ellipsis. */
export function cutAfter(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most)}…`;
}

/** The text, or its first characters: as many as fit into so many UTF-16 units. */
export function beginning(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** The text, or its last characters. */
export function ending(text: string, most: number): string {
  return text.length <= most ? text : text.slice(text.length - most).replace(/^[\udc00-\udfff]/, '');
}
