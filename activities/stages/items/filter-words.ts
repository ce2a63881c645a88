/**
 * Splits a template expression, `field.path | truncate 80 | replace "a" "b"`: at each `|` and, within a part, at spaces. Both may be
 * quoted, and in quotes a backslash takes the next character literally. An unclosed quote ends with the text.
 */
export function filterChain(expression: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < expression.length; at += 1) {
    if (isQuote(expression[at])) at = quoted(expression, at).end;
    else if (expression[at] === '|') {
      parts.push(expression.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, expression.slice(start).trim()];
}

/** A word is quoted if it begins with a quote; within a bare word a quote is a character. */
export function filterWords(part: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < part.length) {
    if (part[at] === ' ') at += 1;
    else if (isQuote(part[at])) {
      const { text, end } = quoted(part, at);
      words.push(text);
      at = end + 1;
    } else {
      const space = part.indexOf(' ', at);
      const end = space === -1 ? part.length : space;
      words.push(part.slice(at, end));
      at = end;
    }
  }
  return words;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/** The content of the quotes that open at `start`, and where they close. */
function quoted(text: string, start: number): { text: string; end: number } {
  const quote = text[start];
  let inside = '';
  let at = start + 1;
  for (; at < text.length && text[at] !== quote; at += 1) {
    if (text[at] === '\\' && at + 1 < text.length) at += 1;
    inside += text[at];
  }
  return { text: inside, end: at };
}
